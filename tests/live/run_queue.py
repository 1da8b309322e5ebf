# SPDX-License-Identifier: Apache-2.0
"""record --sched: how long threads were ready before they ran, beside what the kernel and perf say.

run_queue.py WPERF FOLDER
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from recorder import Recorder, run, run_tests

SKIPPED = 77
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "docs/schemas"
THREADS = 3
HOG_MS = 20
HOG_ROUNDS = 12
CHILDREN = 6000
OWN_ROWS = 4096  # of threads that have ended, each with a row

# All on one CPU. "busy": threads that never wait, and print what the kernel says of them. "hog": a
# thread of real time wakes another one, and goes on for some time. "fork": many short lives.
PROGRAM = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static double seconds;
static int pipe_ends[2];
static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
static void schedstat(unsigned long long *delay, unsigned long *slices)
{
	unsigned long long ran;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");
	if (!file || fscanf(file, "%llu %llu %lu", &ran, delay, slices) != 3) exit(9);
	fclose(file);
}
KEEP void spin(void) { SPIN(20000); }
static void *busy(void *number)
{
	char name[16];
	unsigned long long delay;
	unsigned long slices;
	snprintf(name, sizeof(name), "busy%ld", (long)number);
	pthread_setname_np(pthread_self(), name);
	for (double end = now(CLOCK_MONOTONIC) + seconds; now(CLOCK_MONOTONIC) < end;) spin();
	schedstat(&delay, &slices);
	printf("%ld %llu %lu\\n", syscall(SYS_gettid), delay, slices);
	return NULL;
}
static void *late(void *nothing)
{
	char byte;
	(void)nothing;
	pthread_setname_np(pthread_self(), "late");
	while (read(pipe_ends[0], &byte, 1) == 1) { }
	return NULL;
}
static int hog(int rounds)
{
	pthread_t thread;
	struct sched_param real_time = {.sched_priority = 1};
	if (pipe(pipe_ends) || pthread_create(&thread, NULL, late, NULL)) return 1;
	pthread_setname_np(pthread_self(), "hog");
	if (sched_setscheduler(0, SCHED_FIFO, &real_time)) return 2;
	for (int i = 0; i < rounds; i++) {
		usleep(20000);
		if (write(pipe_ends[1], "", 1) != 1) return 1;
		for (double end = now(CLOCK_THREAD_CPUTIME_ID) + seconds; now(CLOCK_THREAD_CPUTIME_ID) < end;) spin();
	}
	usleep(20000);
	close(pipe_ends[1]);
	pthread_join(thread, NULL);
	return 0;
}
int main(int argc, char **argv)
{
	int num = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t threads[8];
	cpu_set_t cpu;
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	sched_setaffinity(0, sizeof(cpu), &cpu);
	seconds = argc > 3 ? atof(argv[3]) : 0;
	if (strcmp(argv[1], "hog") == 0) return hog(num);
	for (int i = 0; strcmp(argv[1], "fork") == 0 && i < num; i++) {
		pid_t child = fork();
		if (!child) _exit(0);
		if (child < 0) return 1;
		if (i % 50 == 49) while (wait(NULL) > 0) { }
	}
	for (long i = 0; strcmp(argv[1], "busy") == 0 && i < num; i++) pthread_create(&threads[i], NULL, busy, (void *)i);
	for (int i = 0; strcmp(argv[1], "busy") == 0 && i < num; i++) pthread_join(threads[i], NULL);
	return 0;
}
"""


def queue_of(recorder, path):
    done = run([recorder.wperf, "report", "-i", path, "--json"])
    queue = json.loads(done.stdout)["report"]["run_queue"]
    rows = queue["threads"]
    assert sum(row["waits"] for row in rows) == queue["waits"], queue
    for row in [queue, *rows]:
        assert sum(part["waits"] for part in row["histogram"]) == row["waits"], row
        assert row["max_ns"] <= row["total_ns"] and row["p95_ns"] <= row["p99_ns"] <= row["max_ns"], row
    assert sum(cpu["waits"] for cpu in queue["cpus"]) >= queue["waits"], queue["cpus"]
    return queue


def named(queue, name):
    rows = [row for row in queue["threads"] if row["thread"] == name]
    assert len(rows) == 1, (name, [row["thread"] for row in queue["threads"]])
    return rows[0]


