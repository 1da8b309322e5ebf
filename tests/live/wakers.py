# SPDX-License-Identifier: Apache-2.0
"""Who ends the waits of programs whose truth is known: chains of threads, a lock with a known holder, timers.

wakers.py WPERF FOLDER
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import waiting
from page_stacks import Page
from recorder import run_tests

NOBODY = 65534
SKIPPED = 77
PYTHON = "/usr/bin/python3"
CLOCK = ("-e", "cpu-clock", "-F", "99")
CLOCKS_NS = 1_000_000  # to read two clocks, and for the kernel to leave a thread or to come back to it
INTERRUPTED = 0.03  # of a wait: the thread was on a core for some of what it clocked
HOPS = 7  # of the long chain: more than are kept

# Each wait is a function of its own, clocked by the program. Threads are in a chain: each waits for the
# next one, by a pipe or by a futex; the last one sleeps. At last it waits for whoever writes to it.
NATIVE = """
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define CALL __attribute__((noinline, noclone)) static void
#define END __asm__ volatile("" ::: "memory")
enum { HOPS = %d };
static int ends[HOPS + 1][2], word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held, begun;
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_nsec + t.tv_sec * 1000000000L; }
static void clocked(const char *name, void (*wait)(void)) { long began = now(); wait();
	printf("%%s %%ld\\n", name, now() - began); }
static void name(const char *text) { pthread_setname_np(pthread_self(), text); }
static void take(int hop) { char c; if (read(ends[hop][0], &c, 1) != 1) _exit(3); END; }
static void give(int hop) { if (write(ends[hop][1], "x", 1) != 1) _exit(3); END; }
CALL nap(void) { usleep(200000); END; }
CALL wait_for_b(void) { take(0); END; }
CALL wait_for_c(void) { while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); }
CALL wake_a(void) { give(0); END; }
CALL wake_b(void) { __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); END; }
CALL wait_for_lock(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); END; }
CALL let_lock_go(void) { pthread_mutex_unlock(&mutex); END; }
CALL wait_for_anybody(void) { char c; if (read(0, &c, 1) != 1) _exit(3); END; }
CALL wait_for_hops(void) { take(1); END; }
static void *b(void *p) { name("thread-b"); pthread_barrier_wait(&begun); wait_for_c(); wake_a(); return p; }
static void *c(void *p) { name("thread-c"); pthread_barrier_wait(&begun); nap(); wake_b(); return p; }
static void *holder(void *p) { name("holder"); pthread_mutex_lock(&mutex); pthread_barrier_wait(&held); nap();
	let_lock_go(); return p; }
static void *hop(void *p) { long n = (long)p; char text[16]; snprintf(text, 16, "hop-%%ld", n); name(text);
	pthread_barrier_wait(&begun);
	if (n == HOPS) nap(); else take(n + 1); give(n); return NULL; }
int main(void) {
	pthread_t threads[2 + HOPS];
	name("main");
	for (int i = 0; i <= HOPS; i++) if (pipe(ends[i])) return 3;
	pthread_barrier_init(&begun, NULL, 2);
	pthread_create(&threads[0], NULL, c, NULL);
	pthread_create(&threads[1], NULL, b, NULL);
	clocked("wait_for_b", wait_for_b);
	pthread_barrier_init(&held, NULL, 2);
	pthread_create(&threads[0], NULL, holder, NULL);
	pthread_barrier_wait(&held);
	clocked("wait_for_lock", wait_for_lock);
	pthread_barrier_init(&begun, NULL, HOPS);
	for (long i = HOPS; i > 0; i--) pthread_create(&threads[i], NULL, hop, (void *)i);
	clocked("wait_for_hops", wait_for_hops);
	clocked("nap", nap);
	printf("ready %%d\\n", getpid()); fflush(stdout);
	clocked("wait_for_anybody", wait_for_anybody);
	return 0; }
""" % HOPS

# The same with lines of Python.
LINES = """
import os, socket, threading, time
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
taken = server.accept()[0]
first, second = os.pipe(), os.pipe()
lock, held = threading.Lock(), threading.Event()
began = time.monotonic()
while time.monotonic() < began + 1:  # the profiler has found the interpreter by then
    time.sleep(0.01)
def thread_b():
    os.read(second[0], 1)  # b waits
    os.write(first[1], b"x")  # b wakes
def thread_c():
    time.sleep(0.2)  # c sleeps
    os.write(second[1], b"x")  # c wakes
def holder():
    lock.acquire()
    held.set()
    time.sleep(0.2)  # holder sleeps
    lock.release()  # holder lets go
def sender():
    time.sleep(0.2)
    client.sendall(b"x")  # sender wakes
def clocked(name, wait, *values):
    began = time.monotonic_ns()
    wait(*values)  # waits
    print(name, time.monotonic_ns() - began)
