# SPDX-License-Identifier: Apache-2.0
"""A command beside -p or -a says for how long processes are measured; it is not measured itself.

The program that is measured sums in a loop for as long as it may; the command sleeps.
"""
import json
import subprocess
import sys
import time

BUSY = "print(flush=True)\nwhile True: pass"
CLOCKS = ("sleep", "dash", "bash", "sh")  # what runs the commands
SKIPPED = 77
RECORD = ("record", "-F", "99")  # which also kernels allow that have lowered their highest rate
LONG_S = 50  # of a clock that should be ended early


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def counted_ms(wperf, pid, *command):
    done = run(wperf, "stat", "-e", "task-clock", "--json", "-p", str(pid), *command)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["processes"][0]["Performance_counter"][0]["counter_value"]


def check_stat(wperf, pid):
    for command in (["--", "sh", "-c", "sleep 0.3; exit 0"], ["sh", "-c", "sleep 0.3"]):
        busy_ms = counted_ms(wperf, pid, *command)
        assert busy_ms > 30, (command, busy_ms)  # of 300, also where others run
    done = run(wperf, "stat", "-e", "task-clock", "-p", str(pid), "--", "sh", "-c", "exit 7")
    assert done.returncode == 7, done
    assert "seconds time elapsed" in done.stdout, done.stdout
    assert "seconds user" not in done.stdout, done.stdout  # those would be the command's


def check_record(wperf, pid):
    for command in (["--", "sleep", "0.3"], ["sh", "-c", "sleep 0.3"]):
        done = run(wperf, *RECORD, "-p", str(pid), "-e", "cpu-clock", "--python", "native", "--json",
                   *command)
        assert done.returncode == 0, done.stderr
        events = json.loads(done.stdout)["sampling"]["events"]
        modules = {row["symbol"].rsplit(":", 1)[-1] for event in events for row in event["samples"]}
        assert any("python" in name for name in modules), modules
        assert not modules.intersection(CLOCKS), modules


def gone_pid():
    """That of a process which has ended and was waited for."""
    with subprocess.Popen(["true"]) as process:
        process.wait()
        return process.pid


def check_missing_target(wperf, pid):
    """Refused before the clock starts, also if only one of the targets is missing."""
    gone = str(gone_pid())
    for command in (("stat",), RECORD):
        for pids in (gone, f"{pid},{gone}"):
            done = run(wperf, *command, "-e", "task-clock", "-p", pids, "--", "echo", "started")
            expected = (f"cannot watch process {gone}: No such process\n"
                        "hint: give the ID of a running process; in a container, as ps shows it there\n")
            assert done.returncode == 1 and done.stderr.endswith(expected), done
            assert "started" not in done.stdout, done


def check_target_that_ends_first(wperf):
    """The run ends with its target, as without a clock, and ends the clock."""
    for command in (("stat",), RECORD):
        with subprocess.Popen(["sleep", "1"]) as target:
            began = time.monotonic()
            done = run(wperf, *command, "-e", "task-clock", "-p", str(target.pid), "--", "sleep",
                       str(LONG_S))
            took = time.monotonic() - began
        assert done.returncode == 0 and took < LONG_S / 2, (took, done)


def main():
    wperf = sys.argv[1]
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE) as busy:
        try:
            busy.stdout.readline()  # it has begun
            done = run(wperf, "stat", "-q", "-e", "task-clock", "-p", str(busy.pid), "--", "true")
            if done.returncode:
                print("not allowed to measure processes here: " + done.stderr)
                return SKIPPED
            check_stat(wperf, busy.pid)
            check_record(wperf, busy.pid)
            check_missing_target(wperf, busy.pid)
            check_target_that_ends_first(wperf)
        finally:
            busy.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
