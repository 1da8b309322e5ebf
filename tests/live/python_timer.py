# SPDX-License-Identifier: Apache-2.0
"""Lines of Python where the kernel's events are forbidden: by a timer of wperf's own.

python_timer.py WPERF
"""
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile

import waiting
from python_truth import (FLUTTER, PARTS, PERF_EVENT_OPEN, PROCESS_VM_READV, PYTHON, as_nobody,
                          check_flutter, check_shares, detected, figures, record, run, without)
from recorder import run_tests

SKIPPED = 77
LATE_SKEW = 0.04  # of stacks that are read after a look at their thread
SECONDS = 1.5  # of CPU for each part whose time is compared
AT_ENDS = 0.1  # of it: before the thread is found, and behind the last look
NOTE = "note: Python stacks are sampled on a timer: no events"

# The CPU time of each is the same, whoever else wants the cores.
FAMILY = """
import multiprocessing, subprocess, sys, threading, time
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(i * i for i in range(300))
def child_work():
    burn(SECONDS)
def thread_work():
    burn(SECONDS)
SCRIPT = '''
import time
def other_work():
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        sum(i * i for i in range(300))
other_work()
'''
if __name__ == "__main__":
    child = multiprocessing.get_context("fork").Process(target=child_work)
    thread = threading.Thread(target=thread_work)
    child.start()
    thread.start()
    thread.join()
    child.join()
    subprocess.run([sys.executable, "-c", SCRIPT])
    sys.exit(7)
"""

# One thread sleeps nearly always, one works: only time on a core is counted.
SLEEPER = """
import threading, time
def idle():
    while True:
        time.sleep(0.001)
def busy():
    end = time.thread_time() + SECONDS
    while time.thread_time() < end:
        sum(range(1000))
threading.Thread(target=idle, daemon=True).start()
busy()
"""


def sandbox(*numbers):
    return {"before": without(",".join(map(str, numbers or (PERF_EVENT_OPEN,))))}


def weights(wperf, folder, program, code=0, **rights):
    """Weight of each function with all that it calls, of the whole; and what was said."""
    (folder / "program.py").write_text(program.replace("SECONDS", str(SECONDS)))
    done = run(wperf, folder, "record", "--json", "--", PYTHON, "program.py", code=code, **rights)
    functions = json.loads(done.stdout)["python"]["functions"]
    return {row["function"]: row["events"][0]["total"]["weight"] for row in functions}, done.stderr


def shares_are_right(wperf, folder):
    """As far as the moment between the look at a thread and the reading of its stack allows: the
    machine may be busy, and then a thread is looked at where the system took the core from it."""
    found = []
    for rights in (sandbox(), {**sandbox(), **as_nobody}):
        stacks, words = record(wperf, folder, PARTS, 2, "sums.json", **rights)
        assert NOTE in words and "perf_event_open is forbidden" in words, words
        assert figures(folder, words)["samples"] > 200, words
        found.append(check_shares(stacks, folder, 200, LATE_SKEW))
    return "; ".join(found)


def stacks_are_possible(wperf, folder):
    stacks, words = record(wperf, folder, FLUTTER, 2, **sandbox(), **as_nobody)
    return check_flutter(stacks, words, 50)


def threads_and_children_are_followed(wperf, folder):
    found, words = weights(wperf, folder, FAMILY, 7, **sandbox())
    parts = [found[name] / 1e9 for name in ("child_work", "thread_work", "other_work")]
    assert all(abs(part - SECONDS) < AT_ENDS * SECONDS for part in parts), (parts, words)
    return f"{parts} s"


def sleep_is_no_time(wperf, folder):
    found, words = weights(wperf, folder, SLEEPER, **sandbox())
    busy, idle = found["busy"] / 1e9, found.get("idle", 0) / 1e9
    assert abs(busy - SECONDS) < AT_ENDS * SECONDS and idle < AT_ENDS * SECONDS, (found, words)
    return f"busy {busy:.2f} s, idle {idle:.2f} s"


def running_programs_are_seen(wperf, folder):
    with subprocess.Popen([PYTHON, "-c", "while True: sum(range(1000))"]) as program:
        try:
            waiting.wait_for_cpu(program.pid, 0.2)
            done = run(wperf, folder, "record", "--output", "out.json", "--timeout", 1,
                       "-p", program.pid, **sandbox())
            assert program.poll() is None
        finally:
            program.kill()
    assert "<module>" in done.stdout and figures(folder, done.stderr)["samples"] > 20, done.stderr


