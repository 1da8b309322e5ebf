# SPDX-License-Identifier: Apache-2.0
"""The event `exceptions`: what a program raises, by type and line, under every interpreter of this machine
that has a place for it; counts are exact but for what compilers and versions raise twice, which the
program's own lines do not. python_exceptions.py WPERF"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile

import jsonschema

import pythons
from recorder import find_rows
from waiting import wait_for_counters, wait_for_recording

WPERF = sys.argv[1]
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs/schemas"
SCHEMA = json.loads((SCHEMAS / "python.schema.json").read_text())
OLDEST, IMPORTS = 8, 2
STARTED = 11, 13  # one that has a program alone, and one whose place the compiler split

# In portions: the kernel stops an event that comes too often for the rest of a tick.
PROGRAM = """
import os, sys, time
class Mine(Exception):
    pass
def values(number):
    for _ in range(number):
        try:
            raise ValueError("x")
        except ValueError:
            pass
def keys(number, table):
    for _ in range(number):
        try:
            table["b"]
        except KeyError:
            pass
def mine(number):
    for _ in range(number):
        try:
            raise Mine
        except Mine:
            pass
def again(number):
    for _ in range(number):
        try:
            try:
                raise OSError
            except OSError:
                raise
        except OSError:
            pass
def swallowed(number):
    for _ in range(number):
        for _ in [1, 2]:
            next(iter([]), None)
def deep(calls):
    if calls == 0:
        raise IndexError
    deep(calls - 1)
sys.setrecursionlimit(3000)
if sys.argv[1:]:
    sys.stdout.write("ready\\n"); sys.stdout.flush()
    sys.stdin.readline()
for _ in range(50):
    values(20); keys(10, {}); mine(2); again(3); swallowed(5)
    time.sleep(0.005)
    try:
        deep(1500) # deeper than wperf looks
    except IndexError:
        pass
"""
TRUE = {("ValueError", 8): 1000, ("KeyError", 14): 500, ("Mine", 20): 100, ("OSError", 27): 150,
        ("IndexError", 38): 50}


def record(folder, *words, **more):
    result = subprocess.run([WPERF, "record", "-q", "-g", "-e", "exceptions", "-o", folder / "data", *words],
                            capture_output=True, text=True, timeout=120, check=False, **more)
    assert result.returncode == 0, (words, result.stderr)


def report(folder, *words):
    return subprocess.run([WPERF, "report", "-i", folder / "data", *words], capture_output=True, text=True,
                          timeout=60, check=True).stdout


def check_recording(python, folder, least=1.0):
    """@least: of each; the first of a program that starts may come before wperf knows its interpreter."""
    python_part = json.loads(report(folder, "--json"))["report"]["python"]
    jsonschema.validate(python_part, SCHEMA)
    found = {(row["exception"], row["line"]): row["events"][0]["self"]["samples"]
             for row in python_part["exceptions"]
             if row["file"].endswith("/raises.py") and row["line"] > IMPORTS}
    assert set(found) == set(TRUE), (python, found)
    assert all(least * TRUE[key] <= found[key] <= TRUE[key] for key in TRUE), (python, found)
    lines = {row["line"]: row for row in python_part["lines"] if row["file"].endswith("/raises.py")}
    for (_, line), number in found.items():
        assert lines[line]["events"][0]["self"]["samples"] == number, (python, lines[line])
        assert lines[line]["function"] in ("values", "keys", "mine", "again", "deep"), lines[line]
    text = report(folder, "--no-browse", "--sort", "python-exception")
    by_type = {line.split()[2]: int(line.split()[1].replace(",", "")) for line in text.splitlines()
               if len(line.split()) == 3 and line.split()[0][0].isdigit()}
    # By the interpreter's start, too.
    assert by_type["ValueError"] >= found[("ValueError", 8)] and by_type["Mine"] == found[("Mine", 20)], text
    return sum(found.values())


def check_started(python, folder):
    record(folder, "--", python, folder / "raises.py")
    number = check_recording(python, folder, 0.9)
    result = subprocess.run([WPERF, "stat", "-e", "exceptions", "--json", "--", python, folder / "raises.py"],
                            capture_output=True, text=True, timeout=60, check=True)
    row, = find_rows(json.loads(result.stdout[result.stdout.index("{"):]))
    counted = row["counter_value"]
    true = sum(TRUE.values())
    assert row["event_name"] == "exceptions" and true <= counted < true + 1500, (row, number)
    print(f"{python}, started: {number} exceptions of {true}, {counted} counted", flush=True)


def check_attached(python, folder):
    """Some are behind a shell script, run by their own loader, and stripped: the place is found in what the
    process has mapped."""
    with subprocess.Popen([python, folder / "raises.py", "waits"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as process:
        assert process.stdout.readline() == "ready\n"
        (folder / "data").unlink(missing_ok=True)
        with subprocess.Popen([WPERF, "record", "-q", "-g", "-e", "exceptions", "-p", str(process.pid), "-o",
                               folder / "data"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as wperf:
            wait_for_counters(wperf.pid)
            wait_for_recording(folder / "data")
            process.communicate("\n")
            wperf.send_signal(signal.SIGINT)
            _, errors = wperf.communicate(timeout=60)
            assert wperf.returncode == 0, errors
    print(f"{python}, attached: {check_recording(python, folder)} exceptions", flush=True)


def main():
    checked = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "raises.py").write_text(PROGRAM)
        for python, minor in pythons.find_all():
            if minor < OLDEST:
                refused = subprocess.run([WPERF, "stat", "-e", "exceptions", "--", python, "-V"],
                                         capture_output=True, text=True, timeout=60, check=False)
                assert refused.returncode and "has no place known to raise" in refused.stderr, refused
                continue
            check_attached(python, folder)
            is_script = pathlib.Path(python).parent == pythons.FETCHED
            if not is_script and minor in STARTED:
                check_started(python, folder)
            checked += 1
        for target, words in (["-a", "--timeout", "1"], "'exceptions' needs a program or processes"), \
                (["--", "/bin/true"], "'/bin/true' has no place known to raise"):
            refused = subprocess.run([WPERF, "record", "-e", "exceptions", "-o", folder / "no", *target],
                                     capture_output=True, text=True, timeout=60, check=False)
            assert refused.returncode and words in refused.stderr, refused
        for command in ["record", "-o", folder / "data"], ["stat"]:
            noted = subprocess.run([WPERF, *command, "-e", "exceptions", "--", sys.executable, "-c", "pass"],
                                   capture_output=True, text=True, timeout=60, check=True).stderr
            assert "of threads and children that start later are not counted\n" in noted, noted
    assert checked


main()