def check_schema(kind, document):
    try:
        import jsonschema
    except ImportError:
        return
    path = SCHEMAS / f"{kind}.schema.json"
    schema = json.loads(path.read_text())
    jsonschema.validate(document, schema, resolver=jsonschema.RefResolver(f"file://{path}", schema))


def waits_are_those_of_the_kernel(recorder):
    """The same sums as /proc/PID/task/TID/schedstat; the same counts as perf sched latency."""
    path, perf_path = recorder.path("busy.data"), recorder.path("busy.perf")
    perf = shutil.which("perf")
    command = [recorder.program, "busy", THREADS, "1.2"]
    if perf:
        command = [perf, "sched", "record", "-o", perf_path, "--", *command]
    done = run([recorder.wperf, "record", "--sched", "-o", path, "--", *command])
    queue = queue_of(recorder, path)
    truth = re.findall(r"^(\d+) (\d+) (\d+)$", done.stdout, re.M)
    assert len(truth) == THREADS, done.stdout
    by_tid = {row["tid"]: row for row in queue["threads"]}
    for tid, delay_ns, slices in truth:
        row = by_tid[int(tid)]
        # The thread prints before it ends, and is counted on.
        assert -5e6 <= row["total_ns"] - int(delay_ns) <= 0.02 * int(delay_ns) + 100e6, (row, delay_ns)
        assert -1 <= row["waits"] - int(slices) <= 0.1 * int(slices) + 5, (row, slices)
    samples = run([recorder.wperf, "report", "-i", path, "--thread", "busy0", "--no-browse"]).stdout
    assert re.search(r"^ +[89]\d\.\d+ .*\bspin$|^ +100\.00 .*\bspin$", samples, re.M), samples
    text = done.stdout
    assert re.search(r"ready, but not running: [\d,]+ waits", text) and "who ran meanwhile" in text, text
    table = text[text.index("ready, but"):text.index("who ran")]
    again = run([recorder.wperf, "report", "-i", path, "--no-browse"]).stdout
    assert table in again, (table, again)
    check_schema("report", json.loads(run([recorder.wperf, "report", "-i", path, "--json"]).stdout))
    check_schema("sample", json.loads(run([recorder.wperf, "record", "--sched", "--json", "--", "true"]).stdout))
    if not perf:
        return "perf is not here"
    found = run([perf, "sched", "latency", "-p", "-i", perf_path], code=None).stdout
    rows = re.findall(r"^\s*(busy\d):(\d+)\s*\|.*?\|\s*(\d+) \|\s*avg:\s*([\d.]+) ms \|\s*max:\s*([\d.]+) ms", found, re.M)
    assert len(rows) == THREADS, found
    for name, tid, switches, mean_ms, longest_ms in rows:
        row = by_tid[int(tid)]
        assert row["thread"] == name and abs(row["waits"] - int(switches)) <= 2, (row, found)
        assert abs(row["mean_ns"] / 1e6 - float(mean_ms)) <= 0.05 * float(mean_ms) + 0.05, (row, found)
        assert abs(row["max_ns"] / 1e6 - float(longest_ms)) <= 0.05 * float(longest_ms) + 0.05, (row, found)
    return f"{queue['waits']} waits"


def longest_wait_has_time_and_runner(recorder):
    """A thread of real time keeps the CPU for so long after it woke another one."""
    path = recorder.path("hog.data")
    if os.geteuid():
        return "not root"
    run([recorder.wperf, "record", "--sched", "-q", "-o", path, "--", recorder.program, "hog", HOG_ROUNDS,
         HOG_MS / 1000])
    queue = queue_of(recorder, path)
    late, hog = named(queue, "late"), named(queue, "hog")
    long_ones = sum(part["waits"] for part in late["histogram"] if part["from_ns"] >= 0.85e6 * HOG_MS)
    # On a crowded machine one wait may last for several rounds.
    assert HOG_ROUNDS / 2 <= long_ones <= HOG_ROUNDS + 2, late["histogram"]
    assert late["total_ns"] >= HOG_ROUNDS * HOG_MS * 1e6 > 5 * hog["total_ns"], (late, hog)
    assert late["p95_ns"] > 0.9e6 * HOG_MS and late["max_cpu"] == 0, late
    assert late["ran_meanwhile"]["thread"] == "hog" and late["ran_meanwhile"]["tid"] == hog["tid"], late
    assert late["ran_meanwhile"]["ns"] > 0.9e6 * HOG_MS, late
    assert queue["began_ns"] < late["max_at_ns"] < queue["ended_ns"], queue
    meanwhile = {row["thread"]: row["ns"] for row in queue["ran_meanwhile"]}
    assert meanwhile["hog"] > 0.6 * HOG_ROUNDS * HOG_MS * 1e6, meanwhile
    return f"the longest of {late['waits']} waits: {late['max_ns'] / 1e6:.1f} ms"


