# SPDX-License-Identifier: Apache-2.0
"""What tests of the agent share: a program to sample, and agents."""
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from waiting import find_faketime, wait_until  # noqa: E402,F401 (of tests/live)

PYTHON = "/usr/bin/python3"
SOURCE = """def spin(rounds):
    total = 0
    for number in range(rounds):
        total += number * number
    return total
while True:
    spin(5000)
"""
HOT_LINES = {"3", "4"}
# On a crowded machine a window of a second has no sample else.
FIRST = ["nice", "-n", "-10"] if os.geteuid() == 0 else []


class Program:
    """A Python program whose hot lines are known: `with Program(folder) as program`."""

    def __init__(self, folder, name="spinning.py"):
        self.path = pathlib.Path(folder, name)
        self.path.write_text(SOURCE, encoding="utf-8")

    def __enter__(self):
        self.child = subprocess.Popen([*FIRST, PYTHON, "-S", self.path])
        self.pid = str(self.child.pid)
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()


def run_agent(wperf, *words, code=0, timeout=120, environment=None):
    """Until it ends by itself. Returns what it wrote to standard error."""
    done = subprocess.run([*FIRST, wperf, "agent", *map(str, words)], capture_output=True, text=True,
                          timeout=timeout, check=False, env={**os.environ, **(environment or {})})
    assert done.returncode == code and not done.stdout, done
    return done.stderr


class Agent:
    """One that goes on: `with Agent(...) as agent`. Its notes are in a file."""

    def __init__(self, wperf, folder, *words, environment=None):
        self.environment = {**os.environ, **(environment or {})}
        self.words = [*FIRST, wperf, "agent", *map(str, words)]
        self.notes_path = pathlib.Path(folder, "notes")

    def __enter__(self):
        with open(self.notes_path, "w", encoding="utf-8") as notes:
            self.child = subprocess.Popen(self.words, stderr=notes, env=self.environment)
        return self

    def __exit__(self, *_):
        self.child.kill()
        self.child.wait()

    def notes(self):
        return self.notes_path.read_text(encoding="utf-8")

    def stop(self, signal, code=0):
        self.child.send_signal(signal)
        assert self.child.wait(timeout=60) == code, self.notes()


def waiting_files(spool):
    return sorted(pathlib.Path(spool).glob("*.otlp.gz"))


def run_checks(checks):
    """Each of them by itself; says which one failed."""
    for check in checks:
        try:
            check()
        except BaseException:
            print("failed:", check.func.__name__, flush=True)
            raise
    return 0


def skip_without_sampling(wperf, folder):
    done = subprocess.run([wperf, "agent", "--once", "--window", "1", "--spool",
                           pathlib.Path(folder, "probe")], capture_output=True, text=True,
                          timeout=60, check=False)
    if done.returncode and "perf_event_paranoid" in done.stderr:
        print("skipped: no sampling of the system here:", done.stderr)
        sys.exit(77)
    assert done.returncode == 0, done.stderr
