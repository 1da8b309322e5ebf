# SPDX-License-Identifier: Apache-2.0
"""Time off the CPU by line, beside what the program clocks; as root and as an ordinary user.

off_cpu.py WPERF FOLDER
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import chance
import waiting
from page_stacks import Page
from recorder import parse_script, run, run_tests, sampling_rate

NOBODY = 65534
SKIPPED = 77
PYTHON = "/usr/bin/python3"
CLOCK = ("-e", "cpu-clock", "-F", str(sampling_rate(999)))
CLOCKS_NS = 1_000_000  # to read two clocks, and for the kernel to leave a thread or to come back to it
# Of the time that a thread is not on a core by its clocks, it may be on one all the same: in interrupts,
# or while the virtual machine is stopped.
INTERRUPTED = 0.03
SHORTEST_NS = 200_000_000  # of the waits

# Each function waits in one line, and says how long each time took, and how much of it was on a core:
# that is read outside of the other, so that the difference is never more than the time off the core.
WAITS = """
import json, os, sys, threading, time
# Nobody can see from outside when the profiler has found the interpreter: it has a second for it.
while time.monotonic() < float(sys.argv[2]):
    time.sleep(0.01)
lock, held, pipe = threading.Lock(), threading.Event(), os.pipe()
waits = {}
def begin():
    return time.thread_time_ns(), time.monotonic_ns()
def end(name, began):
    whole = time.monotonic_ns() - began[1]
    waits.setdefault(name, []).append([whole, time.thread_time_ns() - began[0]])
def sleeper():
    for _ in range(4):
        began = begin()
        time.sleep(0.2)  # wait sleeper
        end("sleeper", began)
def holder():
    lock.acquire()
    held.set()
    began = begin()
    time.sleep(0.7)  # wait holder
    end("holder", began)
    lock.release()
def waiter():
    began = begin()
    lock.acquire()  # wait waiter
    end("waiter", began)
def reader():
    began = begin()
    os.read(pipe[0], 1)  # wait reader
    end("reader", began)
def parent():
    child = os.spawnlp(os.P_NOWAIT, "sleep", "sleep", "0.5")
    began = begin()
    os.waitpid(child, 0)  # wait parent
    end("parent", began)
def starter():
    began = begin()
    time.sleep(0.9)  # wait starter
    end("starter", began)
threads = [threading.Thread(target=function) for function in (holder, sleeper, waiter, reader, parent)]
threads[0].start()
held.wait()
for thread in threads[1:]:
    thread.start()
starter()
os.write(pipe[1], b"x")
for thread in threads:
    thread.join()
json.dump(waits, open(sys.argv[1], "w"))
"""

# Threads that have hardly begun when they sleep; some do not yet run Python when they are sampled first.
BEGINNERS = """
import json, sys, threading, time
while time.monotonic() < float(sys.argv[2]):
    time.sleep(0.01)
def nap():
    time.sleep(0.001)