def many_threads_that_end(recorder):
    """More than have a row of their own: later ones are together, and nothing is missing."""
    path = recorder.path("fork.data")
    run([recorder.wperf, "record", "--sched", "-q", "-o", path, "--", recorder.program, "fork", CHILDREN])
    queue = queue_of(recorder, path)
    num = sum(row["threads"] for row in queue["threads"] if row["thread"].startswith("queue"))
    assert queue["lost_waits"] == queue["lost_threads"] == 0, queue
    # One in ten thousands is missing now and then.
    assert CHILDREN - 1 <= num <= CHILDREN + 1, num
    merged = [row for row in queue["threads"] if row["threads"] > 1]
    assert len(merged) == 1 and merged[0]["tid"] == 0, merged
    assert OWN_ROWS <= len(queue["threads"]) <= OWN_ROWS + 2, len(queue["threads"])
    return f"{merged[0]['threads']} of {num} in one row"


def all_and_attached(recorder):
    """-a has every thread of the machine; -p those of a process only, also of its children."""
    path = recorder.path("all.data")
    with subprocess.Popen([str(recorder.program), "busy", "2", "60"], stdout=subprocess.PIPE) as process:
        run([recorder.wperf, "record", "--sched", "-a", "-q", "-o", path, "--timeout", "0.3"])
        everything = queue_of(recorder, path)
        run([recorder.wperf, "record", "--sched", "-p", process.pid, "-q", "-o", path, "--timeout", "0.5"])
        attached = queue_of(recorder, path)
        process.kill()
    pids = {row["pid"] for row in everything["threads"]}
    assert process.pid in pids and len(pids) > 2, pids
    assert {row["pid"] for row in attached["threads"]} == {process.pid}, attached["threads"]
    assert {row["thread"] for row in attached["threads"]} >= {"busy0", "busy1"}, attached["threads"]
    return f"{len(pids)} processes"


def wrong_words(recorder):
    words = [recorder.wperf, "record", "--sched"]
    for more, message in ((["-e", "cpu-clock"], "cannot be combined"), (["--ring", "1M"], "run queues"),
                          (["--off-cpu"], "off-CPU"), (["-c", "0"], "leave out -c"),
                          (["--call-graph", "fp"], "leave out --call-graph")):
        done = run([*words, *more, "-o", recorder.path("no.data"), "-p", os.getpid(), "--timeout", "1"], code=None)
        assert done.returncode and message in done.stderr, (more, done.stderr)
    if os.geteuid() or not shutil.which("setpriv"):
        return "not root"
    done = run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *words, "-o", "/dev/null",
                "--", "true"], code=None)
    assert done.returncode and "CAP_BPF" in done.stderr, done.stderr
    return None


def main():
    recorder = Recorder(sys.argv[1], sys.argv[2])
    probe = run([recorder.wperf, "record", "--sched", "-q", "-o", recorder.path("probe.data"), "--", "true"], code=None)
    if probe.returncode and ("BPF" in probe.stderr or "BTF" in probe.stderr):
        print("skipped:", probe.stderr.splitlines()[0])
        return SKIPPED
    recorder.program = recorder.compile("queue", PROGRAM, "-O1", "-g", "-pthread")
    tests = (waits_are_those_of_the_kernel, longest_wait_has_time_and_runner, many_threads_that_end, all_and_attached,
             wrong_words)
    return run_tests([test for test in tests if test.__name__ in sys.argv[3:] or not sys.argv[3:]], recorder)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
