# SPDX-License-Identifier: Apache-2.0
"""`stat` agrees with `perf stat`, run beside it on the same program, within the noise of runs."""
import json
import shutil
import subprocess
import sys

EVENTS = "task-clock,page-faults,context-switches"
# A program that does a known amount: page faults by touching memory, CPU time by a loop.
PROGRAM = ["/usr/bin/python3", "-S", "-c",
           "b = bytearray(8 << 20); s = sum(range(300000)); import time; time.sleep(0.01)"]
RUNS = 7


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def by_wperf(wperf, words):
    done = subprocess.run([wperf, "stat", "--json", "-e", EVENTS, *words], capture_output=True,
                          check=True)
    rows = json.loads(done.stdout)["processes"][0]["Performance_counter"]
    return {row["event_name"]: row["counter_value"] for row in rows}


def by_perf(words):
    done = subprocess.run(["perf", "stat", "-x", ";", "-e", EVENTS, *words], capture_output=True,
                          check=True, text=True)
    rows = [line.split(";") for line in done.stderr.splitlines() if line.count(";") > 3]
    return {row[2].split(":")[0]: float(row[0]) for row in rows}


def compare(name, ours, theirs, tolerance):
    difference = abs(ours - theirs) / max(theirs, 1)
    print(f"{name:18} wperf {ours:12.2f}   perf {theirs:12.2f}   {difference:6.1%}")
    assert difference <= tolerance, f"{name} differs by more than {tolerance:.0%}"


def main():
    wperf = sys.argv[1]
    if not shutil.which("perf"):
        print("skipped: no perf to compare with")
        return 77
    ours, theirs = [], []
    for _ in range(RUNS):  # in turns, so that what disturbs one disturbs the other
        ours.append(by_wperf(wperf, ["--", *PROGRAM]))
        theirs.append(by_perf(["--", *PROGRAM]))
    # A loop's time varies with the neighbours of the machine, faults hardly at all.
    for name, tolerance in (("page-faults", 0.03), ("task-clock", 0.4)):
        compare(name, median(run[name] for run in ours), median(run[name] for run in theirs),
                tolerance)
    assert median(run["context-switches"] for run in ours) >= 1  # it sleeps once
    return 0


if __name__ == "__main__":
    sys.exit(main())
