# SPDX-License-Identifier: Apache-2.0
"""What is in use at the end and at the peak: -e heap, heap-peak. Blocks that are freed, grown, mapped, of other threads and of children."""
import re

import allocations
from allocations import check_bytes
import pythons

PROGRAM = """
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static void *volatile kept[100000];
static int num;
KEEP void stays(void) { kept[num++] = malloc(1000); }
KEEP void aligned(void) { kept[num++] = aligned_alloc(64, 640); }
KEEP void freed(void) { for (int i = 0; i < 5; i++) { void *p = malloc(5000); TOUCH(p); free(p); } }
KEEP void late(void) { kept[99999] = malloc(9000); void *p = kept[99999]; free(p); }
KEEP void grown(void) { static void *p; static size_t size; p = realloc(p, size += 100); kept[99998] = p; }
KEEP void mapped(void)
{
	void *p = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(p, 1 << 17);
}
KEEP void handed(void) { kept[90000 + num % 100] = malloc(4000); }
static void *frees_handed(void *unused)
{
	for (int i = 0; i < 100; i++)
		free(kept[90000 + i]);
	return NULL;
}
KEEP void child(void) { for (int i = 0; i < 20000; i++) kept[num++] = malloc(500); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 20000; i++) {
		stays();
		aligned();
		freed();
		late();
		if (i % 10 == 0) {
			grown();
			mapped();
		}
	}
	for (int i = 0; i < 100; i++) {
		num = i;
		handed();
	}
	pthread_t thread;
	pthread_create(&thread, NULL, frees_handed, NULL);
	pthread_join(thread, NULL);
	num = 40000;
	if (fork() == 0) {
		// These are the parent's, and stay so.
		for (int i = 0; i < 20000; i++)
			free(kept[i]);
		child();
		_exit(0);
	}
	wait(NULL);
	if (argc > 1)
		execl("/bin/true", "true", (char *)NULL);
	return 3;
}
"""
TRUTH = {"stays": 20000 * 1000, "aligned": 20000 * 640, "freed": 0, "late": 0, "grown": 2000 * 100, "mapped": 0,
         "handed": 0, "child": 20000 * 500}
BLOCKS = {"stays": 20000, "aligned": 20000, "freed": 0, "late": 0, "grown": 1, "mapped": 0, "handed": 0, "child": 20000}

PEAK = """
static void *volatile kept[60000];
KEEP void rises(void) { for (int i = 0; i < 20000; i++) kept[i] = malloc(1000); }
KEEP void peaks(void) { for (int i = 20000; i < 50000; i++) kept[i] = malloc(600); }
KEEP void falls(void) { for (int i = 0; i < 50000; i++) free(kept[i]); }
KEEP void after(void) { for (int i = 0; i < 60000; i++) kept[i] = malloc(100); }
int main(void)
{
	rises();
	falls();
	for (int i = 0; i < 20000; i++)
		kept[i] = NULL;
	rises();
	peaks();
	falls();
	after();
	return 0;
}
"""
PEAK_TRUTH = {"rises": 20000 * 1000, "peaks": 30000 * 600, "after": 0}
END_TRUTH = {"rises": 0, "peaks": 0, "after": 60000 * 100}

WAITS = """
#include <signal.h>
#include <unistd.h>
static void *volatile kept[20000];
KEEP void stays(void) { for (int i = 0; i < 20000; i++) kept[i] = malloc(1000); }
static void ends(int signum) { for (int i = 0; i < 20000; i++) free(kept[i]); _exit(0); }
int main(void)
{
	signal(SIGTERM, ends);
	stays();
	for (;;)
		pause();
}
"""

MOMENTS = """
#include <signal.h>
#include <unistd.h>
static void *volatile kept[30000];
KEEP void first(void) { for (int i = 0; i < 20000; i++) kept[i] = malloc(1000); }
KEEP void second(void) { for (int i = 0; i < 30000; i++) kept[i] = malloc(600); }
// Long enough for wperf to see it, also on a busy machine.
KEEP void moment(int signals) { if (signals) kill(getppid(), SIGUSR2); usleep(1000000); }
KEEP void none(int num) { for (int i = 0; i < num; i++) free(kept[i]); }
int main(int argc, char **argv)
{
	first();
	moment(argc > 1);
	none(20000);
	second();
	moment(argc > 1);
	none(30000);
	return 0;
}
"""

