# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, SIGTERM and SIGHUP: once ends with a report, a second Ctrl-C at once; nothing is left behind.

signals.py WPERF FOLDER
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import termios
import time

import waiting
from recorder import Recorder, clock_event, run, run_tests

BURN = """
#include <stdlib.h>
#include <time.h>
KEEP void burn(void) { SPIN(100000); }
int main(int argc, char **argv) { UNTIL(atoi(argv[1])) burn(); return 0; }
"""
CLOCK = clock_event(1000)
FOREVER = 100000  # ms of CPU; killed at the end
REQUESTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BETWEEN_PRESSES = 0.15  # seconds: less is one press, which reached process and group
ATTEMPTS = 20


def start(words, **keywords):
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, start_new_session=True, **keywords)


def is_stopped(pid):
    return waiting.read_proc(pid, "stat").rpartition(")")[2].split()[:1] == ["T"]


def once(recorder):
    """All that count and sample print what they have."""
    target = start([recorder.program, FOREVER])
    path = recorder.path("x.data")
    commands = (
        ("record", *CLOCK, "-o", path, "--", recorder.program, FOREVER),
        ("record", *CLOCK, "-o", path, "-p", target.pid),
        ("stat", "-e", "task-clock", "--", recorder.program, FOREVER),
        ("stat", "-e", "task-clock", "-p", target.pid),
        ("stat", "-e", "task-clock", "-I", 50, "-p", target.pid),
        ("top", *CLOCK, "-p", target.pid),
    )
    try:
        for words in commands:
            for number in REQUESTS:
                process = start([recorder.wperf, *words])
                waiting.wait_for_handler(process.pid, number)
                waiting.wait_for_counters(process.pid)
                running = waiting.wait_for_child(process.pid) if "--" in words else target.pid
                waiting.wait_for_cpu(running, 0.15)
                process.send_signal(number)
                out, err = process.communicate(timeout=60)
                assert process.returncode == 0, (words, number, process.returncode, out, err)
                assert re.search("task-clock" if words[0] == "stat" else r"\bburn\b", out), (words, number, out, err)
                assert running == target.pid or waiting.is_gone(running), (words, number)
    finally:
        target.kill()
        target.communicate()


def has_taken(pid, number):
    """Its handler has run; or the process has ended."""
    masks = re.findall(r"^(?:ShdPnd|SigPnd|SigBlk):\s*([0-9a-f]+)", waiting.read_proc(pid, "status"), re.M)
    return not any(int(mask, 16) >> (number - 1) & 1 for mask in masks)


def press_twice(pid):
    """The second press while wperf works on the first, which it is stopped for."""
    os.kill(pid, signal.SIGINT)
    waiting.wait_until(lambda: has_taken(pid, signal.SIGINT), f"handler of {pid}", interval=0.001)
    os.kill(pid, signal.SIGSTOP)
    waiting.wait_until(lambda: is_stopped(pid) or waiting.is_gone(pid), f"{pid} is stopped again")
    begin = time.monotonic()
    waiting.wait_until(lambda: time.monotonic() > begin + BETWEEN_PRESSES, "the next press")
    os.kill(pid, signal.SIGINT)
    os.kill(pid, signal.SIGCONT)


def twice(recorder):
    """Ends wperf by the signal, and the program that it has started."""
    codes = []
    while -signal.SIGINT not in codes:
        assert len(codes) < ATTEMPTS, codes
        process = start([recorder.wperf, "record", *CLOCK, "-o", recorder.path("y.data"), "--", recorder.program,
                         FOREVER])
        waiting.wait_for_handler(process.pid, signal.SIGINT)
        program = waiting.wait_for_child(process.pid)
        waiting.wait_for_cpu(program, 0.1)
        press_twice(process.pid)
        process.communicate(timeout=60)  # also the end of the program, which has the same pipes
        codes.append(process.returncode)
        waiting.wait_until(lambda: waiting.is_gone(program), f"the end of {program}")


def read_all(terminal):
    """Keeps what draws on it going."""
    while select.select([terminal], [], [], 0)[0]:
        try:
            os.read(terminal, 65536)
        except OSError:
            return


def press_in_top(recorder):
    """On a terminal of its own. Returns how it ended; the terminal must be as before."""
    main, terminal = pty.openpty()
    before = termios.tcgetattr(terminal)
    process = subprocess.Popen([recorder.wperf, "top", *CLOCK, "-p", str(os.getpid())], stdin=terminal,
                               stdout=terminal, stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
    try:
        waiting.wait_until(lambda: read_all(main) or termios.tcgetattr(terminal)[3] != before[3], "keys at once")
        press_twice(process.pid)
        waiting.wait_until(lambda: read_all(main) or process.poll() is not None, "the end of top")
        assert termios.tcgetattr(terminal)[3] == before[3], (process.returncode, termios.tcgetattr(terminal))
        return process.returncode
    finally:
        process.kill()
        process.wait()
        os.close(main)
        os.close(terminal)


def twice_in_top(recorder):
    """The shell gets a terminal that shows what is typed."""
    codes = []
    while -signal.SIGINT not in codes:
        assert len(codes) < ATTEMPTS, codes
        codes.append(press_in_top(recorder))


def readers_end_at_once(recorder):
    """There is nothing to report; and no draft stays."""
    folder = recorder.path("readers")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "page.html").write_text("old")
    for words in (("report", "--html", "page.html"), ("export", "-o", "x.pb.gz"), ("flamegraph", "-o", "page.html")):
        for number in REQUESTS:
            process = start([recorder.wperf, *words, "-i", "-"], stdin=subprocess.PIPE, cwd=folder)
            waiting.wait_until(lambda: "pipe_read" in waiting.read_proc(process.pid, "wchan") or
                               re.search(r"^State:\s+S", waiting.read_proc(process.pid, "status"), re.M),
                               f"{words} waits for its recording")
            process.send_signal(number)
            process.communicate(timeout=60)
            assert process.returncode == -number, (words, number, process.returncode)
    assert os.listdir(folder) == ["page.html"] and (folder / "page.html").read_text() == "old", os.listdir(folder)


def main():
    recorder = Recorder(sys.argv[1], sys.argv[2])
    recorder.program = recorder.compile("burn", BURN, "-O2", "-g")
    if run([recorder.wperf, "record", "-q", *CLOCK, "-o", recorder.path("x.data"), "--", "true"], None).returncode:
        print("no perf events here")
        return 77
    run_tests((once, twice, twice_in_top, readers_end_at_once), recorder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