threads = [threading.Thread(target=f, name=f.__name__) for f in (thread_c, thread_b)]
for thread in threads: thread.start()
clocked("chain", os.read, first[0], 1)
other = threading.Thread(target=holder, name="holder")
other.start()
held.wait()
clocked("lock", lock.acquire)
threads.append(threading.Thread(target=sender, name="sender"))
threads[-1].start()
clocked("packet", taken.recv, 1)
for thread in (*threads, other): thread.join()
"""


class Places:
    """A folder that an ordinary user can use as well."""

    def __init__(self, wperf):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wperf-wakers-"))
        self.folder.chmod(0o777)
        self.wperf = shutil.copy(wperf, self.folder / "wperf")
        self.program = self.folder / "waits"
        source = self.folder / "waits.c"
        source.write_text(NATIVE)
        subprocess.run(["cc", "-g", "-O1", "-pthread", "-o", self.program, source], check=True)

    def run(self, *words, **more):
        result = subprocess.run([self.wperf, *words], capture_output=True, text=True, check=False, timeout=60,
                                cwd=self.folder, **more)
        assert result.returncode == 0, result.stderr
        return result

    def remove(self):
        shutil.rmtree(self.folder)


def record_native(places, saved, wakers, **who):
    """What the program clocked, and wperf's notes."""
    with subprocess.Popen([places.wperf, "record", *CLOCK, *wakers, "-o", saved, "--",
                           str(places.program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, cwd=places.folder, **who) as target:
        lines = [target.stdout.readline()]
        while not lines[-1].startswith("ready"):
            assert lines[-1], target.stderr.read()
            lines.append(target.stdout.readline())
        pid = lines.pop().split()[1]
        waiting.wait_until(lambda: waiting.read_proc(pid, "stat").rpartition(")")[2].split()[0] == "S", "it waits")
        # A process that is gone at once: nothing is left of it but its name.
        subprocess.run(["/usr/bin/printf", "x"], stdout=target.stdin, check=True)
        rest, notes = target.communicate(timeout=60)
    assert target.returncode == 0, notes
    found = re.findall(r"^(\w+) (\d+)$", "".join(lines) + rest, re.M)
    return {name: int(ns) for name, ns in found}, notes


def waits_of(places, saved):
    return json.loads(places.run("report", "-i", saved, "--waits", "--json").stdout)


def chains_of(places, saved):
    """By the stack: outermost frame first, that of who began the chain last."""
    text = places.run("export", "-i", saved, "--wakers", "--event", "off-cpu", "--format", "collapsed",
                      "--output", "/dev/stdout").stdout
    return [(line.rpartition(" ")[0].split(";"), int(line.rpartition(" ")[2])) for line in text.splitlines()]


def stalls(report):
    """How long threads waited for a core or for the GIL: on a busy machine, what is clocked is partly that."""
    return sum(kind["total_ns"] for kind in report["kinds"] if kind["waits_for"] in ("core", "GIL"))


def check_time(clocked, seen, stalled, what):
    least = clocked * (1 - INTERRUPTED) - CLOCKS_NS - min(stalled, clocked / 2)
    assert least <= seen <= clocked + CLOCKS_NS, (what, clocked, seen, stalled)


def check_chain(chains, function, frames, clocked, stalled):
    """Of all stacks with the function, one has nearly all of the time, and these frames in this order."""
    stack, ns = max((chain for chain in chains if function in chain[0]), key=lambda chain: chain[1])
    check_time(clocked, ns, stalled, function)
    at = -1
    for frame in frames:
        assert frame in stack[at + 1:], (frame, stack[at + 1:], stack)
        at = stack.index(frame, at + 1)
    return stack


def find_wait(report, kind, line_or_function):
    """The longest."""
    rows = [row for row in report["waits"]
            if row["waits_for"] == kind and line_or_function in (row["line"], row["function"])]
    assert rows, (kind, line_or_function, report["waits"])
    return rows[0]


def check_native(places):
    saved = places.folder / "native.data"
    clocked, notes = record_native(places, saved, ["--wakers"])
    chains, report = chains_of(places, saved), waits_of(places, saved)
    stalled = stalls(report)
    stack = check_chain(chains, "wait_for_b", [
        "main", "wait_for_b", "[woken by thread-b]", "wake_a", "b", "[woken by thread-c]", "wake_b", "c",
        "[woken by a timer]"], clocked["wait_for_b"], stalled)
    assert not any(frame.startswith(("bpf_", "try_to_wake_up")) for frame in stack), stack
    check_chain(chains, "wait_for_lock", ["wait_for_lock", "[woken by holder]", "let_lock_go", "holder"],
                clocked["wait_for_lock"], stalled)
    # No waker: nothing stands behind it.
    of_main = [chain for chain in chains if "main" in chain[0]]
    assert check_chain(of_main, "nap", ["[woken by a timer]"], clocked["nap"], stalled)[-1] == "[woken by a timer]"
    # Four threads are kept, and what is cut is told.
    stack = check_chain(chains, "wait_for_hops", [f"[woken by hop-{i}]" for i in range(1, 5)],
                        clocked["wait_for_hops"], stalled)
    assert sum(frame.startswith("[woken by") for frame in stack) == 4, stack
    assert re.search(r"chains of wakers cut after 4: [1-9]", notes), notes

    row = find_wait(report, "lock", "wait_for_lock")
    assert row["ended_by"] == "thread" and row["waker"]["thread"] == "holder", row
    assert row["waker"]["function"] == "let_lock_go" and row["count"] == 1, row
    check_time(clocked["wait_for_lock"], row["max_ns"], stalled, row)
    row = find_wait(report, "pipe", "take")
    assert row["ended_by"] == "thread" and row["waker"]["function"] == "give", row
    row = find_wait(report, "sleep", "nap")
    assert row["ended_by"] == "timer" and "waker" not in row and row["count"] == 4, row
    row = find_wait(report, "pipe", "wait_for_anybody")
    assert row["waker"]["thread"] == "printf", row
    return check_sums(places, saved, report)


def check_sums(places, saved, report):
    """Kinds, lines and samples are the same waits."""
    kinds, lines = (sum(row["total_ns"] for row in report[name]) for name in ("kinds", "waits"))
    events = json.loads(places.run("report", "-i", saved, "--json").stdout)["report"]["events"]
    samples = next(event for event in events if event["event"] == "off-cpu")
    assert kinds == lines == samples["weight"], (kinds, lines, samples["weight"])
    text = places.run("report", "-i", saved).stdout
    assert "who ends the waits:" in text and "let_lock_go" in text, text
    # Without the switch, stacks are as they are without wakers.
    plain = places.run("report", "-i", saved, "--tree", "down").stdout
    assert "woken by" not in plain and "woken by" in places.run("report", "-i", saved, "--tree", "down", "--wakers").stdout
    for words in ["flamegraph"], ["report", "--html"]:
        places.run(words[0], "-i", saved, "--wakers", *(words[1:] or ["-o"]), "page.html")
        assert "[woken by thread-b]" in json.loads(Page(places.folder / "page.html").parts["strings"]), words
    places.run("export", "-i", saved, "--wakers", "--event", "off-cpu", "--format", "svg", "-o", "flames.svg")
    assert "[woken by thread-b]" in (places.folder / "flames.svg").read_text()


def check_lines(places):
    saved, program = places.folder / "lines.data", places.folder / "lines.py"
    program.write_text(LINES)
    out = places.run("record", *CLOCK, "--wakers", "-o", saved, "--", PYTHON, program)
    clocked = {name: int(ns) for name, ns in re.findall(r"^(\w+) (\d+)$", out.stdout, re.M)}
    source = {text.partition("# ")[2]: f"lines.py:{number}" for number, text in enumerate(LINES.splitlines(), 1)}
    chains, report = chains_of(places, saved), waits_of(places, saved)
    by_place = {(row["line"], row.get("waker", {}).get("line"), row["waits_for"]): row for row in report["waits"]}
    row = by_place[source["waits"], source["b wakes"], "pipe"]
    check_time(clocked["chain"], row["max_ns"], stalls(report), row)
    assert row["waker"]["thread"] == "thread_b", row
    row = by_place[source["waits"], source["holder lets go"], "lock"]
    check_time(clocked["lock"], row["max_ns"], stalls(report), row)
    assert row["waker"]["thread"] == "holder", row
    # Packets to this machine are received in an interrupt, on the core of the sender.
    row = by_place[source["waits"], source["sender wakes"], "network"]
    check_time(clocked["packet"], row["max_ns"], stalls(report), row)
    row = by_place[source["b waits"], source["c wakes"], "pipe"]
    # It begins when its thread does, which is not clocked: near the begin of the chain.
    assert 100_000_000 < row["max_ns"] < clocked["chain"] + 100_000_000, (row, clocked)
    assert by_place[source["c sleeps"], None, "sleep"]["ended_by"] == "timer", report
    check_chain([chain for chain in chains if "clocked" in chain[0] and "[woken by thread_b]" in chain[0]], "clocked",
                ["clocked", "[woken by thread_b]", "thread_b", "[woken by thread_c]", "thread_c", "[woken by a timer]"],
                clocked["chain"], stalls(report))


def check_without_rights(places):
    """All but the wakers, and one note that says so."""
    saved = places.folder / "user.data"
    clocked, notes = record_native(places, saved, ["--wakers"], user=NOBODY, group=NOBODY)
    assert notes.count("who wakes threads is not recorded") == 1 and "CAP_BPF" in notes, notes
    report = places.run("report", "-i", saved, "--waits", "--force")
    assert "who ended the waits was not recorded" in report.stderr, report.stderr
    found = json.loads(places.run("report", "-i", saved, "--waits", "--json", "--force").stdout)
    assert not found["knows_wakers"] and {row["ended_by"] for row in found["waits"]} <= {
        "unknown", "free core", "recording's end"}, found
    assert max(row["max_ns"] for row in found["waits"]) >= clocked["nap"] * 0.9, found


def main():
    if os.geteuid() != 0:
        print("takes root")
        return SKIPPED
    places = Places(sys.argv[1])
    try:
        return run_tests([check_native, check_lines, check_without_rights], places)
    finally:
        places.remove()


if __name__ == "__main__":
    sys.exit(main())
