# SPDX-License-Identifier: Apache-2.0
"""Sampling of what runs already: everything, one core, processes by name or number.

system_wide.py WPERF FOLDER
"""
import os
import subprocess
import sys
import time

import chance
from recorder import Recorder, clock_event, number, run, run_tests, sampling_rate, stretch

RATE = 2000
PROGRAM = """
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
KEEP void own_work(void) { SPIN(100000); }
KEEP void work_of_child(void) { SPIN(100000); }
int main(int argc, char **argv) {
	UNTIL(atoi(argv[1])) own_work();
	if (argc > 2 && fork() == 0) { UNTIL(atoi(argv[2])) work_of_child(); _exit(0); }
	wait(0);
	return 0;
}
"""


class Target:
    """The program, running in the background on all cores or on one."""

    def __init__(self, recorder, *arguments, core=None):
        words = [str(recorder.path("watched")), *map(str, arguments)]
        pin = None if core is None else lambda: os.sched_setaffinity(0, {core})
        self.process = subprocess.Popen(words, preexec_fn=pin)

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def sample(recorder, *options, command="sample", code=0):
    """Samples of a recording, from the file; and wperf's own words."""
    path = recorder.path("wide.data")
    path.unlink(missing_ok=True)
    done = run([recorder.wperf, command, *clock_event(RATE), "--save", path, *options], code)
    return recorder.samples(path), done.stdout


def check_watched(samples):
    """How many there are is the choice of the system, which may have other work."""
    mine = [found for found in samples if "own_work" in found.names()]
    assert len(mine) >= 20, (len(mine), len(samples))
    return mine


def everything(recorder):
    """Of a second, with all of its processes, as many as there are ticks for what is busy."""
    with Target(recorder, 20000, core=0) as process:
        samples, words = sample(recorder, "-a", "-g", "--timeout", 1)
        mine = check_watched(samples)
        assert {(found.pid, found.thread) for found in mine} == {(process.pid, "watched")}
        assert "own_work" in words
        whole = [found for found in mine
                 if found.names()[found.names().index("own_work"):][1:2] == ["main"]]
        chance.check_at_least(len(whole), len(mine), 0.99)
        by_record, _ = sample(recorder, "-a", "--timeout", 0.5, command="record")
        check_watched(by_record)
        # perf counts what a task had of the core.
        assert {found.cpu for found in mine} == {0}
    return f"{len(samples)} samples, {len(mine)} of the program"


def program_by_name(recorder):
    with Target(recorder, 20000) as first, Target(recorder, 20000) as second:
        for option in ("--image_name", "watched"), ("--pe_file", recorder.path("watched")):
            samples, words = sample(recorder, *option, "--timeout", 0.5)
            mine = check_watched(samples)
            chance.check_at_least(len(mine), len(samples), 0.8)
            assert {found.pid for found in samples} == {first.pid, second.pid}
            assert "own_work" in words


def process_with_children(recorder):
    """What it starts meanwhile is sampled, too."""
    with Target(recorder, 400, 400) as process:
        samples, _ = sample(recorder, "-p", process.pid, "-g")
    pids = {"own_work": set(), "work_of_child": set()}
    for found in samples:
        for name in set(found.names()) & set(pids):
            pids[name].add(found.pid)
    assert pids["own_work"] == {process.pid}, pids
    assert len(pids["work_of_child"]) == 1 and pids["work_of_child"] != pids["own_work"], pids


def several_processes(recorder):
    """Ends when all of them have."""
    with Target(recorder, 300) as first, Target(recorder, 600) as second:
        begin = time.monotonic()
        samples, _ = sample(recorder, "-p", f"{first.pid},{second.pid}")
        assert second.poll() is None or second.returncode == 0
        seconds = time.monotonic() - begin
    counts = [sum(found.pid == process.pid for found in samples) for process in (first, second)]
    # The second one takes twice the CPU time, the first may be sampled for less than all of its own.
    assert min(counts) > 0.3 * stretch() * sampling_rate(RATE) / 4, counts
    chance.check_at_least(counts[1], sum(counts), 0.6, counts)
    assert seconds < 20 * stretch(), seconds


def one_core(recorder):
    """The program of record stays on its core, and all of it is sampled."""
    core = max(os.sched_getaffinity(0))
    samples, _ = sample(recorder, "-c", core, "--", recorder.path("watched"), 400, 200,
                        command="record")
    assert {found.cpu for found in samples} == {core}
    expected = 0.6 * stretch() * sampling_rate(RATE)
    assert 0.5 * expected < len(samples) < 1.2 * expected + 50, (len(samples), expected)
    if core == 0:
        return "skipped in part: one core"
    with Target(recorder, 20000, core=core), Target(recorder, 20000, core=0) as other:
        samples, _ = sample(recorder, "-c", core, "--timeout", 0.5)
        assert {found.cpu for found in samples} == {core}
        assert other.pid not in {found.pid for found in samples}
        check_watched(samples)
    return None


def rows_by_core_and_process(recorder):
    with Target(recorder, 20000, core=0) as process:
        sample(recorder, "-p", process.pid, "--timeout", 0.5)
    path = recorder.path("wide.data")
    by_cpu = recorder.report(path, "--sort", "cpu")
    assert len(by_cpu) == 1 and "0" in by_cpu[0]["cpu"], by_cpu
    by_process = recorder.report(path, "--sort", "process")
    assert len(by_process) == 1 and "watched" in by_process[0]["process"], by_process
    assert number(by_process[0]["samples"]) == number(by_cpu[0]["samples"])


def main():
    recorder = Recorder(*sys.argv[1:])
    recorder.compile("watched", PROGRAM, "-O2", "-g")
    if os.geteuid():
        print("skipped: only root may sample everything")
        return 77
    run_tests((everything, program_by_name, process_with_children, several_processes, one_core,
               rows_by_core_and_process), recorder)
    print(f"{recorder.num_samples} samples of what ran already")
    return 0


if __name__ == "__main__":
    sys.exit(main())
