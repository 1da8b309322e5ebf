# SPDX-License-Identifier: Apache-2.0
"""Blocks that nothing points to any more, at the end of a program, and which of those that are not freed are no leaks:
-e leak. In both of glibc's heaps, mapped alone, through other blocks, by threads; and what cannot be searched."""
import signal
import subprocess

import allocations
import waiting

PROGRAM = """
#include <pthread.h>
#include <string.h>
#include <unistd.h>
struct node { struct node *next; void *data; char text[200]; };
static void *volatile table[30000];
static struct node *volatile list;
static char *volatile middle[30000];
static __thread void *volatile of_thread[3000];
static int num;
KEEP void *allocated(size_t size) { void *p = calloc(1, size); TOUCH(p); return p; }
KEEP void kept(void) { table[num] = malloc(1000); }
KEEP void kept_inside(void) { middle[num] = (char *)malloc(1000) + 999; }
KEEP void kept_by_list(void) { struct node *n = malloc(216); n->next = list; n->data = malloc(800); list = n; }
KEEP void kept_large(void) { static void *volatile large[300]; if (num % 100 == 0) large[num / 100] = malloc(300000); }
KEEP void freed(void) { void *p = malloc(1000); TOUCH(p); free(p); }
KEEP void lost(void) { void *p = malloc(1000); TOUCH(p); }
KEEP void lost_large(void) { if (num % 100 == 0) { void *p = malloc(300000); TOUCH(p); } }
KEEP void lost_list(void)
{
	struct node *first = NULL;
	for (int i = 0; i < 10; i++) {
		struct node *n = malloc(216);
		n->next = first;
		n->data = malloc(800);
		first = n;
	}
	TOUCH(first);
}
KEEP void lost_ring(void)
{
	struct node *one = malloc(216), *other = malloc(216);
	one->next = other;
	other->next = one;
	TOUCH(one);
}
KEEP void cleaned(void) { char stack[20000]; memset(stack, 0, sizeof(stack)); TOUCH(stack[0]); }
KEEP void thread_kept(int i) { of_thread[i] = malloc(1000); }
KEEP void thread_lost(void) { void *p = malloc(1000); TOUCH(p); }
static volatile int num_ready, goes_on;
static void *run(void *unused)
{
	for (int i = 0; i < 3000; i++) {
		thread_kept(i);
		thread_lost();
	}
	cleaned();
	__sync_fetch_and_add(&num_ready, 1);
	while (!goes_on)
		usleep(1000);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (num = 0; num < 20000; num++) {
		kept();
		kept_inside();
		kept_by_list();
		kept_large();
		freed();
		lost();
		lost_large();
		lost_ring();
		if (num % 10 == 0)
			lost_list();
	}
	cleaned();
	while (num_ready < 4)
		usleep(1000);
	if (argc > 1 && !strcmp(argv[1], "waits"))
		for (;;)
			pause();
	if (argc > 1)
		_exit(3);
	return 3;
}
"""
ENDING = """
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 1000; i++) { void *p = malloc(1000); TOUCH(p); }
	FILE *out = fopen(argv[1], "w");
	fprintf(out, "%d\\n", (int)getpid());
	fclose(out);
	while (access(argv[2], F_OK))
		usleep(1000);
	fclose(fopen(argv[3], "w"));
	return 0;
}
"""
MOMENT = """
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int waits, goes_on;
KEEP void lost(void) { void *p = malloc(1000); TOUCH(p); }
static void *run(void *unused)
{
	if (vfork() == 0) {
		waits = 1;
		while (!goes_on)
			usleep(1000);
		_exit(0);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	pid_t child = fork();
	if (child == 0)
		lost();
	if (child == 0)
		return 0;
	waitpid(child, NULL, 0);
	for (int i = 0; i < 2000; i++)
		lost();
	pthread_create(&thread, NULL, run, NULL);
	while (!waits)
		usleep(1000);
	kill(getppid(), SIGUSR2);
	usleep(1000000);
	goes_on = 1;
	pthread_join(thread, NULL);
	return 0;
}
"""

TRUTH = {"lost": 20000 * 1000, "lost_large": 200 * 300000, "lost_list": 2000 * 10160, "lost_ring": 20000 * 432,
         "thread_lost": 4 * 3000 * 1000}
NO_LEAKS = ["kept", "kept_inside", "kept_by_list", "kept_large", "freed", "thread_kept"]


def check_leaks(recording, program, *words, code):
    options = ["--timeout", "2"] if words else []
    samples, done = recording.trace([program, *words], "leak:16K", *options, code=code)
    assert "not searched" not in done.stderr, done.stderr
    weights = recording.weights(samples, [*TRUTH, *NO_LEAKS])
    print({part: f"{sum(weights[part])} of {size}" for part, size in TRUTH.items()})
    for part in NO_LEAKS:
        assert not weights[part], f"{part}: {len(weights[part])} blocks that are no leaks"
    for part, size in TRUTH.items():
        # What a register or an old word still points to is not found.
        found = sum(weights[part])
        assert found > size * 0.9 or allocations.deviation(weights[part], size) > -5, f"{part}: {found} of {size}"
        assert allocations.deviation(weights[part], size) < 5, f"{part}: {found} of {size}"


def check_wperf_killed(recording):
    """A program that waits to be searched goes on when wperf is killed meanwhile."""
    begun, goes_on, ends = (recording.path(name) for name in ("begun", "goes_on", "ends"))
    for path in begun, goes_on, ends:
        path.unlink(missing_ok=True)
    program = recording.build("ending", ENDING)
    with subprocess.Popen([recording.wperf, "record", "-q", "-e", "leak:16K", "--save", recording.path("k.data"), "--",
                           program, begun, goes_on, ends], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as wperf:
        waiting.wait_until(lambda: begun.exists() and begun.read_text().endswith("\n"), "the program runs")
        pid = int(begun.read_text())
        wperf.send_signal(signal.SIGSTOP)
        goes_on.touch()
        waiting.wait_until(ends.exists, "the program ends")
        assert not waiting.is_gone(pid)
        wperf.kill()
        wperf.wait()
        waiting.wait_until(lambda: waiting.is_gone(pid), "the program is over")


def check_moment(recording):
    """A thread that did not stop at a moment goes on, and of what was searched at its end nobody says otherwise."""
    program = recording.build("moment", MOMENT, "-pthread")
    samples, done = recording.trace([program], "leak:1K", timeout=60)
    assert "were not searched" not in done.stderr, done.stderr
    assert "a moment that failed: 1; the first: cannot stop thread" in done.stderr, done.stderr
    allocations.check_bytes(recording.weights(samples, ["lost"])["lost"], 2001 * 1000, "lost")


def check(recording):
    check_moment(recording)
    program = recording.build("leaks", PROGRAM, "-pthread")
    check_leaks(recording, program, code=3)
    check_leaks(recording, program, "waits", code=None)
    check_wperf_killed(recording)
    samples, done = recording.trace([program, "exit"], "leak:16K", code=3)
    assert not samples and "1 of 1 processes were not searched for leaks" in done.stderr, done.stderr


allocations.main(check)
