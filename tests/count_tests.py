# SPDX-License-Identifier: Apache-2.0
"""Prints "passed failed skipped" of a JUnit file of ctest; a file that is not there is a failure.
Usage: count_tests.py FIRST [SECOND]: of tests that are in both the second run counts."""
import collections
import sys
import xml.etree.ElementTree as ET


def result(case):
    if case.find("skipped") is not None:
        return "skipped"
    return "failed" if case.get("status") in ("fail", "notrun", "disabled") else "passed"


def results(path):
    return {case.get("name"): result(case) for case in ET.parse(path).getroot().iter("testcase")}


try:
    found = results(sys.argv[1])
except (OSError, ET.ParseError):
    print("0 1 0")
    sys.exit()
if len(sys.argv) > 2:
    try:
        found.update(results(sys.argv[2]))
    except (OSError, ET.ParseError):
        pass  # nothing was run again
counts = collections.Counter(found.values())
print(counts["passed"], counts["failed"], counts["skipped"])
