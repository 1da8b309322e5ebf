# SPDX-License-Identifier: Apache-2.0
"""In a container that forbids the kernel's events, the module samples on a timer, and says so.
Usage: forbidden_events.py VENV"""
import os
import pathlib
import subprocess
import sys

from installed import package_of

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "live"))
import python_truth  # noqa: E402 # of the live tests

PROGRAM = """
import time, wperf
def hot(end):
    while time.thread_time() < end:
        sum(range(2000))
with wperf.record() as recording:
    hot(time.thread_time() + 1)
row = recording.profile.hot_functions(1)[0]
print(row.label, row.percent > 90, row.samples > 300)
print(recording.profile.notes)
try:
    wperf.record(events="page-faults").start()
except wperf.Error as error:
    print(error.message)
"""

packages = package_of(sys.argv[1]).parent
done = subprocess.run([*python_truth.without(python_truth.PERF_EVENT_OPEN), python_truth.PYTHON, "-c", PROGRAM],
                      check=False, capture_output=True, text=True, timeout=100,
                      env={**os.environ, "PYTHONPATH": str(packages)})
assert done.returncode == 0, done
assert "hot True True" in done.stdout and "sampled on a timer" in done.stdout, done.stdout
assert "'page-faults'" in done.stdout.rstrip().splitlines()[-1], done.stdout
