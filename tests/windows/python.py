# SPDX-License-Identifier: Apache-2.0
"""Lines of Python with wperf.exe under Wine, of every CPython for Windows that was built by
scripts/build_windows_python.sh; and `wperf dump` of Linux, which reads the same process. Skipped where
there is none. Usage: python.py WPERF_EXE PREFIX WPERF BUILD_FOLDER"""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import wine

LIVE = pathlib.Path(__file__).resolve().parents[1] / "live"
sys.path.append(str(LIVE))
import chance  # noqa: E402
import python_locals
import waiting

exe, prefix, here = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
folders = sorted(mark.parent for mark in pathlib.Path(sys.argv[4]).resolve().glob("windows-python-*/complete"))
SKEW = 0.03  # of threads that are looked at while Wine holds them, and stacks that are read a moment later
SHARES = {"seventy": 70, "twenty": 20, "ten": 10}

# Sums would grow, and cost more. Whoever waits for a core, as wperf may, gets it when the program waits for
# something: so that it seldom does.
WORK = """
import sys, time
def spin(rounds):
    for i in range(rounds):
        i & 7
def seventy(unit):
    spin(7 * unit)
def twenty(unit):
    spin(2 * unit)
def ten(unit):
    spin(unit)
def parts():
    seventy(2000)
    twenty(2000)
    ten(2000)
end = time.thread_time() + float(sys.argv[1])
while time.thread_time() < end:
    for _ in range(200):
        parts()
"""

BLOCKED = """
import os, sys, threading, time
def inner(word):
    number = 42
    print(os.getpid(), sys.version.split()[0], flush=True)
    time.sleep(100)
def outer():
    inner("abc")
def helper(word):
    time.sleep(100)
threading.Thread(target=helper, args=("\u00e4",), daemon=True).start()
outer()
"""

# Its argument is a program that says "ready" when its variables are as they shall be seen.
VARIABLES = """
import os, runpy, sys
print(os.getpid(), flush=True)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0])
"""

# Two that need the GIL all the time, and one that never does.
THREADS = """
import os, threading, time
def count():
    for i in range(20000):
        i & 7
def worker():
    while True:
        count()
for _ in range(2):
    threading.Thread(target=worker, daemon=True).start()
print(os.getpid(), flush=True)
time.sleep(100)
"""


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, timeout=100)
    assert done.returncode == 0, (words, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def stacks(data):
    """Weight and frames, innermost first, of each sample."""
    for block in run(wine.PROGRAM, exe, "script", data).split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) > 1:
            weight = int(lines[0].rsplit(":", 2)[1].split()[0])
            yield weight, [line.split("(")[0].split()[-1] for line in lines[1:]]