def saved_recordings_are_read(wperf, folder):
    (folder / "program.py").write_text(PARTS)
    run(wperf, folder, "record", "--save", "timer.data", "-q", "--", PYTHON, "program.py", 1,
        "sums.json", **sandbox())
    text = run(wperf, folder, "report", "--sort", "python-line", "timer.data").stdout
    assert re.search(r"program.py +work +\S+:\d+", text), text
    text = run(wperf, folder, "report", "timer.data").stdout
    assert re.search(r"Python stacks: on a timer: .*; [\d,]+ us later on average, "
                     r"[\d,]+ us at most; missing in \d+ of [\d,]+ samples\n", text), text
    frames = json.loads(run(wperf, folder, "report", "--json", "--html", "page.html",
                            "timer.data").stdout)["report"]["python"]["frames"]
    assert frames["way"] == "timer" and frames["samples"] > frames["without"], frames
    assert 0 < frames["mean_skew_ns"] <= frames["max_skew_ns"], frames
    assert '"words":"on a timer' in (folder / "page.html").read_text(), "no words"


def endings_are_those_of_the_program(wperf, folder):
    run(wperf, folder, "record", "--output", "out.json", "--", PYTHON, "-c", "raise SystemExit(3)",
        code=3, **sandbox())
    words = [*sandbox()["before"], wperf, "record", "--", PYTHON, "-c",
             "import time\nwhile True: time.sleep(0.01); sum(range(10**5))"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as program:
        try:
            waiting.wait_for_cpu(waiting.wait_for_child(program.pid), 0.5)
            os.killpg(program.pid, signal.SIGINT)
            text, errors = program.communicate(timeout=30)
        except BaseException:
            os.killpg(program.pid, signal.SIGKILL)
            raise
    assert "<module>" in text, (text, errors)


def what_it_cannot_is_said(wperf, folder):
    timer = ("--source", "timer")
    python = ("--", PYTHON, "-c", "pass")
    cases = [
        (("record", *timer, "--", "/bin/sleep", 0), 1, "samples only Python programs"),
        (("record", *timer, "--python=native", *python), 1, "samples only Python programs"),
        (("record", *timer, "-e", "page-faults", *python), 2, "samples only cpu-clock"),
        (("record", *timer, "-F", 5000, *python), 2, "cannot sample 5000 times"),
        (("record", *timer, "-e", "cpu-clock:1000", *python), 2, "at a frequency"),
        (("record", *timer, "-a"), 1, "samples only Python programs"),
        (("stat", *timer, "-e", "cpu-clock", *python), 1, "source 'timer' cannot count events"),
    ]
    for words, code, expected in cases:
        done = subprocess.run([wperf, *map(str, words)], capture_output=True, text=True, timeout=60,
                              check=False, cwd=folder)
        assert expected in done.stderr and done.returncode == code, (words, done)
    # A program that is not Python needs the kernel's events.
    done = run(wperf, folder, "record", "--", "/bin/sleep", 0, code=1, **sandbox())
    assert "perf_event_open is forbidden" in done.stderr, done.stderr
    done = run(wperf, folder, "record", *python, code=1,
               **sandbox(PERF_EVENT_OPEN, PROCESS_VM_READV), **as_nobody)
    assert "cannot read the memory of your own processes" in done.stderr, done.stderr


def it_can_be_asked_for(wperf, folder):
    done = run(wperf, folder, "record", "--source", "timer", "--output", "out.json", "--", PYTHON,
               "-c", "sum(range(10**6))")
    assert NOTE in done.stderr and "--source perf works here, too" in done.stderr, done.stderr


def detect_lists_it(wperf, folder):
    for rights in (sandbox(), {**sandbox(), **as_nobody}):
        found, _ = detected(wperf, folder, "timer", **rights)
        assert found["Python stacks on a timer"] == "yes", found
        found, _ = detected(wperf, folder, **rights)
        assert found["Python stacks in the sample"] == "no", found
    found, hints = detected(wperf, folder, "timer", **sandbox(PROCESS_VM_READV), **as_nobody)
    ability = "Python stacks on a timer"
    assert found[ability] == "no" and "process_vm_readv" in hints[ability], (found, hints)


def main():
    if platform.machine() != "x86_64" or not os.access(PYTHON, os.X_OK) or os.geteuid() != 0:
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        folder = pathlib.Path(name)
        run_tests([shares_are_right, stacks_are_possible, threads_and_children_are_followed,
                   sleep_is_no_time, running_programs_are_seen, saved_recordings_are_read,
                   endings_are_those_of_the_program, what_it_cannot_is_said, it_can_be_asked_for,
                   detect_lists_it], sys.argv[1], folder)


main()
