# SPDX-License-Identifier: Apache-2.0
"""Time off the CPU by line, beside what the program clocks; as root and as an ordinary user.

off_cpu.py WPERF FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from recorder import run_tests

NOBODY = 65534
SKIPPED = 77
PYTHON = "/usr/bin/python3"

WAITS = """
import json, os, sys, threading, time
# On a crowded machine it takes the profiler a while to find the interpreter.
while time.monotonic() < float(sys.argv[2]):
    time.sleep(0.01)
lock = threading.Lock()
pipe = os.pipe()
clocked = {}
def clock(name, began):
    clocked[name] = clocked.get(name, 0) + time.monotonic_ns() - began
def sleeper():
    for _ in range(4):
        began = time.monotonic_ns()
        time.sleep(0.1)  # wait sleep
        clock("sleep", began)
def holder():
    lock.acquire()
    time.sleep(0.35)  # wait hold
    lock.release()
def waiter():
    time.sleep(0.05)
    began = time.monotonic_ns()
    lock.acquire()  # wait lock
    clock("lock", began)
def reader():
    began = time.monotonic_ns()
    os.read(pipe[0], 1)  # wait pipe
    clock("pipe", began)
def child():
    began = time.monotonic_ns()
    os.waitpid(os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "0.25"), 0)  # wait child
    clock("child", began)
threads = [threading.Thread(target=function) for function in (sleeper, holder, waiter, reader, child)]
for thread in threads:
    thread.start()
time.sleep(0.45)  # wait main
os.write(pipe[1], b"x")
for thread in threads:
    thread.join()
json.dump(clocked, open(sys.argv[1], "w"))
"""

FIGHT = """
import json, os, sys, threading, time
shares = {}
def fight():
    began, end = time.monotonic_ns(), time.thread_time_ns() + 600000000
    x = 0
    while time.thread_time_ns() < end:
        for i in range(20000): x = (x * 3 + i) & 0xffff  # work
    spent, whole = time.thread_time_ns(), time.monotonic_ns() - began
    shares[threading.get_native_id()] = [spent, whole]
threads = [threading.Thread(target=fight) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
json.dump(shares, open(sys.argv[1], "w"))
"""

NATIVE = """
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#define CALL __attribute__((noinline)) static void
CALL spin(void) { struct timespec t; do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_nsec + t.tv_sec * 1000000000L < 200000000); }
CALL nap(void) { for (int i = 0; i < 3; i++) usleep(100000); }
CALL await(void) { int ends[2]; if (pipe(ends) == 0) { struct pollfd p = {ends[0], POLLIN, 0};
	poll(&p, 1, 200); } }
int main(void) { spin(); nap(); await(); return 0; }
"""


class Places:
    """A folder that an ordinary user can use as well."""

    def __init__(self, wperf):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wperf-off-cpu-"))
        self.folder.chmod(0o777)
        self.wperf = shutil.copy(wperf, self.folder / "wperf")

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o666)
        return path

    def remove(self):
        shutil.rmtree(self.folder)


def record(places, script, user, *more):
    truth = places.write("truth.json", "{}")
    program = places.write("program.py", script)
    who = {"user": NOBODY, "group": NOBODY} if user else {}
    result = subprocess.run([places.wperf, "record", "-e", "cpu-clock", "--off-cpu", "--json", *more, "--",
                             PYTHON, str(program), str(truth), str(time.monotonic() + 1)], capture_output=True, text=True,
                            cwd=places.folder, timeout=120, check=False, **who)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), json.loads(truth.read_text()), result.stderr


def weights(report):
    """Nanoseconds off the CPU, by the line's comment."""
    off = [event["event"] for event in report["python"]["events"]].index("off-cpu")
    return {line["source"].partition("# ")[2]: line["events"][off]["self"]["weight"]
            for line in report["python"]["lines"] if "# " in line.get("source", "")}


def compare_waits(report, clocked, tolerance):
    found = weights(report)
    for name, expected in clocked.items():
        seen = found.get(f"wait {name}", 0)
        assert abs(seen - expected) < tolerance * expected + 4e6, (name, seen / 1e6, expected / 1e6)
    for name, expected in (("hold", 350e6), ("main", 450e6)):
        seen = found.get(f"wait {name}", 0) * (1 + tolerance)
        assert expected <= seen < 1.3 * expected, (name, found)


