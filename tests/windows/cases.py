# SPDX-License-Identifier: Apache-2.0
"""The cases of tests/cli with wperf.exe under Wine. Usage: cases.py WPERF_EXE PREFIX CASE..."""
import concurrent.futures
import os
import pathlib
import sys

import wine

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "cli"))
import run_case  # noqa: E402 -- its folder has just become known

NUM_AT_A_TIME = 4  # most of the time of a small program is waiting for Wine
# Wine now and then fails to start a program: exit code 1 and not a word, seen once in some 10,000 starts
# on a busy machine. wperf itself never ends so: its errors have words.
MOST_LOST_STARTS = 2

exe, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
wine.need(exe)
wine.use(prefix)


lost_starts = []


def start(words, **keywords):
    done = run_case.start(words, **keywords)
    if done.returncode != 1 or done.stdout or done.stderr:
        return done
    lost_starts.append(words)
    return done if len(lost_starts) > MOST_LOST_STARTS else run_case.start(words, **keywords)


def run(path):
    return run_case.run_case(path, [wine.PROGRAM, exe], "windows", start_program=start)


cases = [case for case in sys.argv[3:] if not run_case.lacks_shared(case)]
with concurrent.futures.ThreadPoolExecutor(NUM_AT_A_TIME) as pool:
    results = list(pool.map(run, cases))
failures = [failure for failure, _, _ in results if failure]
print(*failures, sep="\n")
print(f"{len(results)} cases: {sum(ran for _, ran, _ in results)} commands ran on Windows, "
      f"{sum(left_out for _, _, left_out in results)} are Linux's alone, "
      f"{len(lost_starts)} did not start at first")
sys.exit(1 if failures else 0)
