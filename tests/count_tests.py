# SPDX-License-Identifier: Apache-2.0
"""Prints "passed failed skipped" of a JUnit file of ctest; a file that is not there is a failure."""
import sys
import xml.etree.ElementTree as ET

try:
    cases = list(ET.parse(sys.argv[1]).getroot().iter("testcase"))
except (OSError, ET.ParseError):
    print("0 1 0")
    sys.exit()
failed = sum(case.get("status") in ("fail", "notrun", "disabled") and case.find("skipped") is None
             for case in cases)
skipped = sum(case.find("skipped") is not None for case in cases)
print(len(cases) - failed - skipped, failed, skipped)
