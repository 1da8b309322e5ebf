# SPDX-License-Identifier: Apache-2.0
"""A command beside -p or -a says for how long processes are measured; it is not measured itself.

The program that is measured sums in a loop for as long as it may; the command sleeps.
"""
import json
import subprocess
import sys

BUSY = "print(flush=True)\nwhile True: pass"
CLOCKS = ("sleep", "dash", "bash", "sh")  # what runs the commands
SKIPPED = 77


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
        done = run(wperf, "record", "-p", str(pid), "-e", "cpu-clock", "--python", "native",
                   "--json", *command)
        assert done.returncode == 0, done.stderr
        events = json.loads(done.stdout)["sampling"]["events"]
        modules = {row["symbol"].rsplit(":", 1)[-1] for event in events for row in event["samples"]}
        assert any("python" in name for name in modules), modules
        assert not modules.intersection(CLOCKS), modules


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
        finally:
            busy.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