def check_waits(places):
    report, clocked, _ = record(places, WAITS, False)
    compare_waits(report, clocked, 0.05)
    named = {thread["event"] for thread in report["threads"]}
    assert named == {"cpu-clock", "off-cpu"}, named


def check_waits_of_users(places):
    report, clocked, notes = record(places, WAITS, True)
    assert "read while threads wait" in notes, notes
    compare_waits(report, clocked, 0.1)


def check_file(places):
    """What is off the CPU is in the file: report says the same."""
    saved = places.folder / "saved.data"
    report, clocked, _ = record(places, WAITS, False, "--save", str(saved))
    compare_waits(report, clocked, 0.05)
    found = subprocess.run([places.wperf, "report", "-i", str(saved), "--event", "off-cpu", "--sort",
                            "python-line", "--json"], capture_output=True, text=True, check=True)
    text = json.dumps(json.loads(found.stdout))
    assert "off-cpu" in text and "program.py" in text, text[:300]
    lines = weights(report)
    collapsed = subprocess.run([places.wperf, "export", "-i", str(saved), "--event", "off-cpu",
                                "--format", "collapsed", "--output", "/dev/stdout"],
                               capture_output=True, text=True, check=True).stdout
    in_file = sum(int(line.rpartition(" ")[2]) for line in collapsed.splitlines() if "sleeper" in line)
    assert abs(in_file - lines["wait sleep"]) < 0.05 * in_file, (in_file, lines["wait sleep"])


def check_file_of_perf(places):
    """Its own switches say the same of a thread."""
    if not shutil.which("perf"):
        return "skipped: there is no perf"
    saved, truth = places.folder / "perf.data", places.write("truth.json", "{}")
    program = places.write("program.py", WAITS)
    subprocess.run(["perf", "record", "-q", "-e", "context-switches", "-c", "1", "--switch-events",
                    "-o", str(saved), "--", PYTHON, str(program), str(truth), "0"], check=True,
                   capture_output=True, timeout=60)
    found = subprocess.run([places.wperf, "export", "-i", str(saved), "--event", "off-cpu", "--format",
                            "collapsed", "--output", "/dev/stdout"], capture_output=True, text=True,
                           check=True).stdout
    seen = sum(int(line.rpartition(" ")[2]) for line in found.splitlines())
    least = sum(json.loads(truth.read_text()).values())
    assert least < seen < 6 * least, (seen, least)
    return None


def check_sleepers(places):
    """Threads that sleep all the time, in a program that runs already."""
    script = ("import threading, time\ndef first():\n    time.sleep(100)  # first\n"
              "def second():\n    time.sleep(100)  # second\n"
              "for f in (first, second): threading.Thread(target=f, daemon=True).start()\n"
              "print(flush=True)\nwhile True: time.sleep(0.01)  # main\n")
    program, saved = places.write("asleep.py", script), places.folder / "asleep.data"
    for user in ({}, {"user": NOBODY, "group": NOBODY}):
        with subprocess.Popen([PYTHON, str(program)], stdout=subprocess.PIPE, **user) as target:
            try:
                target.stdout.readline()
                time.sleep(0.3)
                result = subprocess.run([places.wperf, "record", "--json", "-e", "cpu-clock", "--off-cpu",
                                         "--save", str(saved), "-p", str(target.pid), "--timeout", "1"],
                                        capture_output=True, text=True, check=False, timeout=60, **user)
            finally:
                target.kill()
        assert result.returncode == 0, result.stderr
        found = weights(json.loads(result.stdout))
        assert all(0.9e9 < found.get(name, 0) < 1.5e9 for name in ("first", "second")), found
        assert found.get("main", 0) > 0.5e9, found
        text = subprocess.run([places.wperf, "report", "-i", str(saved), "--event", "off-cpu", "--sort",
                               "python-line"], capture_output=True, text=True, check=True, **user).stdout
        assert "asleep.py:3" in text and "asleep.py:5" in text, text
        saved.unlink()


