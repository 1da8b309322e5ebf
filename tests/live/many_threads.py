# SPDX-License-Identifier: Apache-2.0
"""Processes with many threads: wperf does not wait behind them for a core.

many_threads.py WPERF FOLDER
"""
import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import waiting
from recorder import Recorder, run_tests

THREADS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *sleeper(void *none)
{
	pause();
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 1; i < atoi(argv[1]); i++)
		pthread_create(&(pthread_t){0}, &small, sleeper, NULL);
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
"""
MANY, FEW = 400, 100  # threads
MOST_URGENT, USUAL = -20, 0


@contextlib.contextmanager
def threads(recorder, number):
    program = recorder.compile("threads", THREADS, "-O2", "-pthread")
    with subprocess.Popen([program, str(number)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


def niceness(pid):
    """Of its first thread."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return int(text.rpartition(")")[2].split()[16])


def check_order(recorder, command, number, expected):
    """Before, while and behind it samples or counts; what it starts has the usual order."""
    with threads(recorder, number) as target:
        words = [recorder.wperf, *command, "-p", str(target.pid), "--", "sleep", "60"]
        with subprocess.Popen(words, cwd=recorder.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as wperf:
            clock = waiting.wait_for_child(wperf.pid)
            waiting.wait_for_program(clock, "sleep")
            found = niceness(wperf.pid), niceness(clock)
            wperf.send_signal(signal.SIGINT)
            out, err = wperf.communicate(timeout=30)
    assert found == (expected, USUAL), (command, number, found)
    assert wperf.returncode == 0 and "seconds time elapsed" in out, (out, err)


def root_does_not_wait_behind_crowds(recorder):
    if os.getuid() != 0 or os.nice(0) != USUAL:
        return "not root, or with another order"
    for command in (["record", "-e", "cpu-clock"], ["stat", "-e", "task-clock"]):
        check_order(recorder, command, MANY, MOST_URGENT)
        check_order(recorder, command, FEW, USUAL)
    return None


if __name__ == "__main__":
    run_tests([root_does_not_wait_behind_crowds], Recorder(sys.argv[1], sys.argv[2]))