for _ in range(250):
    threads = [threading.Thread(target=nap) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
json.dump({}, open(sys.argv[1], "w"))
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

# Says how long each function took, and how much of it was on a core.
NATIVE = """
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#define CALL __attribute__((noinline)) static void
static long now(clockid_t clock) { struct timespec t; clock_gettime(clock, &t);
	return t.tv_nsec + t.tv_sec * 1000000000L; }
CALL spin(void) { while (now(CLOCK_PROCESS_CPUTIME_ID) < 200000000) continue; }
CALL nap(void) { for (int i = 0; i < 3; i++) usleep(100000); }
CALL await(void) { int ends[2]; if (pipe(ends) == 0) { struct pollfd p = {ends[0], POLLIN, 0};
	poll(&p, 1, 200); } }
CALL clocked(void (*wait)(void)) {
	long on_core = now(CLOCK_THREAD_CPUTIME_ID), whole = now(CLOCK_MONOTONIC);
	wait();
	whole = now(CLOCK_MONOTONIC) - whole;
	printf("%ld %ld\\n", whole, now(CLOCK_THREAD_CPUTIME_ID) - on_core); }
int main(void) { spin(); clocked(nap); clocked(await); return 0; }
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
    result = subprocess.run([places.wperf, "record", *CLOCK, "--off-cpu", "--json", *more, "--",
                             PYTHON, str(program), str(truth), str(time.monotonic() + 1)], capture_output=True, text=True,
                            cwd=places.folder, timeout=120, check=False, **who)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), json.loads(truth.read_text()), result.stderr


def off_cpu_of(report, rows, part):
    """Nanoseconds off the CPU of each row; @part: self or total."""
    off = [event["event"] for event in report["python"]["events"]].index("off-cpu")
    return [(row, row["events"][off][part]["weight"]) for row in report["python"][rows]]


def weights(report):
    """By the line's comment."""
    return {row["source"].partition("# ")[2]: weight for row, weight in off_cpu_of(report, "lines", "self")
            if "# " in row.get("source", "")}


def stalls(report, notes):
    """How long threads waited for a core or for the GIL, wherever they were."""
    found = re.search(r"([\d.]+) s of off-cpu time was waiting for a free core", notes)
    return (float(found[1]) * 1e9 if found else 0) + sum(
        thread["waits_for_gil"] for thread in report["threads"] if thread["event"] == "off-cpu")


def least_away(whole, on_core):
    return (whole - on_core) * (1 - INTERRUPTED) - CLOCKS_NS


def compare_waits(report, waits, notes, may_miss=0):
    """The function has all of its time off the core, and the line that waits has it, but for what a
    busy machine adds: waits for a core or for the GIL are also on other lines.
    @may_miss: so much was over before its stack was read."""
    lines, stalled = weights(report), stalls(report, notes)
    inside = {row["function"]: weight for row, weight in off_cpu_of(report, "functions", "total")}
    assert set(waits) == {"sleeper", "holder", "waiter", "reader", "parent", "starter"}, waits
    for name, times in waits.items():
        whole, on_core = map(sum, zip(*times))
        least, most = least_away(whole, on_core) - may_miss, whole + CLOCKS_NS * len(times)
        seen, elsewhere = lines.get(f"wait {name}", 0), inside.get(name, 0) - lines.get(f"wait {name}", 0)
        figures = {"line": seen, "elsewhere": elsewhere, "by its clock": whole, "on a core": on_core,
                   "stalled": stalled}
        assert least <= seen + elsewhere and seen <= most, (name, figures, notes)
        assert elsewhere <= stalled + CLOCKS_NS and seen > least / 2, (name, figures, notes)


def check_waits(places):
    report, waits, notes = record(places, WAITS, False)
    compare_waits(report, waits, notes)
    named = {thread["event"] for thread in report["threads"]}
    assert named == {"cpu-clock", "off-cpu"}, named


def check_waits_of_users(places):
    report, waits, notes = record(places, WAITS, True)
    assert "read while threads wait" in notes, notes
    # What is so short is no wait, but a thread that is kept from its core; none of the waits is missing.
    compare_waits(report, waits, notes, min(stalls(report, notes), SHORTEST_NS / 2))


def check_beginners(places):
    """Each first sleep of a thread has its line."""
    saved = places.folder / "saved.data"
    record(places, BEGINNERS, False, "--save", str(saved))
    sleeps = [sample.names() for sample in parse_script(run([places.wperf, "script", "-i", saved]).stdout)
              if sample.event == "off-cpu" and sample.tid != sample.pid and "clock_nanosleep" in sample.names()]
    nameless = [names for names in sleeps if "nap" not in names]
    assert len(sleeps) >= 900 and not nameless, (len(sleeps), len(nameless), nameless[:1])
    return f"{len(sleeps)} sleeps"


def check_file(places):
    """What is off the CPU is in the file: report says the same."""
    saved = places.folder / "saved.data"
    report, waits, notes = record(places, WAITS, False, "--save", str(saved))
    compare_waits(report, waits, notes)
    found = subprocess.run([places.wperf, "report", "-i", str(saved), "--event", "off-cpu", "--sort",
                            "python-line", "--json"], capture_output=True, text=True, check=True)
    text = json.dumps(json.loads(found.stdout))
    assert "off-cpu" in text and "program.py" in text, text[:300]
    lines = weights(report)
    collapsed = subprocess.run([places.wperf, "export", "-i", str(saved), "--event", "off-cpu",
                                "--format", "collapsed", "--output", "/dev/stdout"],
                               capture_output=True, text=True, check=True).stdout
    in_file = sum(int(line.rpartition(" ")[2]) for line in collapsed.splitlines() if "sleeper" in line)
    assert lines["wait sleeper"] <= in_file <= lines["wait sleeper"] + stalls(report, notes) + CLOCKS_NS, (
        in_file, lines["wait sleeper"])


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
    waits = [time for times in json.loads(truth.read_text()).values() for time in times]
    least = sum(least_away(*times) for times in waits)
    assert least < seen < 6 * least, (seen, least)
    return None


def sleeping(places, pid):
    """Functions whose threads sleep."""
    threads = json.loads(run([places.wperf, "dump", "-p", pid, "--json"]).stdout)["threads"]
    return {thread["frames"][0]["function"] for thread in threads
            if thread["frames"] and thread["state"] == "sleeps"}


def check_sleepers(places):
    """Threads that sleep all the time, in a program that runs already."""
    script = ("import threading, time\ndef first():\n    time.sleep(100)  # first\n"
              "def second():\n    time.sleep(100)  # second\n"
              "for f in (first, second): threading.Thread(target=f, daemon=True).start()\n"
              "print(flush=True)\nwhile True: time.sleep(0.1)  # main\n")
    program, saved = places.write("asleep.py", script), places.folder / "asleep.data"
    for user in ({}, {"user": NOBODY, "group": NOBODY}):
        with subprocess.Popen([PYTHON, str(program)], stdout=subprocess.PIPE, **user) as target:
            try:
                target.stdout.readline()
                waiting.wait_until(lambda: sleeping(places, target.pid) >= {"first", "second"}, "threads sleep")
                began = time.monotonic_ns()
                result = subprocess.run([places.wperf, "record", "--json", *CLOCK, "--off-cpu",
                                         "--save", str(saved), "-p", str(target.pid), "--timeout", "1"],
                                        capture_output=True, text=True, check=False, timeout=60, **user)
                whole = time.monotonic_ns() - began
            finally:
                target.kill()
        assert result.returncode == 0, result.stderr
        found = weights(json.loads(result.stdout))
        assert all(0.8e9 < found.get(name, 0) < whole for name in ("first", "second")), (found, whole)
        assert found.get("main", 0) > 0.5e9, found
        text = subprocess.run([places.wperf, "report", "-i", str(saved), "--event", "off-cpu", "--sort",
                               "python-line"], capture_output=True, text=True, check=True, **user).stdout
        assert "asleep.py:3" in text and "asleep.py:5" in text, text
        saved.unlink()


STATES = ("gil_unknown", "with_gil", "without_gil", "waits_for_gil")


def states_of_page(path):
    """Weight by event, thread and state of the GIL, as in the threads of --json."""
    page = Page(path)
    summary = json.loads(page.parts["summary"])
    columns = [page.steps(f"sample-{name}") for name in ("event", "thread", "weight")]
    sums = {}
    for event, thread, weight, state in zip(*columns, page.column("sample-state"), strict=True):
        key = (summary["events"][event]["name"], summary["threads"][thread]["tid"], STATES[state])
        sums[key] = sums.get(key, 0) + weight
    return sums


def compare_pages(places, report, who):
    """The page of the run, and those of its recording, have what the table has."""
    expected = {(thread["event"], thread["tid"], state): thread[state] for thread in report["threads"]
                for state in STATES if thread[state]}
    pages, saved = [places.folder / f"{name}.html" for name in ("run", "report", "flames")], places.folder / "fight.data"
    run([places.wperf, "report", "-i", saved, "--html", pages[1]], **who)
    run([places.wperf, "flamegraph", "-i", saved, "-o", pages[2]], **who)
    for page in pages:
        found = {key: weight for key, weight in states_of_page(page).items() if weight}
        assert found == expected, (page.name, found, expected)
    for path in (*pages, saved):
        path.unlink()


def compare_fight(places, user):
    report, shares, _ = record(places, FIGHT, user, "--html", "run.html", "--save", "fight.data")
    compare_pages(places, report, {"user": NOBODY, "group": NOBODY} if user else {})
    of = {}
    for thread in report["threads"]:
        of.setdefault(str(thread["tid"]), {})[thread["event"]] = thread
    for tid, (spent, whole) in shares.items():
        on, off = of[tid]["cpu-clock"], of[tid]["off-cpu"]
        waited = off["waits_for_gil"]
        away = sum(off[state] for state in STATES)
        # A new thread waits for the GIL before it looks at its clock.
        assert least_away(whole, spent) < away < whole - spent + 0.15 * whole + 1e8, (away, whole, spent)
        assert waited > 0.12 * whole, (waited, whole)
        known = sum(on[state] for state in ("with_gil", "without_gil", "waits_for_gil"))
        chance.check_at_least(on["with_gil"] * on["samples"] // known, on["samples"], 0.9, on)


def check_fight(places):
    compare_fight(places, False)


def check_fight_of_users(places):
    compare_fight(places, True)


def check_gil_only(places):
    """hashlib gives the GIL back: nothing of it is left."""
    script = ("import hashlib, sys, time\nblob = b'x' * (4 << 20)\n"
              "while time.monotonic() < float(sys.argv[1]): time.sleep(0.01)\n"
              "end = time.process_time() + 1\nwhile time.process_time() < end:\n"
              "    hashlib.sha256(blob).digest()  # native\n"
              "    for i in range(200000): pass  # bytecode\n")
    program = places.write("mix.py", script)
    for words in ([], ["--gil"]):
        result = subprocess.run([places.wperf, "record", *CLOCK, "--json", *words, "--", PYTHON,
                                 str(program), str(time.monotonic() + 1)], capture_output=True, text=True,
                                check=False, timeout=60)
        assert result.returncode == 0, result.stderr
        found = {row["source"].partition("# ")[2]: row["events"][0]["self"]["samples"]
                 for row in json.loads(result.stdout)["python"]["lines"] if "# " in row.get("source", "")}
        native, total = found.get("native", 0), found.get("native", 0) + found["bytecode"]
        if words:
            chance.check_at_most(native, total, 0.03, found)
        else:
            chance.check_at_least(native, total, 0.15, found)
    assert "samples left out, because their thread did not hold the GIL" in result.stderr, result.stderr


def check_native(places):
    places.write("waits.c", NATIVE)
    program, saved = places.folder / "waits", places.folder / "native.data"
    subprocess.run(["cc", "-g", "-O1", "-o", str(program), str(places.folder / "waits.c")], check=True)
    clocked = run([places.wperf, "record", "-q", *CLOCK, "--off-cpu", "--save", saved, "--", program]).stdout
    collapsed = subprocess.run([places.wperf, "export", "-i", str(saved), "--event", "off-cpu",
                                "--format", "collapsed", "--output", "/dev/stdout"],
                               capture_output=True, text=True, check=True).stdout
    for function, line in zip(("nap", "await"), clocked.splitlines()):
        whole, on_core = map(int, line.split())
        seen = sum(int(line.rpartition(" ")[2]) for line in collapsed.splitlines()
                   if function in line.replace(" ", ";").split(";"))
        assert least_away(whole, on_core) < seen < whole + CLOCKS_NS, (function, seen, line, collapsed[:400])


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
        return run_tests([check_waits, check_waits_of_users, check_beginners, check_file, check_file_of_perf, check_sleepers,
                          check_fight,
                          check_fight_of_users, check_gil_only, check_native, check_refusals], places)
    finally:
        places.remove()


if __name__ == "__main__":
    sys.exit(main())