def compare_fight(places, user):
    report, shares, _ = record(places, FIGHT, user)
    of = {}
    for thread in report["threads"]:
        of.setdefault(str(thread["tid"]), {})[thread["event"]] = thread
    for tid, (spent, whole) in shares.items():
        on, off = of[tid]["cpu-clock"], of[tid]["off-cpu"]
        waited = off["waits_for_gil"]
        away = sum(off[state] for state in ("gil_unknown", "with_gil", "without_gil", "waits_for_gil"))
        assert abs(away - (whole - spent)) < 0.15 * whole, (away, whole, spent)
        assert waited > 0.12 * whole, (waited, whole)
        held = on["with_gil"]
        assert held > 0.9 * sum(on[state] for state in ("with_gil", "without_gil", "waits_for_gil")), on


def check_fight(places):
    compare_fight(places, False)


def check_fight_of_users(places):
    compare_fight(places, True)


def check_gil_only(places):
    """hashlib gives the GIL back: nothing of it is left."""
    script = ("import hashlib, time\nblob = b'x' * (4 << 20)\nend = time.time() + 0.8\n"
              "while time.time() < end:\n    hashlib.sha256(blob).digest()  # native\n"
              "    for i in range(200000): pass  # bytecode\n")
    program = places.write("mix.py", script)
    found = {}
    for words in ([], ["--gil"]):
        result = subprocess.run([places.wperf, "record", "-e", "cpu-clock", "--json", *words, "--", PYTHON,
                                 str(program)], capture_output=True, text=True, check=False, timeout=60)
        assert result.returncode == 0, result.stderr
        found[bool(words)] = {line["line"]: line["events"][0]["self"]["percent"]
                              for line in json.loads(result.stdout)["python"]["lines"]
                              if line["file"].endswith("mix.py")}
    assert found[False][5] > 20 and found[True].get(5, 0) < 10 < 60 < found[True][6], found
    assert "samples left out, because their thread did not hold the GIL" in result.stderr, result.stderr


def check_native(places):
    places.write("waits.c", NATIVE)
    program, saved = places.folder / "waits", places.folder / "native.data"
    subprocess.run(["cc", "-g", "-O1", "-o", str(program), str(places.folder / "waits.c")], check=True)
    subprocess.run([places.wperf, "record", "-q", "-e", "cpu-clock", "--off-cpu", "--save", str(saved), "--",
                    str(program)], check=True, timeout=60)
    collapsed = subprocess.run([places.wperf, "export", "-i", str(saved), "--event", "off-cpu",
                                "--format", "collapsed", "--output", "/dev/stdout"],
                               capture_output=True, text=True, check=True).stdout
    for function, expected in (("nap", 300e6), ("await", 200e6)):
        seen = sum(int(line.rpartition(" ")[2]) for line in collapsed.splitlines()
                   if function in line.replace(" ", ";").split(";"))
        assert expected <= seen < 2 * expected, (function, seen, collapsed[:400])


def check_refusals(places):
    result = subprocess.run([places.wperf, "record", "--source", "sim", "--off-cpu", "-c", "0",
                             "--timeout", "1", "--pe_file", places.wperf], capture_output=True, text=True, check=False)
    assert result.returncode and "cannot measure off-CPU time" in result.stderr, result.stderr
    result = subprocess.run([places.wperf, "record", "--gil", "--python", "native", "--", "true"],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 2 and "--gil and --python native cannot be combined" in result.stderr, result.stderr
    result = subprocess.run([places.wperf, "record", "--gil", "--", "seq", "8000000"], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True, check=False)
    assert not result.returncode and "no sample held the GIL" in result.stderr, result.stderr


def main():
    if os.geteuid() != 0:
        print("takes root")
        return SKIPPED
    places = Places(sys.argv[1])
    try:
        return run_tests([check_waits, check_waits_of_users, check_file, check_file_of_perf, check_sleepers,
                          check_fight,
                          check_fight_of_users, check_gil_only, check_native, check_refusals], places)
    finally:
        places.remove()


if __name__ == "__main__":
    sys.exit(main())
