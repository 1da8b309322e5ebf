# SPDX-License-Identifier: Apache-2.0
"""Allocations of processes that run already: sums of bytes and of allocations, what stays of them, threads, children, and Python."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import allocations
import recorder
import waiting
from allocations import check_bytes

# What is to be allocated begins with a line of its input.
WAITS = """
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
KEEP void small(void) { for (int i = 0; i < 20; i++) { void *p = malloc(64); TOUCH(p); free(p); } }
KEEP void zeroed(void) { void *p = calloc(64, 64); TOUCH(p); free(p); }
KEEP void aligned(void)
{
	void *p = aligned_alloc(64, 4000), *q;
	if (posix_memalign(&q, 64, 4000) || !p)
		abort();
	TOUCH(p); TOUCH(q);
	free(p); free(q);
	if (posix_memalign(&q, 8, 4000)) // malloc() does that, and is counted once
		abort();
	TOUCH(q);
	free(q);
}
KEEP void grown(void)
{
	void *p = NULL;
	for (int i = 1; i <= 4; i++)
		p = realloc(p, i * 2000);
	TOUCH(p);
	free(p);
}
KEEP void large(void) { void *p = malloc(1 << 20); TOUCH(p); free(p); } // by mmap(), which counts no more
KEEP void mapped(void)
{
	void *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p, 1 << 20);
}
static void *work(void *rounds)
{
	for (long i = 0; i < (long)rounds; i++) {
		small(); zeroed(); aligned(); grown();
		if (i % 32 == 0) { large(); mapped(); }
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	mallopt(M_MMAP_THRESHOLD, 512 << 10);
	getchar();
	if (argc > 2 && fork() == 0) {
		// wperf sees the child when it reads its buffers, and samples it from then on.
		for (int i = 0; i < 100; i++) { work((void *)10); usleep(10000); }
		_exit(0);
	}
	if (argc > 2)
		return wait(NULL) < 0;
	pthread_create(&thread, NULL, work, (void *)atol(argv[1]));
	work((void *)atol(argv[1]));
	pthread_join(thread, NULL);
	return 0;
}
"""
ROUNDS = 8000
TRUTH = {"small": 1280, "zeroed": 4096, "aligned": 12000, "grown": 20000, "large": (1 << 20) / 32,
         "mapped": (1 << 20) / 32}
COUNTS = {"small": 20, "zeroed": 1, "aligned": 3, "grown": 4, "large": 1 / 32, "mapped": 1 / 32}

# Of each part something stays, something is freed; what comes before the first line is not known.
STAYS = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile kept[6][20000];
static void *others[100];
KEEP void before(void) { for (int i = 0; i < 20000; i++) kept[5][i] = malloc(1000); }
KEEP void stays(int i) { kept[0][i] = malloc(1000); }
KEEP void zeroed(int i) { kept[1][i] = calloc(3, 100); }
KEEP void aligned(int i) { void *p; if (posix_memalign(&p, 64, 640)) abort(); kept[2][i] = p; }
KEEP void grown(int i)
{
	void *p = malloc(100);
	kept[3][i] = p = realloc(p, 200);
	if (i % 2)
		kept[3][i] = realloc(p, 0);
}
KEEP void mapped(int i)
{
	void *p = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (i % 200)
		munmap(p, 1 << 17);
}
KEEP void failed(void) { void *p = malloc((size_t)1 << 46); TOUCH(p); }
KEEP void at_once(void) { void *p = malloc(5000); TOUCH(p); free(p); }
KEEP void handed(void) { for (int i = 0; i < 100; i++) others[i] = malloc(20000); }
static void *frees_handed(void *unused) { for (int i = 0; i < 100; i++) free(others[i]); return NULL; }
KEEP void peaks(void)
{
	for (int i = 0; i < 10000; i++)
		kept[4][i] = malloc(4000);
	for (int i = 0; i < 10000; i++)
		free(kept[4][i]);
}
int main(void)
{
	pthread_t thread;
	before();
	getchar();
	for (int i = 0; i < 20000; i++) {
		stays(i);
		zeroed(i);
		aligned(i);
		grown(i);
		at_once();
		if (i % 20 == 0)
			mapped(i);
		free(kept[5][i]);
	}
	for (int i = 0; i < 20000; i += 2)
		free(kept[0][i]);
	failed();
	handed();
	pthread_create(&thread, NULL, frees_handed, NULL);
	pthread_join(thread, NULL);
	peaks();
	return 0;
}
"""
LIVE = {"stays": 10000 * 1000, "zeroed": 20000 * 300, "aligned": 20000 * 640, "grown": 10000 * 200,
        "mapped": 100 << 17, "before": 0, "failed": 0, "at_once": 0, "handed": 0, "peaks": 0}
PEAK = {**LIVE, "peaks": 10000 * 4000}
TEMPORARY = {"stays": 0, "zeroed": 0, "aligned": 0, "grown": 20000 * 100 + 10000 * 200, "at_once": 20000 * 5000,
             "handed": 0}

PYTHON = """
import sys, time
def big():
    for i in range(30000):
        bytearray(100000)
        if i % 10 == 0:
            time.sleep(0.0001)  # wperf has a core now and then
sys.stdin.readline()
big()
"""


def wait_for_malloc(pid):
    """Until its loader has done its work, it has none to probe."""
    waiting.wait_until(lambda: "/libc.so" in waiting.read_proc(pid, "maps"), "the C library")


@contextlib.contextmanager
def running(*command):
    with subprocess.Popen([str(word) for word in command]) as process:
        try:
            yield process
        finally:
            process.kill()


def attach(recording, command, event, *options, environment=None):
    """Samples of a process that allocates when it is probed."""
    path, said = recording.path("attached.data"), recording.path("said.txt")
    path.unlink(missing_ok=True)
    with subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, env=environment) as process:
        wait_for_malloc(process.pid)
        with said.open("w") as stream, subprocess.Popen(
                [recording.wperf, "record", "-e", event, "--save", str(path), "-p", str(process.pid), *options],
                stdout=stream, stderr=stream) as wperf:
            waiting.wait_until(lambda: "more CPU time" in said.read_text() or wperf.poll() is not None, "the note")
            waiting.wait_until(lambda: wperf.poll() is not None or path.exists(), "the file")
            process.stdin.write(b"\n")
            process.stdin.close()
            assert wperf.wait(timeout=60) == 0, said.read_text()
        assert process.wait(timeout=60) == 0
    return recording.samples(path), said.read_text()


