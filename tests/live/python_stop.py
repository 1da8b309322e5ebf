# SPDX-License-Identifier: Apache-2.0
"""Stacks of threads that are stopped for them (--stop): exact, and no harm to the program.

python_stop.py WPERF
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import waiting
from python_truth import FLUTTER, PYTHON, as_nobody, record, run
from recorder import run_tests

SKIPPED = 77
PAUSES = 150
STOPS = re.compile(r"note: stopped threads (\d+) times, for (\d+) us on average, (\d+) us at most")

# Each signal is handled before the next one is sent: none may be lost, none may come twice.
SIGNALS = """
import os, signal, sys, time
num = 0
def count(*_):
    global num
    num += 1
signal.signal(signal.SIGUSR1, count)
sent = 0
end = time.time() + 3
while time.time() < end:
    os.kill(os.getpid(), signal.SIGUSR1)
    sent += 1
    sum(range(300))
sys.exit(5 if num == sent else 1)
"""

# Threads end as they are looked at, and one of them becomes another program.
CHURN = """
import os, sys, threading
def work():
    sum(range(20000))
left = int(sys.argv[1])
for i in range(60):
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
def leave():
    sum(range(100000))
    os.execv(sys.executable, [sys.executable, __file__, str(left - 1)])
if not left:
    sys.exit(9)
threading.Thread(target=leave).start()
while True: sum(range(1000))
"""

SPIN = """
import time
end = time.time() + 60
while time.time() < end:
    sum(range(1000))
"""


def stops(words):
    found = STOPS.search(words)
    assert found, words
    return [int(number) for number in found.groups()]


def no_stack_is_impossible(wperf, folder):
    """Neither one of two pieces, nor one of a frame that was being made."""
    good = 0
    for rights in ({}, as_nobody):
        stacks, words = record(wperf, folder, FLUTTER, 2, rate=200, more=["--stop"], **rights)
        num, mean_us, _ = stops(words)
        assert num > 5 and mean_us < 20000, words
        for count, stack in stacks:
            names = [function for function, _ in stack]
            if not names or names[0] not in ("leaf_a", "leaf_b", "hot_a", "hot_b"):
                continue
            chain = [names[0], "main"] if names[0].startswith("hot") else \
                [names[0], "hot_" + names[0][-1], "main"]
            assert names[:len(chain)] == chain, names
            good += count
    assert good > 20, good
    return f"{good} stacks, {num} stops of {mean_us} us"


def script(folder, text):
    path = folder / "script.py"
    path.write_text(text)
    return path


def signals_are_delivered_once(wperf, folder):
    done = run(wperf, folder, "record", "--stop", "-F", 200, "--output", "out.json", "--", PYTHON,
               script(folder, SIGNALS), code=5)
    assert stops(done.stderr)[0] > 5, done.stderr


def threads_may_end_and_become_programs(wperf, folder):
    done = run(wperf, folder, "record", "--stop", "-F", 200, "--output", "out.json", "--", PYTHON,
               script(folder, CHURN), 6, code=9)
    return f"{stops(done.stderr)[0]} stops"


def state_of(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return re.search(r"State:\s+(\S)", text)[1], int(re.search(r"TracerPid:\s+(\d+)", text)[1])


def what_we_leave_goes_on(wperf, folder):
    """However wperf ends, and whatever state the program is in."""
    with subprocess.Popen([PYTHON, script(folder, SPIN)]) as program:
        try:
            waiting.wait_for_cpu(program.pid, 0.2)
            for end in (signal.SIGKILL, signal.SIGINT, signal.SIGKILL):
                recording = folder / "stop.data"
                recording.unlink(missing_ok=True)
                with subprocess.Popen([wperf, "record", "--stop", "-F", "200", "-q", "--save", recording,
                                       "-p", str(program.pid)], stderr=subprocess.DEVNULL) as profiler:
                    waiting.wait_for_recording(recording)
                    waiting.wait_for_cpu(program.pid, 0.5)
                    profiler.send_signal(end)
                    profiler.wait(timeout=30)
                waiting.wait_until(lambda: state_of(program.pid) in (("R", 0), ("S", 0)), "it goes on")
                waiting.wait_for_cpu(program.pid, 0.1)
            program.send_signal(signal.SIGSTOP)
            run(wperf, folder, "record", "--stop", "--timeout", 0.5, "-q", "--output", "out.json",
                "-p", program.pid)
            assert state_of(program.pid) == ("T", 0), state_of(program.pid)
            program.send_signal(signal.SIGCONT)
            program.send_signal(signal.SIGTERM)
            assert program.wait(timeout=30) == -signal.SIGTERM
        finally:
            program.kill()


def ctrl_z_freezes_nothing(wperf, folder):
    """While wperf is stopped, the program runs on, however often that is tried."""
    with subprocess.Popen([PYTHON, script(folder, SPIN)]) as program:
        recording = folder / "paused.data"
        recording.unlink(missing_ok=True)
        with subprocess.Popen([wperf, "record", "--stop", "-F", "200", "-q", "--save", recording, "-p",
                               str(program.pid)], stderr=subprocess.DEVNULL, process_group=0) as profiler:
            try:
                waiting.wait_for_recording(recording)
                waiting.wait_for_cpu(program.pid, 0.2)
                for _ in range(PAUSES):
                    profiler.send_signal(signal.SIGTSTP)
                    waiting.wait_until(lambda: state_of(profiler.pid)[0] == "T", "wperf is stopped", interval=0.001)
                    assert state_of(program.pid) in (("R", 0), ("S", 0)), state_of(program.pid)
                    profiler.send_signal(signal.SIGCONT)
                    waiting.wait_until(lambda: state_of(profiler.pid)[0] != "T", "wperf goes on", interval=0.001)
                    waiting.wait_for_cpu(program.pid, 0.01)
                profiler.send_signal(signal.SIGINT)
                assert profiler.wait(timeout=30) == 0
            finally:
                profiler.kill()
                program.kill()


def too_much_is_refused(wperf, folder):
    cases = [
        (["-F", "201"], "at most 200 times a second"),
        (["-e", "cpu-clock:10000"], "at most 200 times a second"),
        (["--off-cpu"], "--stop and --off-cpu cannot be combined"),
        (["--python=native"], "--stop needs a Python program"),
        (["--source", "sim", "-c", "0"], "--stop needs a Python program"),
    ]
    for words, expected in cases:
        command = ["--", PYTHON, "-c", "pass"] if "sim" not in words else []
        done = subprocess.run([wperf, "record", "--stop", *words, *command], capture_output=True,
                              text=True, timeout=60, check=False, cwd=folder)
        assert done.returncode == (2 if "sim" not in words else done.returncode), (words, done)
        assert done.returncode and (expected in done.stderr or "sim" in words), (words, done)


def main():
    if os.geteuid() != 0 or not os.access(PYTHON, os.X_OK):
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o777)
        run_tests([no_stack_is_impossible, signals_are_delivered_once,
                   threads_may_end_and_become_programs, what_we_leave_goes_on,
                   ctrl_z_freezes_nothing, too_much_is_refused], sys.argv[1], pathlib.Path(name))


main()
