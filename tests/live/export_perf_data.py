# SPDX-License-Identifier: Apache-2.0
"""`export --format perf`: a copy of a recording has the same report, also without the program.

export_perf_data.py WPERF FOLDER
"""
import sys

from recorder import Recorder, clock_event, run, run_tests

PROGRAM = """
#include <time.h>
KEEP void inner(void) { SPIN(2000); }
KEEP void outer(void) { inner(); __asm__ volatile(""); }
int main() {
	UNTIL(200) outer();
	nanosleep(&(struct timespec){.tv_nsec = 50000000}, 0);
	return 0;
}
"""


def report(recorder, path, *words):
    text = run([recorder.wperf, "report", "-i", path, *words]).stdout
    return text.replace(str(path), "RECORDING")


def same_reports(recorder, original):
    """The copy loses its program, and has to know all names by itself."""
    copy = recorder.path(original.name + ".copy")
    copy.unlink(missing_ok=True)
    expected = [report(recorder, original, *words) for words in ((), ("--json",), ("--children",))]
    run([recorder.wperf, "export", "--format", "perf", "-i", original, "-o", copy])
    program = recorder.path("waiter")
    hidden = program.rename(recorder.path("hidden"))
    try:
        assert expected == [report(recorder, copy, *words)
                            for words in ((), ("--json",), ("--children",))]
    finally:
        hidden.rename(program)
    assert "inner" in expected[0]
    return copy


def waiter(recorder):
    if not recorder.path("waiter").exists():
        recorder.compile("waiter", PROGRAM, "-O1", "-g", "-fno-omit-frame-pointer")
    return recorder.path("waiter")


def test_own_recording(recorder):
    path = recorder.path("own.data")
    run([recorder.wperf, "record", "-q", "-g", "--off-cpu", *clock_event(), "-o", path, "--",
         waiter(recorder)])
    copy = same_reports(recorder, path)
    assert "off-cpu" in run([recorder.wperf, "evlist", "-i", copy]).stdout


def test_unwound_recording_of_perf(recorder):
    """Samples with registers and copies of the stack become chains, which perf reads."""
    path = recorder.path("dwarf.data")
    run(["perf", "record", "-q", "--call-graph", "dwarf", *clock_event(2000), "-o", path,
         waiter(recorder)])
    copy = same_reports(recorder, path)
    stacks = run(["perf", "script", "-F", "comm,ip,sym", "-i", copy]).stdout
    assert "waiter" in stacks and "inner" in stacks
    assert copy.stat().st_size < path.stat().st_size / 4


def test_parts_are_refused(recorder):
    path = recorder.path("own.data")
    failed = run([recorder.wperf, "export", "--format", "perf", "-i", path, "--time", "1,2", "-o",
                  recorder.path("part.data")], code=None)
    assert failed.returncode == 2 and "whole recording" in failed.stderr
    assert not recorder.path("part.data").exists()


if __name__ == "__main__":
    run_tests([test_own_recording, test_unwound_recording_of_perf, test_parts_are_refused],
              Recorder(sys.argv[1], sys.argv[2]))