def check_sums(recording):
    program = recording.build("waits", WAITS, "-pthread")
    samples, said = attach(recording, [program, ROUNDS], "alloc:64K,alloc-count:64K")
    assert "probes at libc" in said, said
    for event, truth in ("alloc", TRUTH), ("alloc-count", COUNTS):
        weights = recording.weights([sample for sample in samples if sample.event == event], truth)
        for part, size in truth.items():
            check_bytes(weights[part], 2 * ROUNDS * size, f"{event} of {part}")
        assert sum(weights[""]) < 0.01 * sum(map(sum, weights.values())), (event, sum(weights[""]))
    leaves = {sample.names()[0] for sample in samples}
    assert not {"malloc", "calloc", "realloc"} & leaves, leaves
    print(f"{len(samples)} samples of {len({sample.tid for sample in samples})} threads")


def check_stays(recording):
    """What is in use at the end, at a moment and at the peak, and what was freed at once."""
    program = recording.build("stays", STAYS, "-pthread", "-Wno-alloc-size-larger-than")
    events = "heap", "heap-peak", "heap-at", "alloc-temporary"
    samples, said = attach(recording, [program], ",".join(f"{event}:16K" for event in events))
    assert "heap-at has no moment" in said and "before wperf attached is not known" in said, said
    assert "were lost" not in said and "too many" not in said, said
    for event, truth in ("heap", LIVE), ("heap-peak", PEAK), ("alloc-temporary", TEMPORARY):
        weights = recording.weights([sample for sample in samples if sample.event == event], truth)
        for part, size in truth.items():
            check_bytes(weights[part], size, f"{event} of {part}")
            assert size or not weights[part], f"{event} of {part}: {len(weights[part])} blocks"
    live = [sample.weight for sample in samples if sample.event == "heap"]
    print(f"{len(live)} live blocks, their sum is {100 * (sum(live) / sum(LIVE.values()) - 1):+.2f} % off")


def check_children(recording):
    samples, _said = attach(recording, [recording.path("waits"), 0, "fork"], "alloc:16K")
    pids = {sample.pid for sample in samples}
    weights = recording.weights(samples, TRUTH)
    # The first of 100 stretches may come before its probes.
    truth = 100 * (10 * sum(TRUTH[part] for part in ("small", "zeroed", "aligned", "grown")) + (2 << 20))
    found = sum(map(sum, weights.values()))
    assert len(pids) == 1 and 0.5 * truth < found < 1.1 * truth, (pids, found, truth)


