# SPDX-License-Identifier: Apache-2.0
"""A report of a store is that of the recordings in it, line by line: of programs in C and in Python, of
several events, and of a recording that is spread over many windows.

stored_reports.py WPERF FOLDER
"""
import sys

from recorder import Recorder, clock_event, run, run_tests

PROGRAM = """
#include <time.h>
KEEP void leaf(long part) { SPIN(part); }
KEEP void first(long part) { leaf(2 * part); __asm__ volatile(""); }
KEEP void second(long part) { leaf(part); SPIN(part); }
int main(void) {
	unsigned seed = 1;
	UNTIL(700) {
		first(PART(seed));
		second(PART(seed));
	}
	return 0;
}
"""
SCRIPT = """
import time

def squares(n):
    return sum(i * i for i in range(n))

def texts(n):
    return [str(i) for i in range(n)]

while time.process_time() < 0.8:
    squares(500)
    texts(500)
time.sleep(0.1)
"""

# What a store keeps: not threads and CPUs.
VIEWS = [(), ("--sort", "line"), ("--sort", "module"), ("--sort", "address"), ("--sort", "dso,sym"),
         ("--sort", "srcline"), ("--children",), ("--idle",), ("--python", "only"), ("--python", "native"),
         ("--tree", "down"), ("--tree", "up"), ("--module", "lib*")]
PYTHON_VIEWS = [("--sort", "python-line"), ("--sort", "python-function"), ("--sort", "python-file")]


def report(recorder, *words):
    """Without how Python's stacks were collected, which is not kept."""
    lines = run([recorder.wperf, "report", "--wide", "--sample-display-row", 0, *words], None).stdout.splitlines()
    return [line for line in lines if not line.startswith("Python stacks: ")]


def put(recorder, store, recording, *words):
    return run([recorder.wperf, "store", "put", store, recording, "--service", "shop", *words]).stdout


def check(recorder, recording, views, *words):
    store = recorder.path("fleet.db")
    for path in recorder.folder.glob("fleet.db*"):
        path.unlink()
    put(recorder, store, recording, *words)
    num_lines = 0
    for view in views:
        wanted, found = report(recorder, "-i", recording, *view), report(recorder, "--from", store, *view)
        assert len(wanted) > 3, (view, wanted)
        # Rows with the same share may be in another order.
        assert sorted(found) == sorted(wanted), "\n".join([str(view), *set(found) ^ set(wanted)])
        num_lines += len(found)
    return f"{num_lines} lines"


def test_native_program(recorder):
    program = recorder.compile("prog", PROGRAM, "-O1", "-g", "-fno-omit-frame-pointer")
    path = recorder.path("native.data")
    run([recorder.wperf, "record", "-q", "-g", *clock_event(2000), "-e", "page-faults:1", "-o", path, "--", program])
    return check(recorder, path, VIEWS)


def test_python_program(recorder):
    script, path = recorder.path("job.py"), recorder.path("python.data")
    script.write_text(SCRIPT)
    run([recorder.wperf, "record", "-q", "-g", *clock_event(2000), "--off-cpu", "-o", path, "--",
         "/usr/bin/python3", script])
    return check(recorder, path, VIEWS + PYTHON_VIEWS, "--window", "1")


def test_whole_system_with_idle_cpus(recorder):
    path = recorder.path("system.data")
    run([recorder.wperf, "record", "-q", "-g", "-a", *clock_event(500), "-o", path, "--timeout", 1])
    return check(recorder, path, [(), ("--idle",), ("--tree", "up")])


def test_two_recordings_are_the_sum(recorder):
    """Put twice and in two orders, they are what both reports say together."""
    program, store = recorder.path("prog"), recorder.path("fleet.db")
    paths = [recorder.path("one.data"), recorder.path("two.data")]
    for path in paths:
        run([recorder.wperf, "record", "-q", "-g", *clock_event(1000), "-o", path, "--", program])
    for old in recorder.folder.glob("fleet.db*"):
        old.unlink()
    for path in (*paths, *reversed(paths)):
        put(recorder, store, path)
    sums = {}
    for path in paths:
        for row in recorder.report(path):
            key = row["module"], row["symbol"]
            sums[key] = sums.get(key, 0) + int(row["samples"].replace(",", ""))
    found = {(row["module"], row["symbol"]): int(row["samples"].replace(",", ""))
             for row in recorder.report("--from", store)}
    assert found == sums, set(found.items()) ^ set(sums.items())
    return f"{sum(sums.values())} samples"


def main():
    run_tests([test_native_program, test_python_program, test_whole_system_with_idle_cpus,
               test_two_recordings_are_the_sum], Recorder(sys.argv[1], sys.argv[2]))


main()