@contextlib.contextmanager
def running(python, *words):
    """The program, by the number that Linux has for it, which is that of the loader of programs; and the
    words of its first line, of which the first is Windows' number."""
    # This interpreter under Wine takes no files of a disk for its standard streams.
    target = subprocess.Popen([wine.PROGRAM, python, "-S", *words], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield target, target.stdout.readline().split()
    finally:
        target.send_signal(signal.SIGKILL)
        target.wait()


def dump(pid, *more):
    return run(wine.PROGRAM, exe, "dump", "-p", pid, *more)


def lines_are_where_time_goes(python, folder):
    script = folder / "work.py"
    script.write_text(WORK, encoding="ascii")
    data = folder / "work.data"
    text = run(wine.PROGRAM, exe, "record", "--source", "timer", "-F", "999", "-g", "--save", data,
               "--", python, "-S", script, "5")
    found = list(stacks(data))
    inside = {name: [w for w, names in found if name in names] for name in SHARES}
    print(chance.check_weights(inside, SHARES, 300, SKEW))
    # From the line to main(), through Python and native code.
    whole = sum("spin" in names and "parts" in names[names.index("spin"):] and "Py_RunMain" in names and
                names[-1] == "RtlUserThreadStart" for _, names in found)
    chance.check_at_least(whole, sum(map(len, inside.values())), 0.9, "with all callers")
    report = run(wine.PROGRAM, exe, "report", data, "--sort", "python-line")
    for table, pattern in ((text, r"work\.py:(\d+) +spin"), (report, r" spin +\S+work\.py:(\d+)")):
        hot = re.search(pattern, table)
        assert hot and hot.group(1) in ("4", "5"), table


def shape(text):
    """Functions, lines and variables of a dump, without numbers and addresses that change."""
    return re.sub(r"0x[0-9a-f]+|Process \d+|Thread \d+", "", text)


def dumps_are_the_same(python, folder):
    script = folder / "blocked.py"
    script.write_text(BLOCKED, encoding="utf-8")
    with running(python, script) as (target, (pid, version)):
        wanted = ("inner  ", "blocked.py:6", "number = 42", "word = 'abc'", "outer  ", "blocked.py:8",
                  "<module>  ", "blocked.py:12", "helper  ", "blocked.py:10", "word = '\u00e4'")
        waiting.wait_until(lambda: all(words in dump(pid, "--locals") for words in wanted), "blocked threads")
        ours = dump(pid, "--locals")
        assert f"Python {version}\n" in ours, ours
        theirs = run(here, "dump", "-p", str(target.pid), "--locals")
        assert shape(theirs) == shape(ours), (ours, theirs)
        threads = json.loads(dump(pid, "--json"))
        print(f"dumped alike from Windows and from Linux: {len(ours.splitlines())} lines, "
              f"{len(json.dumps(threads))} bytes of JSON")


def variables_are_those_of_the_program(python, folder):
    script, truth = folder / "variables.py", folder / "truth.json"
    script.write_text(VARIABLES, encoding="ascii")
    with running(python, script, LIVE / "python_frames.py", truth) as (target, (pid,)):
        assert target.stdout.readline() == "ready\n"
        dumped = json.loads(dump(pid, "--locals", "--json"))
        num = python_locals.compare(python, json.loads(truth.read_text(encoding="utf-8")), dumped)
        print(f"{num} variables alike")


def holders(pid):
    return [thread for thread in json.loads(dump(pid, "--json"))["threads"] if thread["holds_gil"]]


def one_thread_has_the_gil(python, folder):
    script = folder / "threads.py"
    script.write_text(THREADS, encoding="ascii")
    with running(python, script) as (_, (pid,)):
        text = run(wine.PROGRAM, exe, "sample", "--source", "timer", "-F", "499", "-p", pid,
                   "--timeout", "2")
        rows = re.findall(r"^ +([\d.]+) +[\d.]+ +\d+ +(\d+) +Thread-\d.*$",
                          text.partition("with GIL %")[2], re.MULTILINE)
        # A thread that asks for the GIL takes CPU time without it, more of it on a busy machine.
        busy = [tid for share, tid in rows if float(share) > 60]
        in_count = re.search(r"(\d+\.\d\d) .* count +threads\.py:3", text)
        assert len(busy) == 2 and in_count and float(in_count[1]) > 80, text
        # Each thread is looked at in its own moment: two may have had it.
        found = next(filter(None, (holders(pid) for _ in range(20))))
        for thread in found:
            assert str(thread["tid"]) in busy and thread["frames"][0]["function"] in ("count", "worker"), found
        print(f"of threads {', '.join(tid for _, tid in rows)} those with the GIL: {', '.join(busy)}")


wine.need(exe, *folders[:1] or [pathlib.Path(sys.argv[4]) / "windows-python-3.11"])
wine.use(prefix)
for home in folders:
    os.environ["PYTHONHOME"] = "Z:" + str(home).replace("/", "\\")
    print(home.name, flush=True)
    for check in (lines_are_where_time_goes, dumps_are_the_same, variables_are_those_of_the_program,
                  one_thread_has_the_gil):
        with tempfile.TemporaryDirectory() as top:
            check(home / "python.exe", pathlib.Path(top))