def check_python(recording):
    python = shutil.which("python3", path="/usr/bin")
    script = recording.path("big.py")
    script.write_text(PYTHON)
    samples, _said = attach(recording, [python, script], "alloc:4M")
    check_bytes([sample.weight for sample in samples], 30000 * 100001, "bytearray")
    # A thread spends a tenth of its time on walks at most, which are cut short beyond that.
    num_lines = sum("big" in sample.names() for sample in samples)
    assert num_lines > len(samples) / 2, (num_lines, len(samples))


def start_note(recording, process):
    done = recorder.run([recording.wperf, "record", "-e", "alloc", "-p", process.pid, "--timeout", "0.1",
                         "--save", recording.path("note.data")])
    return done.stderr


def check_choice(recording):
    """A malloc() that a library has for itself is not that of the program; a file may be deleted."""
    source = "#include <unistd.h>\nint main(void) { for (;;) { void *p = malloc(9); TOUCH(p); free(p); usleep(1000); } }"
    library = recording.build("libhidden.so", """
static __attribute__((used)) void *own_malloc(size_t size) __asm__("malloc");
static void *own_malloc(size_t size) { return (void *)size; }
""", "-shared", "-fPIC")
    program = recording.build("beside_hidden", source, "-Wl,--no-as-needed", library)
    with running(program) as process:
        wait_for_malloc(process.pid)
        assert "probes at libc" in start_note(recording, process)
    deleted = recording.build("deleted", source, "-static")
    with running(deleted) as process:
        waiting.wait_until(lambda: waiting.read_proc(process.pid, "comm").startswith("deleted"), "the program")
        pathlib.Path(deleted).unlink()
        assert "probes at deleted" in start_note(recording, process)


def check_costs(recording):
    """Each process is charged with its own calls: one that sleeps is not refused, and the note is of the other."""
    steady = recording.build("steady", """
int main(void)
{
	for (;;) {
		for (volatile int i = 0; i < 200000; i++)
			continue;
		void *p = malloc(9);
		TOUCH(p);
		free(p);
	}
}""")
    with running("sleep", "100") as idle, running(steady) as busy:
        for process in idle, busy:
            wait_for_malloc(process.pid)
        for pids in f"{busy.pid},{idle.pid}", f"{idle.pid},{busy.pid}":
            done = recorder.run([recording.wperf, "record", "-e", "alloc:1", "-p", pids, "--timeout", "0.2",
                                 "--save", recording.path("costs.data")])
            note = re.search(r"probes at libc.*: process (\d+) calls it (\d+) times", done.stderr)
            assert note and int(note[1]) == busy.pid and int(note[2]) > 0, done.stderr


def check_refusals(recording):
    with running("sleep", "100") as process:
        wait_for_malloc(process.pid)
        for event in "leak", "touched":
            done = recorder.run([recording.wperf, "record", "-e", event, "-p", process.pid], None)
            assert done.returncode and f"'{event}' needs a program that wperf starts" in done.stderr, done.stderr
    busy = recording.build("busy", "int main(void) { for (;;) { void *p = malloc(9); TOUCH(p); free(p); } }")
    with running(busy) as process:
        wait_for_malloc(process.pid)
        done = recorder.run([recording.wperf, "record", "-e", "alloc", "-p", process.pid, "--timeout", "1"], None)
        assert done.returncode and "more CPU time" in done.stderr and "slowdown=" in done.stderr, done.stderr
    static = recording.build("static", "#include <unistd.h>\nint main(void) { sleep(100); return 0; }", "-static", "-s")
    with running(static) as process:
        waiting.wait_until(lambda: waiting.read_proc(process.pid, "comm").startswith("static"), "the program")
        done = recorder.run([recording.wperf, "record", "-e", "alloc", "-p", process.pid, "--timeout", "1"], None)
        assert done.returncode and "no malloc() to probe" in done.stderr, done.stderr


def check(recording):
    check_sums(recording)
    check_stays(recording)
    check_children(recording)
    check_python(recording)
    check_choice(recording)
    check_costs(recording)
    check_refusals(recording)


def skip_without_probes():
    if os.geteuid() or not pathlib.Path("/sys/bus/event_source/devices/uprobe").exists():
        print("skipped: probes need root and a kernel with uprobes")
        sys.exit(77)


if __name__ == "__main__":
    skip_without_probes()
    allocations.main(check)
