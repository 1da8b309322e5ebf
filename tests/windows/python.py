# SPDX-License-Identifier: Apache-2.0
"""Lines of Python with wperf.exe under Wine, of CPython for Windows as scripts/build_windows_python.sh
builds it; and `wperf dump` of Linux, which reads the same process. Skipped where it was not built.
Usage: python.py WPERF_EXE PREFIX WPERF PYTHON_FOLDER"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import wine

exe, prefix, here = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
python = pathlib.Path(sys.argv[4]).resolve() / "python.exe"
ENOUGH, POINTS = 1500, 5
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
import os, threading, time
def inner(word):
    number = 42
    print(os.getpid(), flush=True)
    time.sleep(100)
def outer():
    inner("abc")
def helper(word):
    time.sleep(100)
threading.Thread(target=helper, args=("\u00e4",), daemon=True).start()
outer()
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


def lines_are_where_time_goes(folder):
    script = folder / "work.py"
    script.write_text(WORK, encoding="ascii")
    data = folder / "work.data"
    for seconds in (3, 10):
        text = run(wine.PROGRAM, exe, "record", "--source", "timer", "-F", "999", "-g", "--save", data,
                   "--", python, "-S", script, str(seconds))
        found = list(stacks(data))
        inside = {name: sum(w for w, names in found if name in names) for name in SHARES}
        shares = {name: 100 * weight / sum(inside.values()) for name, weight in inside.items()}
        off = max(abs(shares[name] - share) for name, share in SHARES.items())
        if len(found) >= ENOUGH and off <= POINTS:
            break
    # From the line to main(), through Python and native code.
    whole = sum(w for w, names in found
                if "spin" in names and "parts" in names[names.index("spin"):] and "Py_RunMain" in names and
                names[-1] == "RtlUserThreadStart")
    print(f"{len(found)} samples:", ", ".join(f"{n} {s:.1f} %" for n, s in shares.items()),
          f"with all callers {100 * whole / sum(inside.values()):.1f} %")
    assert off <= POINTS and whole > 0.9 * sum(inside.values()), (shares, whole)
    report = run(wine.PROGRAM, exe, "report", data, "--sort", "python-line")
    for table, pattern in ((text, r"work\.py:(\d+) +spin"), (report, r" spin +\S+work\.py:(\d+)")):
        hot = re.search(pattern, table)
        assert hot and hot.group(1) in ("4", "5"), table


def shape(text):
    """Functions, lines and variables of a dump, without numbers and addresses that change."""
    return re.sub(r"0x[0-9a-f]+|Process \d+|Thread \d+", "", text)


def dumps_are_the_same(folder):
    script = folder / "blocked.py"
    script.write_text(BLOCKED, encoding="utf-8")
    # This interpreter under Wine takes no files of a disk for its standard streams.
    target = subprocess.Popen([wine.PROGRAM, python, "-S", script], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        windows_pid = target.stdout.readline().strip()
        time.sleep(0.5)
        ours = run(wine.PROGRAM, exe, "dump", "-p", windows_pid, "--locals")
        assert "Python 3.11.2" in ours, ours
        for wanted in ("inner  ", "blocked.py:6", "number = 42", "word = 'abc'", "outer  ",
                       "blocked.py:8", "<module>  ", "blocked.py:12", "helper  ", "word = '\u00e4'"):
            assert wanted in ours, (wanted, ours)
        # The process that Linux sees is that of the loader of programs.
        theirs = run(here, "dump", "-p", str(target.pid), "--locals")
        assert shape(theirs) == shape(ours), (ours, theirs)
        threads = json.loads(run(wine.PROGRAM, exe, "dump", "-p", windows_pid, "--json"))
        print(f"dumped alike from Windows and from Linux: {len(ours.splitlines())} lines, "
              f"{len(json.dumps(threads))} bytes of JSON")
    finally:
        target.send_signal(signal.SIGKILL)
        target.wait()


wine.need(exe, python)
wine.use(prefix)
os.environ["PYTHONHOME"] = "Z:" + str(python.parent).replace("/", "\\")
with tempfile.TemporaryDirectory() as top:
    lines_are_where_time_goes(pathlib.Path(top))
    dumps_are_the_same(pathlib.Path(top))
