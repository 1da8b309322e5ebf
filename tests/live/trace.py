# SPDX-License-Identifier: Apache-2.0
"""System calls that wperf trace counts, beside strace -c; who makes them, and what waits in them.

trace.py WPERF FOLDER
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys

from recorder import run_tests

SKIPPED = 77
PYTHON = "/usr/bin/python3"
CHEAP = 50_000
TIMES_CHEAPER = 10  # than strace, at least
ROUNDS = 3

# Threads, a child that runs another program, errors, and a call that is interrupted.
CALLS = """
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void *many(void *rounds) { for (long i = 0; i < (long)rounds; i++) syscall(SYS_getppid); return NULL; }
static void nothing(int number) { (void)number; }
int main(int argc, char **argv)
{
	if (argc > 1) {
		many((void *)atol(argv[1]));
		return 0;
	}
	pthread_t threads[3];
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, many, (void *)(100 * (i + 1)));
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < 7; i++) close(-1);
	if (!fork()) {
		many((void *)50);
		execl(argv[0], argv[0], "70", (char *)NULL);
		_exit(1);
	}
	wait(NULL);
	struct sigaction action = {.sa_handler = nothing};
	sigaction(SIGALRM, &action, NULL);
	alarm(1);
	return pause() == -1 && errno == EINTR ? 3 : 4;
}
"""
RETURNED = 3

# Each function waits for one thing, so long.
WAITS = """
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#define KEEP __attribute__((noinline, noclone))
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2], sockets[2], ready[2];
static void *holder(void *unused)
{
	pthread_mutex_lock(&mutex);
	printf("%ld\\n", syscall(SYS_gettid));
	write(ready[1], "x", 1);
	usleep(300000);
	pthread_mutex_unlock(&mutex);
	usleep(200000);
	write(ends[1], "x", 1);
	usleep(250000);
	write(sockets[1], "x", 1);
	return NULL;
}
KEEP static void wait_lock(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
KEEP static void wait_pipe(void) { char c; read(ends[0], &c, 1); }
KEEP static void wait_socket(void) { char c; recv(sockets[0], &c, 1, 0); }
KEEP static void wait_poll(void) { struct pollfd none = {-1, 0, 0}; poll(&none, 1, 150); }
KEEP static void wait_sleep(void) { usleep(100000); }
int main(void)
{
	char c;
	pthread_t thread;
	pipe(ends);
	pipe(ready);
	socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
	pthread_create(&thread, NULL, holder, NULL);
	read(ready[0], &c, 1);
	wait_lock();
	wait_pipe();
	wait_socket();
	wait_poll();
	wait_sleep();
	return 0;
}
"""
WAITS_MS = {"wait_lock": ("lock", 300), "wait_pipe": ("pipe", 200), "wait_socket": ("network", 250),
        "wait_poll": ("poll", 150), "wait_sleep": ("sleep", 100)}
LATE_MS = 150  # on a busy machine: threads wake late, and begin to wait late

LINES = """
import os, threading, time
def many():
    for _ in range(3000):
        os.stat("/")  # many
def one():
    time.sleep(0.3)  # one
lock = threading.Lock()
def waiter():
    with lock:  # waiter
        pass
time.sleep(1)  # so that wperf has found the interpreter
many()
one()
lock.acquire()
thread = threading.Thread(target=waiter)
thread.start()
time.sleep(0.4)
lock.release()
thread.join()
time.sleep(0.2)  # so that wperf has read the names of the code
"""

# The first thread wakes the second by a pipe, and that one the third by a condition variable.
CHAIN = """
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ends[2], is_set;
static void say(const char *name) { printf("%s %ld\\n", name, syscall(SYS_gettid)); fflush(stdout); }
static void *first(void *unused)
{
	say("first");
	usleep(200000);
	write(ends[1], "x", 1);
	usleep(600000);
	return NULL;
}
static void *second(void *unused)
{
	char c;
	say("second");
	read(ends[0], &c, 1);
	usleep(300000);
	pthread_mutex_lock(&mutex);
	is_set = 1;
	pthread_mutex_unlock(&mutex);
	pthread_cond_signal(&condition);
	usleep(300000);
	return NULL;
}
static void *third(void *unused)
{
	say("third");
	pthread_mutex_lock(&mutex);
	while (!is_set) pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	usleep(300000);
	return NULL;
}
int main(void)
{
	static void *(*const functions[])(void *) = {first, second, third};
	pthread_t threads[3];
	pipe(ends);
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
"""

# Two threads on one core, each of which lets the other one run.
YIELDS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
static void *yield(void *unused)
{
	for (int i = 0; i < 2000; i++) {
		for (volatile int k = 0; k < 20000; k++);
		sched_yield();
	}
	return NULL;
}
int main(void)
{
	cpu_set_t cores;
	pthread_t thread;
	sched_getaffinity(0, sizeof(cores), &cores);
	for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &cores) && found++) CPU_CLR(i, &cores);
	sched_setaffinity(0, sizeof(cores), &cores);
	pthread_create(&thread, NULL, yield, NULL);
	yield(NULL);
	pthread_join(thread, NULL);
	return 0;
}
"""

# Debian's Python is 3.11: threads have their numbers.
GIL = """
import threading, time
def spin():
    numbers.append(threading.get_native_id())
    end = time.monotonic() + 0.6
    total = 0
    while time.monotonic() < end:
        total += 1
numbers = []
time.sleep(0.5)
threads = [threading.Thread(target=spin) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*numbers)
time.sleep(0.2)
"""


def build(folder, name, text):
    source, program = folder / f"{name}.c", folder / name
    source.write_text(text)
    subprocess.run(["cc", "-g", "-O1", "-w", "-pthread", "-o", program, source], check=True)
    return str(program)


def trace(wperf, folder, *words, code=0):
    """The JSON of a run, and what the program printed."""
    path = folder / "trace.json"
    done = subprocess.run([wperf, "trace", "-q", "-o", path, *words], capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{words}: {done.returncode}: {done.stderr}"
    return json.loads(path.read_text()), done.stdout


def counts_of(result):
    return {row["call"]: (row["calls"], row["errors"]) for row in result["calls"] if row["calls"]}


def strace(folder, *words):
    path = folder / "strace.txt"
    subprocess.run(["strace", "-f", "-c", "-o", path, *words], stdout=subprocess.DEVNULL, check=False)
    counts = {}
    for line in path.read_text().splitlines():
        cells = line.split()
        if len(cells) >= 5 and cells[3].isdigit() and cells[-1] != "total":
            counts[cells[-1]] = (int(cells[3]), int(cells[4]) if len(cells) == 6 else 0)
    return counts


def counts_are_those_of_strace(wperf, folder):
    program = build(folder, "calls", CALLS)
    result, _ = trace(wperf, folder, "--", program, code=RETURNED)
    counts = counts_of(result)
    assert counts["getppid"] == (100 + 200 + 300 + 50 + 70, 0), counts["getppid"]
    assert counts["pause"] == (1, 1), counts["pause"]
    assert result["lost_calls"] == 0
    for row in result["calls"]:
        assert sum(bucket["calls"] for bucket in row["histogram"]) == row["calls"], row
        assert sum(thread["calls"] for thread in row["threads"]) == row["calls"], row
        assert row["max_ns"] <= row["total_ns"], row
    of_threads = sorted(thread["calls"] for row in result["calls"] if row["call"] == "getppid"
                for thread in row["threads"])
    assert of_threads == [100, 120, 200, 300], of_threads  # the child keeps its number when it runs itself
    if not shutil.which("strace"):
        print("strace is missing: only known counts were compared")
        return
    theirs = strace(folder, program)
    # Whether a thread sleeps at a lock or not, chance decides.
    for name in counts.keys() | theirs.keys():
        assert name == "futex" or counts.get(name) == theirs.get(name), (name, counts.get(name), theirs.get(name))


def cpu_seconds(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost_is_a_tenth_of_strace(wperf, folder):
    if not shutil.which("strace"):
        return
    program = build(folder, "calls", CALLS)

    def least(*words):
        """What else runs on the machine only adds to it."""
        return min(cpu_seconds(*words) for _ in range(ROUNDS))

    alone = least(program, str(CHEAP))
    few = least(wperf, "trace", "--", program, "1")
    ours = least(wperf, "trace", "--", program, str(CHEAP)) - few - alone
    theirs = least("strace", "-c", "-f", "-o", "/dev/null", program, str(CHEAP)) - alone
    print(f"{CHEAP} calls cost {ours:.3f} s of CPU time more, with strace -c {theirs:.3f} s")
    assert ours * TIMES_CHEAPER < theirs, (ours, theirs)


def waits_have_kind_line_and_holder(wperf, folder):
    program = build(folder, "waits", WAITS)
    result, printed = trace(wperf, folder, "--waits", "--", program)
    holder = [line.strip() for line in printed.splitlines() if line.strip().isdigit()][0]
    for function, (kind, ms) in WAITS_MS.items():
        rows = [row for row in result["waits"] if row["function"] == function]
        assert rows, f"nothing waits in {function}: {result['waits']}"
        waited = sum(row["waited_ns"] for row in rows) / 1e6
        assert {row["waits_for"] for row in rows} == {kind}, rows
        assert ms - LATE_MS / 3 <= waited <= ms + LATE_MS, (function, waited, ms)
        assert rows[0]["line"].startswith("waits.c:"), rows
    lock = [row for row in result["waits"] if row["function"] == "wait_lock"][0]
    assert lock["lock"].endswith(f"held by thread {holder}]"), (lock, holder)


def lines_are_those_of_python(wperf, folder):
    script = folder / "lines.py"
    script.write_text(LINES)
    result, _ = trace(wperf, folder, "--", PYTHON, str(script))
    numbers = {line.split("# ")[1]: f"lines.py:{number}" for number, line in enumerate(LINES.splitlines(), 1)
           if "# " in line and "so that" not in line}
    stats = [row for row in result["calls"] if row["call"] in ("newfstatat", "stat")]
    caller = max((caller for row in stats for caller in row["callers"]), key=lambda caller: caller["calls"])
    assert caller["line"] == numbers["many"], (caller, numbers)
    assert 2000 < caller["calls"] < 4500, caller  # 3,000, of samples
    sleeps = {row["line"]: row for row in result["waits"]}
    assert sleeps[numbers["one"]]["waits_for"] == "sleep", sleeps
    assert 290e6 < sleeps[numbers["one"]]["waited_ns"] < 450e6, sleeps
    waiter = sleeps[numbers["waiter"]]
    assert waiter["waits_for"] == "lock" and 250e6 < waiter["waited_ns"] < 550e6, waiter


def wakers_form_a_chain(wperf, folder):
    program = build(folder, "chain", CHAIN)
    result, printed = trace(wperf, folder, "--waits", "--", program)
    threads = dict(line.split() for line in printed.splitlines() if line.split()[0] in ("first", "second", "third"))
    wakes = {row["function"]: row for row in result["wakes"] if row["woken_ns"] > 100e6}
    for waker, woken, call, ms in (("first", "second", "read", 200), ("second", "third", "futex", 500)):
        row = wakes[waker]
        assert row["tid"] == int(threads[waker]), (row, threads)
        assert row["wakes"] == f"[wakes thread {threads[woken]} in {call}]", (row, threads)
        assert ms - LATE_MS / 3 <= row["woken_ns"] / 1e6 <= ms + LATE_MS, row
        assert row["line"].startswith("chain.c:"), row
    # Timers wake those that sleep, and no thread does.
    assert not any("nanosleep" in row["wakes"] for row in result["wakes"]), result["wakes"]


def who_yields_does_not_wait(wperf, folder):
    result, _ = trace(wperf, folder, "--", build(folder, "yields", YIELDS))
    row = [row for row in result["calls"] if row["call"] == "sched_yield"][0]
    assert row["calls"] == 4000, row
    assert row["total_ns"] > 10e6 and row["waited_ns"] < row["total_ns"] / 100, row


def gil_has_its_holder(wperf, folder):
    script = folder / "gil.py"
    script.write_text(GIL)
    result, printed = trace(wperf, folder, "--", PYTHON, str(script))
    threads = set(printed.split())
    waits = [row for row in result["waits"] if row["waits_for"] == "GIL" and row["function"] == "spin"]
    waited = sum(row["waited_ns"] for row in waits)
    assert waited > 100e6, waits
    held = {row["lock"].split()[-1].rstrip("]"): row["waited_ns"] for row in waits
            if "lock" in row and row["line"].startswith("gil.py:")}
    # Each of the two waits for the other.
    assert len(threads) == 2 and all(held.get(thread, 0) > waited / 5 for thread in threads), (threads, waits)


def running_processes_are_counted(wperf, folder):
    script = "import os, time\nwhile True:\n    os.getppid()\n    time.sleep(0.01)\n"
    with subprocess.Popen([PYTHON, "-c", script]) as process:
        try:
            result, _ = trace(wperf, folder, "-p", str(process.pid), "--timeout", "1")
        finally:
            process.kill()
    counts = counts_of(result)
    assert 20 < counts["getppid"][0] <= 101, counts
    assert abs(counts["getppid"][0] - counts["clock_nanosleep"][0]) <= 1, counts
    assert set(thread["pid"] for row in result["calls"] for thread in row["threads"]) == {process.pid}


def main():
    wperf, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    probe = subprocess.run([wperf, "trace", "-q", "--", "true"], capture_output=True, text=True, check=False)
    if probe.returncode and ("BPF" in probe.stderr or "BTF" in probe.stderr):
        print("skipped:", probe.stderr.splitlines()[0])
        return SKIPPED
    return run_tests([counts_are_those_of_strace, cost_is_a_tenth_of_strace, waits_have_kind_line_and_holder,
                      lines_are_those_of_python, gil_has_its_holder,
                      wakers_form_a_chain, who_yields_does_not_wait, running_processes_are_counted], wperf, folder)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
