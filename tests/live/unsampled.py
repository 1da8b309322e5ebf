# SPDX-License-Identifier: Apache-2.0
"""What a recording lacks is reported: processes too short for a sample, and programs with other
rights, which Linux does not sample.

unsampled.py WPERF FOLDER
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

from recorder import Recorder, number, run, run_tests

# Rarely enough that no child is sampled by its CPU time: a period is 10 ms.
EVENT = ("-e", "cpu-clock", "-F", "100")
FORKS = """
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* CHILDREN, microseconds of CPU time of each, milliseconds of its own */
int main(int argc, char **argv) {
	for (int i = 0; i < atoi(argv[1]); i++) {
		if (fork() == 0) {
			clock_t until = clock() + atoi(argv[2]);
			while (clock() < until) SPIN(1000);
			_exit(0);
		}
		wait(0);
	}
	UNTIL(atoi(argv[3])) SPIN(1000);
	return 0;
}
"""
BURN = """
#include <time.h>
int main(void) { UNTIL(50) SPIN(1000); return 0; }
"""
SHORT = re.compile(r"^note: ([\d,]+) of ([\d,]+) processes ended without a sample; together they used at most "
                   r"(\d+\.\d+) s of CPU time \((\d+) % of the recording's\); ", re.M)
STOPPED = re.compile(r"^note: Linux stopped sampling at the start of '(.*)': its rights are more than", re.M)
NOBODY = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--clear-groups")
AS_USER = NOBODY if os.getuid() == 0 else ()


def record(recorder, *command, options=(), user=()):
    return run([*user, recorder.wperf, "record", *EVENT, *options, "--", *command], cwd=recorder.folder)


def short_processes_are_counted(recorder):
    program = recorder.compile("forks", FORKS, "-O2")
    done = record(recorder, program, 300, 500, 0)
    said = SHORT.search(done.stderr)
    assert said, done.stderr
    without, ended, seconds, percent = number(said[1]), number(said[2]), float(said[3]), number(said[4])
    assert ended == 300 and without >= 200, said[0]
    # They used half a millisecond each, and what it costs to begin and to end.
    assert seconds >= without * 0.0005 and 20 <= percent <= 100, said[0]
    found = json.loads(record(recorder, program, 300, 500, 0, options=["--json"]).stdout)["unsampled_processes"]
    assert found["ended"] == 300 and found["ended_without_samples"] >= 200, found
    assert found["event"] == "cpu-clock", found
    assert 0.1e9 <= found["events_without_samples_at_most"] <= found["events"], found
    return said[0]


def few_or_cheap_processes_are_no_news(recorder):
    program = recorder.compile("forks", FORKS, "-O2")
    for command in ((program, 5, 500, 0), (program, 12, 0, 1500)):
        done = record(recorder, *command, options=["--json"])
        assert "without a sample" not in done.stderr, done.stderr
        assert "unsampled_processes" not in json.loads(done.stdout), done.stdout


def time_in_the_kernel_is_not_theirs(recorder):
    """Ordinary users have samples of user code only, but Linux counts all of a program's time."""
    script = "for i in $(seq 30); do sleep 0.05; done; dd if=/dev/zero of=/dev/null bs=1 count=2000000"
    done = record(recorder, "sh", "-c", script, user=AS_USER)
    said = SHORT.search(done.stderr)
    assert not said or float(said[3]) <= 0.3, said[0]  # dd and the waits took much more


def programs_with_other_rights(recorder):
    """A normal one is sampled; one that may not be read is not, and as root's test one of root's. It
    does not help that root runs wperf."""
    shutil.rmtree(recorder.path("rights"), ignore_errors=True)
    recorder.path("rights").mkdir()
    burn = recorder.compile("burn", BURN, "-O2")
    modes = {"readable": 0o755, "unreadable": 0o111}
    if os.getuid() == 0:
        recorder.folder.chmod(0o755)
        modes["setuid"] = 0o4755
    for name, mode in modes.items():
        program = recorder.path("rights") / name
        shutil.copy(burn, program)
        program.chmod(mode)
        for command, user in (((program,), AS_USER), (("sh", "-c", f"{program}; true"), AS_USER),
                              ((*AS_USER, "env", program), ())):  # setpriv has capabilities until its exec
            done = record(recorder, *command, user=user, options=["--json"])
            said, found = STOPPED.search(done.stderr), json.loads(done.stdout)
            if name == "readable":
                assert not said and "unsampled_processes" not in found, (command, done.stderr)
                continue
            assert said and said[1] == name, (command, done.stderr)
            assert found["unsampled_processes"]["stopped_at_exec"] == [name], (command, found)


def a_process_that_only_waits_for_its_children(recorder):
    """Those that ran before are not sampled with it: a hint says so."""
    master = subprocess.Popen(["sh", "-c", "while :; do :; done & echo $!; wait"], stdout=subprocess.PIPE, text=True)
    worker = master.stdout.readline().strip()
    try:
        for pid, hints in ((master.pid, True), (worker, False)):
            done = run([recorder.wperf, "record", *EVENT, "--timeout", "0.5", "-p", pid], cwd=recorder.folder)
            assert ("name those that run already with -p" in done.stderr) == hints, (pid, done.stderr)
    finally:
        for pid in (int(worker), master.pid):
            os.kill(pid, signal.SIGKILL)
        master.wait()
        master.stdout.close()


if __name__ == "__main__":
    run_tests([short_processes_are_counted, few_or_cheap_processes_are_no_news,
               time_in_the_kernel_is_not_theirs, programs_with_other_rights,
               a_process_that_only_waits_for_its_children], Recorder(sys.argv[1], sys.argv[2]))
