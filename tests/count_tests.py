# SPDX-License-Identifier: Apache-2.0
"""Sums up a run of tests, from the JUnit files of ctest. Usage: count_tests.py PHASES FOLDER...

PHASES is a file with a line "SECONDS NAME" for each phase of the run: the clock when it began. Each
build folder has junit.xml and, if tests ran a second time, junit.again.xml, whose results count.
Prints how long the phases, the groups of tests (by the word before the dot) and the slowest tests
took, what was skipped and why, what was retried, and at last
"N passed, N failed, N skipped". Fails if a test failed, if none passed, or if too many were retried:
then these are counted as failed.
"""
import collections
import pathlib
import re
import sys
import time
import xml.etree.ElementTree as ET

NUM_SLOWEST = 20
MAX_RETRIED = 3

Case = collections.namedtuple("Case", "name result seconds output")


def result_of(case):
    if case.find("skipped") is not None:
        return "skipped"
    return "failed" if case.get("status") in ("fail", "notrun", "disabled") else "passed"


def read_cases(path, preset):
    """{name: Case}; None if the file is not there or damaged."""
    try:
        root = ET.parse(path).getroot()
    except (OSError, ET.ParseError):
        return None
    # The preset of daily work has no word of its own.
    suffix = "" if preset == "dev" else f" ({preset})"
    return {case.get("name") + suffix: Case(case.get("name") + suffix, result_of(case),
                                            float(case.get("time") or 0),
                                            case.findtext("system-out") or "")
            for case in root.iter("testcase")}


def read_folder(folder):
    """The cases of a build folder, and the names of those that ran twice."""
    folder = pathlib.Path(folder)
    cases = read_cases(folder / "junit.xml", folder.name)
    if cases is None:
        name = f"all tests of {folder}"
        return {name: Case(name, "failed", 0, "")}, []
    again = read_cases(folder / "junit.again.xml", folder.name) or {}
    # What a retried test needs runs twice as well, without a failure.
    retried = [name for name in again if cases[name].result == "failed"]
    return {**cases, **again}, retried


def reasons_of(case):
    """Why this test, or a part of it, was skipped."""
    lines = [line.strip() for line in case.output.splitlines() if line.strip()]
    reasons = [line.removeprefix("skipped: ") for line in lines if line.startswith("skipped: ")]
    if not reasons and case.result == "skipped":
        reasons = [lines[-1] if lines else "no reason given"]
    return {"no ../shared (data of others)" if re.search(r"\bshared(/|$)", reason) else reason
            for reason in reasons}


def print_phases(path):
    """The last phase is over now."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    begins, names = zip(*(line.split(" ", 1) for line in lines))
    begins = [int(begin) for begin in begins] + [int(time.time())]
    print("== where the time went")
    for name, begin, end in zip(names, begins, begins[1:]):
        print(f"{end - begin:8} s  {name}")
    print(f"{begins[-1] - begins[0]:8} s  all")


def print_groups(cases):
    """Tests run beside each other: the sums are more than the time that passed."""
    seconds, numbers = collections.Counter(), collections.Counter()
    for case in cases:
        group, _, rest = case.name.partition(".")
        group += " (asan)" if rest.endswith(" (asan)") else ""
        seconds[group] += case.seconds
        numbers[group] += 1
    print("== sums of the times of tests")
    for group, sum_of_group in seconds.most_common():
        print(f"{sum_of_group:8.1f} s  {group}: {numbers[group]} tests")


def print_slowest(cases):
    print(f"== the {NUM_SLOWEST} slowest tests")
    for case in sorted(cases, key=lambda case: -case.seconds)[:NUM_SLOWEST]:
        print(f"{case.seconds:8.1f} s  {case.name}")


def print_skipped(cases):
    by_reason = collections.defaultdict(list)
    for case in cases:
        for reason in reasons_of(case):
            by_reason[reason].append(case.name + ("" if case.result == "skipped" else " (in part)"))
    for reason, names in by_reason.items():
        print(f"skipped, {reason}: {', '.join(names)}")


def main():
    cases, retried = {}, []
    for folder in sys.argv[2:]:
        more, more_retried = read_folder(folder)
        cases.update(more)
        retried += more_retried
    too_many = len(retried) > MAX_RETRIED
    results = {case.name: "failed" if too_many and case.name in retried else case.result
               for case in cases.values()}
    print_phases(sys.argv[1])
    print_groups(cases.values())
    print_slowest(cases.values())
    print_skipped(cases.values())
    failed = [name for name, result in results.items() if result == "failed"]
    if failed:
        print("failed:", ", ".join(failed))
    if too_many:
        print(f"more than {MAX_RETRIED} tests were retried: they count as failed")
    print("retried:", ", ".join(retried) or "none")
    counts = collections.Counter(results.values())
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
