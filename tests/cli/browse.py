# SPDX-License-Identifier: Apache-2.0
"""`report` on a terminal: keys lead to what they promise, any size will do, and the terminal is left
as it was.

    browse.py WPERF WRITE_EXPORTS FOLDER keys|names
"""
import os
import pathlib
import re
import select
import signal
import struct
import subprocess
import sys
import time
import unicodedata

try:
    import fcntl
    import pty
    import termios
except ImportError:
    print("skipped: no pseudo terminals here")
    sys.exit(77)

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
KEYS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "page down": "\x1b[6~",
        "page up": "\x1b[5~", "home": "\x1b[H", "end": "\x1bOF", "escape": "\x1b", "enter": "\r",
        "backspace": "\x7f"}


def width_of(character):
    """Columns, by the properties of the character: no table of wperf's takes part."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """What a terminal shows of the sequences that wperf uses; any other is a mistake."""

    def __init__(self):
        self.cells, self.row, self.bytes, self.pending = {}, 0, b"", ""
        self.column = 0

    def feed(self, data):
        self.bytes += data
        text = self.pending + data.decode("utf-8", "surrogateescape")
        self.pending = ""
        at = 0
        while at < len(text):
            match = re.match(r"\x1b\[(\??[\d;]*)([A-Za-z])", text[at:])
            if match:
                self.control(match[1], match[2])
                at += match.end()
            elif text[at] == "\x1b":
                assert re.fullmatch(r"\x1b(\[\??[\d;]*)?", text[at:]), repr(text[at:at + 20])
                self.pending = text[at:]
                return
            else:
                self.put(text[at])
                at += 1

    def control(self, parameters, final):
        if final == "H":
            self.row = self.column = 0
        elif final == "K":
            self.cells[self.row] = self.cells.get(self.row, [])[:self.column]
        elif final == "J":
            self.cells = {row: text for row, text in self.cells.items()
                          if row < self.row and parameters != "2"}
        else:
            assert final in "mhl", (parameters, final)

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
        else:
            assert character >= " ", repr(character)
            line = self.cells.setdefault(self.row, [])
            line += [" "] * (self.column - len(line))
            width = width_of(character)
            if width:
                # The second column of a wide character has nothing of its own.
                line[self.column:self.column + width] = [character] + [""] * (width - 1)
                self.column += width
            elif self.column:
                base = self.column - 1 - (line[self.column - 1] == "")
                line[base] += character

    def lines(self):
        return ["".join(self.cells.get(row, [])).rstrip() for row in range(max(self.cells, default=-1) + 1)]

    def width(self):
        """Columns of the widest line."""
        return max(map(len, self.cells.values()), default=0)


class Browser:
    """wperf on a terminal of its own, which it controls, as in a shell."""

    def __init__(self, words, rows=24, columns=100, **environment):
        self.ours, theirs = pty.openpty()
        self.theirs = theirs
        self.resize(rows, columns)
        self.before = termios.tcgetattr(theirs)
        self.screen = Screen()
        self.child = subprocess.Popen(
            words, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={"TERM": "xterm", "PATH": os.environ["PATH"], **environment})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.kill()
        self.child.stderr.close()
        self.child.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        if select.select([self.ours], [], [], seconds)[0]:
            self.screen.feed(os.read(self.ours, 1 << 16))
            return True
        return False

    def wait(self, pattern, seconds=20):
        """Until the screen has a text that fits. All lines must fit the terminal."""
        deadline = time.monotonic() + seconds
        while not re.search(pattern, "\n".join(self.screen.lines()), re.M):
            self.read(0.05)
            if time.monotonic() > deadline:
                raise AssertionError(f"no {pattern!r} on\n" + "\n".join(self.screen.lines()))
        return "\n".join(self.settle())

    def settle(self):
        while self.read(0.05):
            pass
        return self.screen.lines()

    def answer(self, key):
        """What it draws for one key."""
        self.press(key)
        while not self.read(1):
            pass
        while self.read(0.01):
            pass

    def press(self, keys, pattern=None):
        for key in keys if isinstance(keys, list) else [keys]:
            os.write(self.ours, KEYS.get(key, key).encode())
        return self.wait(pattern) if pattern else None

    def selected(self):
        lines = [line for line in self.settle() if line.startswith(">")]
        assert len(lines) == 1, self.screen.lines()
        return lines[0]

    def end(self):
        """Wait for the end; the terminal must be as before."""
        deadline = time.monotonic() + 20
        while self.child.poll() is None:
            assert time.monotonic() < deadline, "does not end"
            self.read(0.02)
        while self.read(0):
            pass
        assert self.screen.bytes.count(ENTER) == self.screen.bytes.count(LEAVE)
        assert self.screen.bytes.rstrip().endswith(LEAVE), self.screen.bytes[-80:]
        assert termios.tcgetattr(self.theirs) == self.before
        return self.child.returncode


def check_functions(words):
    with Browser(words) as browser:
        browser.wait("h help")
        first = "\n".join(browser.settle())
        assert "task-clock: 377 samples; by self, unfold to callers" in first, first
        assert re.search(r"^>  26\.79 +26\.79 +101  app +\+ std::vector<…>::push_back", first,
                         re.M), first
        assert len(browser.settle()) == 23
        # memcpy is called by a function of Python, which is called by main.
        browser.press(["/memcpy", "enter"], r"^>.*\+ memcpy")
        assert re.search(r"6\.10 +10\.61 +23  libc\.so\.6 +\+ memcpy", browser.selected())
        browser.press("e", r"^ +10\.61 +40 +\+? +- say")
        unfolded = browser.wait(r"10\.61 +40 +_start \[app\]")
        assert re.search(r"- memcpy\n.*- say .*\n.*- <module>\n.*- main \[app\]\n.*  _start",
                         unfolded), unfolded
        browser.press("c", r"\+ memcpy")
        # To what it calls.
        browser.press(["x", "+"], r"- memcpy\n.* \+ do_syscall_64 \[kernel\]")
        browser.press(["down", "right"], r"copy_page \[kernel\]")
        browser.press(["left", "left"], r"^>.*- memcpy")
        browser.press("-", r"\+ memcpy")
        browser.press("E", r"^ +20\.95 +79 +- Model")
        browser.press("C", r"^>.*\+ memcpy")
        # n goes on, also round the end; N back.
        browser.press(["/rec", "enter"], r"^>.*recurse")
        browser.press(["g", "n"], r"^>.*recurse")
        browser.press("/nothing of that name\r", "not found: nothing of that name")
        browser.press(["G"], r"^(\d+)/\1 ")
        last = browser.selected()
        browser.press(["home", "end"])
        assert browser.selected() == last
        browser.press("s", "by total")
        assert re.match(r">   0\.00 +96\.82 +0  app +\+ (_start|main)", browser.selected())
        browser.press("q")
        assert browser.end() == 0


def check_pages(words):
    with Browser(words) as browser:
        browser.wait("h help")
        browser.press("h", r"^  a +annotate")
        browser.press("q", "unfold to callers")
        browser.press("t", r"^> .* thread|thread$")
        browser.press(["/kwork", "enter"], r"^> .*kworker/0:1")
        browser.press("enter", r"3 samples, thread 77")
        assert "do_syscall_64" in browser.selected()
        browser.press("escape", "377 samples;")
        browser.press("d", r"\[kernel\]")
        browser.press(["/[kernel]", "enter", "enter"], r"20 samples, stacks with \[kernel\]")
        browser.press("escape", "377 samples;")
        browser.press("l", r"^> .*\[no Python\]\n.*größe\.py:3  Model\.<listcomp>$")
        # There is nothing to unfold: the functions below keep their callers.
        browser.press("x")
        browser.press("q", "unfold to callers")
        browser.press(["/recurse", "enter", "a"], r"recurse, task-clock")
        browser.press("q", "unfold to callers")
        browser.press("\x07", "no such key")
        # Keys of terminals that mean nothing here, however many: F5, Alt-x.
        browser.press("h", r"^  a +annotate")
        browser.press(["q"] + ["\x1b[15~", "\x1bx"] * 20, "no such key")
        browser.press("q")
        assert browser.end() == 0


def check_filters(words):
    """Processes, threads, modules and parts of names, alone and together."""
    with Browser(words) as browser:
        browser.wait("h help")
        browser.press("p", r"^> .*python3$")
        browser.press("enter", r"374 samples, process python3; by self")
        browser.press("t", r"python3\n.*wörker")
        assert "kworker" not in "\n".join(browser.settle())
        browser.press(["/wörk", "enter", "enter"], r"\d+ samples, process python3, thread 4243 wörker")
        browser.press("p", r"^> .*python3\n.*kworker/0:1")
        browser.press(["G", "enter"], r"\b3 samples, process kworker/0:1; by")
        browser.press("escape", "377 samples; by")
        browser.press(["&PARSE", "enter"], r"; only \*PARSE\*; by self")
        rows = browser.screen.lines()[2:-1]
        assert [row for row in rows if row] == [browser.selected()] and "Parser.parse" in rows[0], rows
        browser.press("e", r"^ +35\.01 +132 +- <module>$")
        # It stays with other samples, and in another order.
        browser.press(["t", "/wörk", "enter", "enter"], r"thread 4243 .*; only \*PARSE\*")
        browser.press("s", r"only \*PARSE\*; by total")
        browser.press(["&nothing", "enter"], r"only \*nothing\*")
        browser.press(["j", "+", "a", "e", "x", "n"], "not found: wörk")
        browser.press("x", r"^0/0 ")
        browser.press(["&", "enter"], r"samples, thread 4243 .*; by total")
        browser.press(["&x", "backspace", "backspace"], r"^1/\d+ ")
        browser.press(["d", "&libc", "enter"], r"only \*libc\*")
        browser.press("enter", r"stacks with libc\.so\.6; by total")
        browser.press("escape", r"377 samples; by total")
        browser.press(["l", "&GRÖSSE", "enter"], r"^0/0 ")
        browser.press(["&größe", "enter"], r"^> .*größe")
        assert all("größe" in row for row in browser.settle()[2:-1] if row)
        browser.press(["a"], "task-clock")
        browser.press("&", "& is for lists")
        browser.press(["q", "q", "q"])
        assert browser.end() == 0


def check_help(words):
    """Each key of the help does something here, and no key does that is not in it."""
    spelled = {"Space": " ", "PgDn": "\x1b[6~", "PgUp": "\x1b[5~", "Down": "\x1b[B", "Up": "\x1b[A",
               "Home": "\x1b[H", "End": "\x1b[F", "Right": "\x1b[C", "Left": "\x1b[D", "Enter": "\r",
               "Tab": "\t", "Esc": "\x1b", "Backsp.": "\x7f"}
    with Browser(words, rows=60) as browser:
        browser.wait("h help")
        text = browser.press("?", r"^  j, Down")
        names = [name for line in text.split("\n")[1:-1] for name in re.split(", ?", line[2:15].strip()) if name]
        assert len(names) > 35 and {"p", "&", "/", "q", "Ctrl-C", "Ctrl-Z"} < set(names), names
        browser.press("q", "unfold to")
        known = {spelled.get(name, name) for name in names if not name.startswith("Ctrl")}
        for key in sorted(known - {"q"}) + [chr(code) for code in range(33, 127)]:
            if key == "q":
                continue
            browser.answer(key)
            is_unknown = "no such key" in browser.screen.lines()[-1]
            assert is_unknown == (key not in known), (key, browser.screen.lines()[-1])
            if key in "alptdh?/&":
                browser.press("escape")  # leaves what it opened or asked
                while browser.read(0.1):  # the next key would belong to it
                    pass
        while browser.child.poll() is None:
            browser.press("q")
            browser.settle()
        assert browser.end() == 0


def check_names(words):
    """Names that are wide, combine, reorder the line or look like patterns."""
    with Browser(words, rows=30, columns=100) as browser:
        text = browser.wait("h help")
        assert "日本語のライブ" in text and "cafe\u0301 \u0928\u093f" in text, text
        assert "\\u202egnol\\u2066" in text and "\u202e" not in text
        marks = max(len(match[0]) for match in re.finditer(r"[\u0300-\u036f]*", text))
        assert marks == 8, marks
        # Columns stand below each other, whatever is in them.
        rows = [browser.screen.cells[row] for row in range(2, 14)]
        at = next(i for i in range(len(rows[0])) if "".join(rows[0][i:i + 4]) == "+ 日")
        assert all("".join(row[at:at + 2]) == "+ " for row in rows), browser.screen.lines()
        for columns in (100, 79, 60, 41, 33, 20, 13, 5, 2, 1):
            browser.resize(30, columns)
            browser.screen.cells = {}
            browser.press(["j", "k"])
            browser.settle()
            assert browser.screen.width() <= columns, (columns, browser.screen.lines())
        browser.resize(30, 100)
        browser.press("g", "h help")
        # A name is itself, not a pattern, nor the same in other letters.
        for name, count, pages in (("operator*", 8, ""), ("f[ab]?", 6, "d"), ("^start$", 4, ""), ("START", 2, "tp")):
            browser.press(["g", f"/{name}", "enter"])
            while not browser.selected().endswith("+ " + name):
                browser.press("n")
            text = browser.press("a", re.escape(name) + ", task-clock")
            assert re.findall(r"self [\d.]+ %, (\d+) samples", text) == [str(count)], text
            browser.press("q", "unfold to")
            for key in pages:
                browser.press(key, "q back")
                browser.press([f"/{name}", "enter"])
                while browser.selected().split("  ")[-1].strip() not in (name, "+ " + name):
                    browser.press("n")
                browser.press("enter", rf"task-clock: {count} samples, .*" + re.escape(name) + "; by")
                browser.press("escape", r"78 samples; by")
        browser.press("q")
        assert browser.end() == 0


def check_sizes(words):
    with Browser(words) as browser:
        browser.wait("h help")
        for rows, columns in ((24, 30), (5, 10), (1, 1), (2, 3), (3, 200), (60, 44), (24, 70)):
            before = len(browser.screen.bytes)
            browser.resize(rows, columns)
            browser.screen.cells = {}
            deadline = time.monotonic() + 10
            while len(browser.screen.bytes) == before and time.monotonic() < deadline:
                browser.read(0.05)
            browser.press(["j", "+", "k"])
            lines = browser.settle()
            assert len(lines) <= max(rows - 1, 1), (rows, lines)
            assert browser.screen.width() <= columns, (columns, lines)
            assert len(browser.screen.bytes) > before
        browser.wait("unfold to")
        browser.press("q")
        assert browser.end() == 0


def check_signals(words):
    for signum in (signal.SIGTERM, signal.SIGHUP):
        with Browser(words) as browser:
            browser.wait("h help")
            browser.child.send_signal(signum)
            browser.end()
    with Browser(words) as browser:
        browser.wait("h help")
        browser.press("\x03")
        browser.end()
    # The terminal's window is closed: with SIGHUP, and where that is ignored, too.
    for more in ([], ["env", "--ignore-signal=HUP"]):
        with Browser([*more, *words]) as browser:
            browser.wait("h help")
            os.close(browser.ours)
            assert browser.child.wait(timeout=20) is not None
            browser.ours = os.open(os.devnull, os.O_RDONLY)
    # Ctrl-Z gives the terminal back until the shell continues it.
    with Browser(["sh", "-mc", '"$@"; stty -a >&2; fg; exit 7', "sh", *words]) as browser:
        browser.wait("h help")
        browser.press("\x1a")
        deadline = time.monotonic() + 20
        while browser.screen.bytes.count(ENTER) < 2 and time.monotonic() < deadline:
            browser.read(0.05)
        browser.wait("unfold to callers")
        browser.press("h", "annotate")
        browser.press(["q", "q"])
        assert browser.end() == 7
        assert b" icanon" in browser.child.stderr.read()
    with Browser(words) as browser:
        browser.wait("h help")
        os.write(browser.ours, b"jjj")
        browser.child.send_signal(signal.SIGKILL)
        browser.child.wait()


def printed(words, **options):
    done = subprocess.run(words, capture_output=True, timeout=60, check=False, **options)
    return done.returncode, done.stdout, done.stderr.decode()


def check_where(wperf, words):
    """Pipes and --stdio print, and all that is no list of functions."""
    code, text, _ = printed(words, stdin=subprocess.DEVNULL)
    assert code == 0 and b"\x1b" not in text and b"memcpy" in text
    assert printed([*words, "--stdio"], stdin=subprocess.DEVNULL)[1] == text
    code, _, error = printed([*words, "--tui"], stdin=subprocess.DEVNULL)
    assert code == 1 and "needs a terminal" in error, error
    assert printed([*words, "--tui", "--tree", "down"])[0] == 2
    for more in (["--stdio"], ["--no-browse"], ["--json"], ["--tree", "down"], ["--sort", "line"],
                 ["--sample-display-row", "3"], ["-q"]):
        with Browser([*words, *more]) as browser:
            browser.child.wait(timeout=20)
            browser.settle()
            assert ENTER not in browser.screen.bytes, more
            assert more == ["-q"] or len(browser.screen.bytes) > 200, more
    with Browser(words, TERM="dumb") as browser:
        browser.child.wait(timeout=20)
        browser.settle()
        assert ENTER not in browser.screen.bytes
    with Browser(words, NO_COLOR="1") as browser:
        browser.wait("h help")
        browser.press("q")
        browser.end()
        assert b"\x1b[7m" not in browser.screen.bytes


def check_large(words):
    """With 20,000 functions, a key costs no more than with fourteen."""
    with Browser(words, rows=40) as browser:
        browser.wait("h help", seconds=60)
        pid = browser.child.pid

        def cpu_seconds():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        start = cpu_seconds()
        for _ in range(50):
            browser.press("page down")
            browser.read(1)
        browser.press("G", r"\d\d,\d\d\d/\d\d,\d\d\d")
        browser.settle()
        spent = cpu_seconds() - start
        assert spent < 2, f"{spent} s of CPU time for 51 keys"
        browser.press(["g", "E"], "unfolded the first 100 functions")
        browser.press("q")
        assert browser.end() == 0


def main():
    wperf, write_exports, folder, part = sys.argv[1:]
    folder = pathlib.Path(folder)
    for name, samples in (("known", []), ("large", ["20000", "profile.otlp"]), ("names", ["names", "profile.otlp"])):
        (folder / name).mkdir(parents=True, exist_ok=True)
        subprocess.run([write_exports, folder / name, *samples], check=True, stdout=subprocess.DEVNULL)
    words = [wperf, "report", "-i", str(folder / "known/profile.otlp")]
    if part == "names":
        check_filters(words)
        check_help(words)
        check_names([wperf, "report", "-i", str(folder / "names/profile.otlp")])
        return
    check_functions(words)
    check_pages(words)
    check_sizes(words)
    check_signals(words)
    check_where(wperf, words)
    check_large([wperf, "report", "-i", str(folder / "large/profile.otlp")])


if __name__ == "__main__":
    main()