TEMPORARY = """
#include <pthread.h>
static void *volatile ring[64];
static int place;
KEEP void pad(size_t size) { free(ring[place]); ring[place] = malloc(size); place = (place + 1) % 64; }
KEEP void at_once(void) { void *p = malloc(1000); TOUCH(p); free(p); }
KEEP void soon(void) { void *p = malloc(1000); TOUCH(p); pad(8000); pad(8000); free(p); }
KEEP void later(void) { void *p = malloc(1000); TOUCH(p); pad(8000); pad(8000); pad(384); free(p); }
KEEP void grown(void) { void *p = NULL; for (int i = 1; i <= 10; i++) { p = realloc(p, i * 100); TOUCH(p); } free(p); }
KEEP void lost(void) { void *p = malloc(1000); TOUCH(p); }
KEEP void handed(void) { ring[0] = malloc(1000); }
static void *frees(void *unused) { free(ring[0]); ring[0] = NULL; return NULL; }
int main(void)
{
	for (int i = 0; i < 20000; i++) {
		at_once();
		soon();
		later();
		grown();
		lost();
	}
	for (int i = 0; i < 64; i++) {
		free(ring[i]);
		ring[i] = NULL;
	}
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;
		handed();
		pthread_create(&thread, NULL, frees, NULL);
		pthread_join(thread, NULL);
	}
	return 0;
}
"""
TEMPORARY_TRUTH = {"at_once": 20000 * 1000, "soon": 20000 * 1000, "later": 0, "grown": 20000 * 5500, "lost": 0, "handed": 0, "pad": 0}

SCRIPT = """
import os
kept = []
def stays():
    kept.append(bytes(2967))
def large():
    kept.append(bytearray(99999))
def freed():
    for i in range(4):
        x = [None] * 1000
# Small objects are pymalloc's own, unless they are samples.
def small():
    for i in range(10):
        kept.append(bytes(67))
def small_freed():
    for i in range(20):
        x = bytes(67), [i]
def grows():
    rows = []
    for i in range(100):
        rows.append(i)
    for i in range(100):
        rows.pop()
for i in range(3000):
    stays()
    freed()
    small()
    small_freed()
    grows()
    if i % 50 == 0:
        large()
os._exit(0)
"""


# More than the table of sampled blocks has room for; those that are freed come last.
MANY = """
static void *volatile kept[100000];
KEEP void stays(void) { for (int i = 0; i < 100000; i++) kept[i] = malloc(4000); }
KEEP void freed(void) { for (int i = 0; i < 50000; i++) { void *p = malloc(4000); TOUCH(p); free(p); } }
int main(void) { stays(); freed(); return 3; }
"""


def check_many(recording):
    """What cannot be followed counts as in use, and a note says how much that is."""
    program = recording.build("many", MANY)
    samples, done = recording.trace([program], "heap:2K", code=3)
    found = re.search(r"too many sampled blocks at once: (\d+) were not followed", done.stderr)
    assert found and int(found[1]) > 50000, done.stderr
    weights = recording.weights(samples, ["stays", "freed"])
    check_bytes(weights["stays"], 100000 * 4000, "stays")
    assert len(weights["stays"]) + len(weights["freed"]) > 65536


def check_program(recording):
    program = recording.build("live", PROGRAM, "-pthread", "-Wno-unused-result")
    found, _done = recording.trace([program], "heap:16K,heap-count:16K", code=3)
    samples = [sample for sample in found if sample.event == "heap"]
    weights = recording.weights(samples, TRUTH)
    for part, size in TRUTH.items():
        check_bytes(weights[part], size, part)
        assert size or not weights[part], f"{part}: {len(weights[part])} blocks that were freed"
    total, truth = sum(sample.weight for sample in samples), sum(TRUTH.values())
    print(f"{len(samples)} live blocks, their sum is {100 * (total / truth - 1):+.2f} % off")
    numbers = recording.weights([sample for sample in found if sample.event == "heap-count"], TRUTH)
    for part, number in BLOCKS.items():
        check_bytes(numbers[part], number, f"blocks of {part}")
        assert number or not numbers[part], f"{part}: {len(numbers[part])} blocks that were freed"
    # By exec, the memory of the first process is gone; that of its child was there until its end.
    samples, _done = recording.trace([program, "exec"], "heap:16K")
    assert {part for sample in samples for part in TRUTH if part in sample.names()} <= {"child"} or not samples


