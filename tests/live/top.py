# SPDX-License-Identifier: Apache-2.0
"""`top` prints tables into a pipe, draws on a terminal, and leaves that as it was."""
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

import waiting

try:
    import pty
except ImportError:
    print("skipped: no pseudo terminals here")
    sys.exit(77)

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
BUSY = ["/usr/bin/python3", "-S", "-c", "while True: sum(range(100000))"]


def check_tables(wperf, pid):
    began = time.monotonic()
    done = subprocess.run([wperf, "top", "-p", str(pid), "-e", "cpu-clock", "-n", "2", "--delay",
                           "0.5"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done
    assert time.monotonic() - began >= 1
    assert done.stdout.count("event cpu-clock") == 2, done.stdout
    heads = re.findall(r"^([\d.]+) s to ([\d.]+) s$", done.stdout, re.M)
    assert len(heads) == 2 and heads[0][1] == heads[1][0], heads
    for number in re.findall(r"([\d,]+) samples", done.stdout):
        assert int(number.replace(",", "")) > 0, done.stdout
    assert "\x1b" not in done.stdout


SOURCE = """import time
def spin(rounds):
    total = 0
    for number in range(rounds):
        total += number * number
    return total
def work():
    return spin(5000)
while True:
    work()
"""


def check_python(wperf):
    """Lines and functions of Python come first, as users of py-spy expect; then native code."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "spinning.py")
        path.write_text(SOURCE, encoding="utf-8")
        with subprocess.Popen(["/usr/bin/python3", "-S", path]) as child:
            try:
                done = subprocess.run([wperf, "top", "-p", str(child.pid), "-g", "-e", "cpu-clock",
                                       "-n", "2", "--delay", "1"], capture_output=True, text=True,
                                      timeout=60, check=False)
            finally:
                child.kill()
    out = done.stdout
    assert done.returncode == 0, done
    second = out[out.index("\n\n", out.index(" s to ", out.index(" s to ") + 1)) - 20:]
    places = [second.index(words) for words in ("hot lines of Python:", "hot functions of Python:",
                                                "event cpu-clock")]
    assert places == sorted(places), out
    lines, functions, native = (second[start:end] for start, end in
                                zip(places, places[1:] + [len(second)]))
    rows = re.findall(r"^ +([\d.]+) +\S+ +[\d.]+ +[\d,]+  spinning\.py:(\d+)", lines, re.M)
    assert {"4", "5"} >= {line for _, line in rows[:2]} and float(rows[0][0]) > 30, out
    assert [float(row[0]) for row in rows] == sorted((float(row[0]) for row in rows),
                                                     reverse=True), out
    first = re.search(r"^ +([\d.]+) +\S+ +([\d.]+) +[\d,]+  (\w+)", functions, re.M)
    assert first[3] == "spin" and float(first[1]) > 80, out
    assert re.search(r"^ +[\d.]+ +\S+ +([\d.]+) +[\d,]+  work ", functions, re.M), out
    assert len(re.findall(r"^ +[\d.]+ +[\d.]+ +[\d,]+  ", native, re.M)) <= 10, out


def check_end_of_process(wperf):
    """A process that ends before the first table is shown all the same."""
    with subprocess.Popen(BUSY) as child:
        with subprocess.Popen([wperf, "top", "-p", str(child.pid), "-e", "cpu-clock", "--delay",
                               "60"], stdout=subprocess.PIPE, text=True) as top:
            waiting.wait_for_counters(top.pid)
            waiting.wait_for_cpu(child.pid, 0.5)
            child.kill()
            out, _ = top.communicate(timeout=30)
    assert top.returncode == 0 and out.count("event cpu-clock") == 1, out


class Terminal:
    """wperf on a terminal of its own. @words: its options."""
    def __init__(self, wperf, *words):
        self.ours, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        self.text = b""
        self.child = subprocess.Popen(
            [wperf, "top", "--delay", "0.3", *words],
            stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, start_new_session=True,
            env={"TERM": "xterm"}, preexec_fn=lambda: self.take())

    def take(self):
        """So that Ctrl-C on it becomes a signal."""
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def wait_for(self, words, seconds=30):
        """Only what comes from now on counts."""
        start, end = len(self.text), time.monotonic() + seconds
        while words not in self.text[start:]:
            assert time.monotonic() < end and self.child.poll() is None, (words, self.text)
            self.read(0.1)

    def read(self, seconds):
        if select.select([self.ours], [], [], seconds)[0]:
            self.text += os.read(self.ours, 65536)

    def press(self, key):
        os.write(self.ours, key)

    def finish(self):
        end = time.monotonic() + 30
        while self.child.poll() is None:
            assert time.monotonic() < end, self.text
            self.read(0.1)
        self.read(0.1)
        after = termios.tcgetattr(self.theirs)
        os.close(self.ours)
        os.close(self.theirs)
        assert after == self.before, (self.before, after)
        assert self.child.returncode == 0, (self.child.returncode, self.text)
        assert self.text.count(ENTER) == 1 and self.text.count(LEAVE) == 1, self.text
        assert self.text.index(LEAVE) > self.text.index(ENTER)
        assert b"\x1b[?25h" in self.text[self.text.rindex(b"\x1b[?25l"):]  # the cursor is back


def check_terminal(wperf, pid):
    for end in ("q", "Ctrl-C", "SIGTERM"):
        terminal = Terminal(wperf, "-p", str(pid), "-e", "cpu-clock")
        terminal.wait_for(b"event cpu-clock")
        terminal.wait_for(b"event cpu-clock")
        if end == "SIGTERM":
            terminal.child.send_signal(signal.SIGTERM)
        else:
            terminal.press(b"q" if end == "q" else b"\x03")
        terminal.finish()
        assert b"event cpu-clock" not in terminal.text[terminal.text.index(LEAVE):], terminal.text


def check_last_picture(wperf):
    """Of a program that ends before the first picture, the last one stays on the terminal."""
    program = ["/usr/bin/python3", "-S", "-c", "sum(range(9000000))"]
    terminal = Terminal(wperf, "-e", "cpu-clock", "--delay", "60", "--", *program)
    terminal.finish()
    stays = terminal.text[terminal.text.index(LEAVE):].decode()
    found = re.search(r"wperf top: [\d.]+ s, ([\d,]+) samples", stays)
    assert found and int(found[1].replace(",", "")) > 20, stays
    assert "<module>" in stays and "event cpu-clock" in stays and "keys:" not in stays, stays


def check_dumb_terminal(wperf, pid):
    """The tables of a pipe: no escape sequence, and no setting of the terminal is changed."""
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with subprocess.Popen([wperf, "top", "-p", str(pid), "-e", "cpu-clock", "-n", "2", "--delay", "0.3"],
                          stdin=theirs, stdout=theirs, stderr=theirs, env={"TERM": "dumb"}) as top:
        text = b""
        while top.poll() is None or select.select([ours], [], [], 0.1)[0]:
            if select.select([ours], [], [], 0.1)[0]:
                text += os.read(ours, 65536)
    assert top.returncode == 0 and text.count(b"event cpu-clock") == 2, text
    assert b"\x1b" not in text, text
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def check_keys(wperf, pid):
    terminal = Terminal(wperf, "-p", str(pid), "-e", "cpu-clock")
    terminal.wait_for(b"older samples count less")
    terminal.press(b"s")
    terminal.wait_for(b"all since the start")
    terminal.press(b"k")
    terminal.wait_for(b"kernel hidden")
    terminal.press(b"ku")
    terminal.wait_for(b"user hidden")
    terminal.press(b"uz")
    terminal.wait_for(b", 0 samples, 0 nanoseconds")  # drawn at once, before the next interval
    terminal.press(b"q")
    terminal.finish()


def main():
    wperf = sys.argv[1]
    with subprocess.Popen(BUSY) as child:
        try:
            done = subprocess.run([wperf, "top", "-p", str(child.pid), "-e", "cpu-clock", "-n",
                                   "1", "--delay", "0.1"], capture_output=True, check=False)
            if done.returncode and b"perf_event_paranoid" in done.stderr:
                print("skipped: no sampling here:", done.stderr.decode())
                return 77
            assert done.returncode == 0, done.stderr.decode()
            check_tables(wperf, child.pid)
            check_terminal(wperf, child.pid)
            check_dumb_terminal(wperf, child.pid)
            check_keys(wperf, child.pid)
        finally:
            child.kill()
    check_python(wperf)
    check_end_of_process(wperf)
    check_last_picture(wperf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
