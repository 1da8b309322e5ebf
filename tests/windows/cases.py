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

exe, prefix = os.path.abspath(sys.argv[1]), sys.argv[2]
wine.need(exe)
wine.use(prefix)


def run(path):
    return run_case.run_case(path, [wine.PROGRAM, exe], "windows")


cases = [case for case in sys.argv[3:] if not run_case.lacks_shared(case)]
with concurrent.futures.ThreadPoolExecutor(NUM_AT_A_TIME) as pool:
    results = list(pool.map(run, cases))
failures = [failure for failure, _, _ in results if failure]
print(*failures, sep="\n")
print(f"{len(results)} cases: {sum(ran for _, ran, _ in results)} commands ran on Windows, "
      f"{sum(left_out for _, _, left_out in results)} are Linux's alone")
sys.exit(1 if failures else 0)