def check_peak(recording):
    """Both moments at once."""
    samples, _done = recording.trace([recording.build("peak", PEAK)], "heap-peak:16K,heap:16K")
    for event, truth in ("heap-peak", PEAK_TRUTH), ("heap", END_TRUTH):
        weights = recording.weights([sample for sample in samples if sample.event == event], truth)
        for part, size in truth.items():
            check_bytes(weights[part], size, f"{event} {part}")
            assert size or not weights[part], f"{event} {part}: {len(weights[part])} samples"


def check_temporary(recording):
    """A block that its own thread frees before it has allocated 16 KiB more; those of alloc are all."""
    program = recording.build("temporary", TEMPORARY, "-pthread")
    found, _done = recording.trace([program], "alloc:16K,alloc-temporary:16K")
    samples = [sample for sample in found if "pad" not in sample.names()]
    weights = recording.weights([sample for sample in samples if sample.event == "alloc-temporary"], TEMPORARY_TRUTH)
    for part, size in TEMPORARY_TRUTH.items():
        check_bytes(weights[part], size, f"temporary {part}")
        assert size or not weights[part], f"temporary {part}: {len(weights[part])} samples"
    weights = recording.weights([sample for sample in samples if sample.event == "alloc"], TEMPORARY_TRUTH)
    check_bytes(weights["later"], 20000 * 1000, "alloc later")


def check_moment(recording):
    """--at, and SIGUSR2: what is in use then, whatever is freed later; the last one counts."""
    program = recording.build("moments", MOMENTS)
    for words, options, truth in ([], ["--at", "400ms"], {"first": 20000 * 1000, "second": 0}), \
            (["signals"], [], {"first": 0, "second": 30000 * 600}):
        samples, done = recording.trace([program, *words], "heap-at:16K,heap:16K", *options)
        assert "no moment" not in done.stderr, done.stderr
        weights = recording.weights(samples, truth)
        for part, size in truth.items():
            check_bytes(weights[part], size, f"{words} {part}")
            assert size or not weights[part], f"{words} {part}: {len(weights[part])} samples"
    samples, done = recording.trace(["true"], "heap-at:1K", "--at", "1h")
    assert not samples and "heap-at has no moment" in done.stderr, done.stderr


def check_timeout(recording):
    """The end may be that of wperf: what the program frees when it is ended does not matter."""
    program = recording.build("waits", WAITS)
    samples, _done = recording.trace([program], "heap:16K", "--timeout", "1", code=None)
    weights = recording.weights(samples, ["stays"])
    check_bytes(weights["stays"], 20000 * 1000, "before the end")


def check_python(recording):
    program = recording.path("heap.py")
    program.write_text(SCRIPT)
    for python, minor in pythons.find_all():
        samples, _done = recording.trace([python, "-S", program], "heap:32K")
        weights = {part: [sample.weight for sample in samples if part in sample.names()]
                   for part in ("stays", "large", "small", "freed", "small_freed", "grows")}
        check_bytes(weights["stays"], 3000 * 3000, f"3.{minor} stays")
        check_bytes(weights["large"], 60 * 100000, f"3.{minor} large")
        check_bytes(weights["small"], 3000 * 1000, f"3.{minor} small")
        for part in "freed", "small_freed", "grows":
            assert not weights[part], f"3.{minor} {part}: {len(weights[part])} blocks that were freed"


def check(recording):
    check_program(recording)
    check_many(recording)
    check_peak(recording)
    check_temporary(recording)
    check_moment(recording)
    check_timeout(recording)
    check_python(recording)


allocations.main(check)
