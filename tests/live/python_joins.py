# SPDX-License-Identifier: Apache-2.0
"""With -g, calls from native code into Python are found on the native stack, without --stack-size.

python_joins.py WPERF FOLDER
"""
import os
import re
import sys

import chance
import pythons
from recorder import Recorder, clock_event, run, run_tests, stretch

# Twenty calls of Python through C functions take some 12 KB of stack in 3.11 and 3.12.
PROGRAM = """
import time
def work(rounds):
    total = 0
    for i in range(rounds): total += i % 7
    return total
def through_c(depth):
    if depth == 0: return work(2000)
    return max(map(lambda unused: through_c(depth - 1), (1,)))
until = time.perf_counter() + SECONDS
while time.perf_counter() < until:
    for depth in (0, 5, 20): through_c(depth)
"""


def lost_joins(recorder, python, *options):
    program = recorder.path("joins.py")
    program.write_text(PROGRAM.replace("SECONDS", str(stretch())))
    done = run([recorder.wperf, "record", "-g", *clock_event(999), *options, "--save",
                recorder.path("live.data"), "--", python, program])
    found = re.search(r"not found in the native stack: (\d+) of (\d+)", done.stderr)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def joins(recorder):
    if os.geteuid():
        return "needs root: others read frames of Python a moment after the sample"
    report = []
    # 3.8 has a C frame for each call, 3.11 tells where its C frames are, 3.12 and newer otherwise.
    chosen = {minor: python for python, minor in pythons.find_all() if minor in (8, 11, 13)}
    for minor, python in chosen.items():
        small, of_small = lost_joins(recorder, python, "--stack-size", 4096)
        assert small > 20, f"3.{minor}: the program shows nothing: {small} of {of_small}"
        lost, of_all = lost_joins(recorder, python)
        chance.check_at_most(lost, of_all, 0.01, f"3.{minor}: lost joins")
        report.append(f"3.{minor}: {small} of {of_small} with 4096 bytes, {lost} without")
    return "; ".join(report)


def main():
    recorder = Recorder(*sys.argv[1:])
    run_tests((joins,), recorder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
