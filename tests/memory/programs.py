# SPDX-License-Identifier: Apache-2.0
"""Programs of many kinds: threads, forks, exec, C++, libraries that are loaded late, stacks of coroutines and
of signals, other allocators; each ends as it does without wperf."""
import os
import re

import allocations
from allocations import check_bytes
import recorder

THREADS = """
#include <pthread.h>
KEEP void large(void) { void *p = malloc(3000); TOUCH(p); free(p); }
KEEP void small(void) { void *p = malloc(1000); TOUCH(p); free(p); }
static void *run(void *unused)
{
	for (int i = 0; i < 500; i++) {
		large();
		small();
	}
	return NULL;
}
int main(int argc, char **argv)
{
	int num = atoi(argv[1]);
	pthread_t threads[1000];
	for (int i = 0; i < num; i++)
		if (pthread_create(&threads[i], NULL, run, NULL))
			return 1;
	for (int i = 0; i < num; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
"""

FORKS = """
#include <sys/wait.h>
#include <unistd.h>
KEEP void child(void) { for (int i = 0; i < 1000; i++) { void *p = malloc(2000); TOUCH(p); free(p); } }
KEEP void other(void) { for (int i = 0; i < 50000; i++) { void *p = malloc(2000); TOUCH(p); free(p); } }
int main(int argc, char **argv)
{
	if (argc > 1) {
		other();
		return 9;
	}
	for (int i = 0; i < 200; i++) {
		if (fork() == 0) {
			child();
			_exit(0);
		}
		if (i % 8 == 7)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
	// A child of vfork() has the memory of its parent.
	if (vfork() == 0)
		_exit(0);
	return execl(argv[0], argv[0], "again", (char *)NULL);
}
"""

# A child allocates with the thread-local memory of a thread that has not done so yet.
VFORK = """
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
KEEP void parent(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
static void *run(void *unused)
{
	if (vfork() == 0) {
		void *p = malloc(1000);
		TOUCH(p);
		_exit(0);
	}
	parent();
	dprintf(1, "thread %ld\\n", syscall(SYS_gettid));
	return NULL;
}
int main(void)
{
	pthread_t thread;
	return pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL);
}
"""

CONTAINERS = """
#include <map>
#include <new>
#include <string>
#include <vector>
KEEP void vectors() { for (int i = 0; i < 20; i++) { std::vector<char> v(5000); TOUCH(*v.data()); } }
KEEP void objects() { for (int i = 0; i < 100; i++) { auto *p = new std::string[10]; TOUCH(p); delete[] p; } }
KEEP int fails() {
	volatile size_t size = size_t(1) << 60;
	try { char *p = new char[size]; TOUCH(p); delete[] p; } catch (const std::bad_alloc &) { return 1; }
	return 0;
}
int main() {
	int num = 0;
	for (int i = 0; i < 300; i++) { vectors(); objects(); num += fails(); }
	return num == 300 ? 5 : 1;
}
"""

LATE = """
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
KEEP void early(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
KEEP void handler(int signum) { void *p = malloc(200000); TOUCH(p); free(p); }
KEEP void coroutine(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
static ucontext_t home, away;
static char stack[65536], signal_stack[65536];
int main(int argc, char **argv)
{
	early();
	void *library = dlopen(argv[1], RTLD_NOW);
	void (*late)(void) = library ? (void (*)(void))dlsym(library, "late") : NULL;
	if (!late)
		return 1;
	late();
	getcontext(&away);
	away.uc_stack.ss_sp = stack;
	away.uc_stack.ss_size = sizeof(stack);
	away.uc_link = &home;
	makecontext(&away, coroutine, 0);
	swapcontext(&home, &away);
	stack_t other = {.ss_sp = signal_stack, .ss_size = sizeof(signal_stack)};
	sigaltstack(&other, NULL);
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	return 6;
}
"""

LIBRARY = """
KEEP void inner(void) { for (int i = 0; i < 20000; i++) { void *p = malloc(1000); TOUCH(p); free(p); } }
void late(void) { inner(); __asm__ volatile(""); }
"""

OWN_MALLOC = """
#include <stddef.h>
#include <string.h>
static _Alignas(16) char heap[64 << 20];
static size_t used;
void *malloc(size_t size) { void *p = heap + used; used += (size + 15) / 16 * 16; return used < sizeof(heap) ? p : NULL; }
void free(void *p) { }
void *calloc(size_t num, size_t size) { return malloc(num * size); }
void *realloc(void *p, size_t size) { void *q = malloc(size); return p ? memcpy(q, p, size) : q; }
int main(void) { for (int i = 0; i < 10000; i++) { void *p = malloc(1000); TOUCH(p); } return 4; }
"""

# Only operator new and delete are replaced: new[] and delete[] of libstdc++ call them.
OWN_NEW = """
#include <cstddef>
#include <new>
KEEP void *operator new(size_t size) { size_t *p = (size_t *)malloc(size + 16); p[1] = 0x5eed; return p + 2; }
KEEP void operator delete(void *block) noexcept
{
	size_t *p = (size_t *)block - 2;
	if (p[1] != 0x5eed)
		abort();
	free(p);
}
KEEP void operator delete(void *block, size_t) noexcept { operator delete(block); }
extern "C" KEEP void arrays(void) { for (int i = 0; i < 20000; i++) { char *p = new char[984]; TOUCH(p); delete[] p; } }
int main(void) { arrays(); return 7; }
"""

# A program in C with a library in C++, which only the library is linked with.
LATE_NEW = """
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void (*run)(void) = (void (*)(void))dlsym(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), "run");
	run();
	return 8;
}
"""
CPLUSPLUS = """
extern "C" KEEP void made(void) { for (int i = 0; i < 20000; i++) { char *p = new char[1000]; TOUCH(p); delete[] p; } }
extern "C" void run(void) { made(); __asm__ volatile(""); }
"""


def check_threads(recording):
    program = recording.build("threads", THREADS, "-pthread")
    for num in 8, 1000:
        samples, done = recording.trace([program, num], "alloc:64K")
        assert "lost samples" not in done.stderr, done.stderr
        weights = recording.weights(samples, ["large", "small"])
        check_bytes(weights["large"], 3000 * 500 * num, f"{num} threads")
        check_bytes(weights["small"], 1000 * 500 * num, f"{num} threads")
    assert len({sample.tid for sample in samples}) > 900


def check_forks(recording):
    samples, _done = recording.trace([recording.build("forks", FORKS)], "alloc:64K", code=9)
    weights = recording.weights(samples, ["child", "other"])
    check_bytes(weights["child"], 200 * 1000 * 2000, "children")
    check_bytes(weights["other"], 50000 * 2000, "after exec")
    # Copies of one process do not choose the same allocations.
    counts = {}
    for sample in samples:
        if "child" in sample.names():
            counts[sample.pid] = counts.get(sample.pid, 0) + 1
    assert len(counts) > 190 and len(set(counts.values())) > 5, counts


def check_vfork(recording):
    samples, done = recording.trace([recording.build("vfork", VFORK, "-pthread")], "alloc:64K")
    check_bytes(recording.weights(samples, ["parent"])["parent"], 20000 * 1000, "after vfork")
    tid = int(re.search(r"^thread (\d+)$", done.stdout, re.M)[1])
    assert {sample.tid for sample in samples if "parent" in sample.names()} == {tid}, (tid, samples[-1])


def check_containers(recording):
    program = recording.build("containers", CONTAINERS, compiler="g++")
    samples, _done = recording.trace([program], "alloc:64K", code=5)
    weights = recording.weights(samples, ["vectors()", "objects()"] if any(
        "vectors()" in sample.names() for sample in samples) else ["vectors", "objects"])
    by_name = {name.rstrip("()"): found for name, found in weights.items()}
    check_bytes(by_name["vectors"], 300 * 20 * 5000, "vectors")
    check_bytes(by_name["objects"], 300 * 100 * (10 * 32 + 8), "objects")
    # What calls operator new is shown, not the operator.
    assert not any(sample.names()[0].startswith("operator new") for sample in samples)


def check_operators(recording):
    """What delete gets is what new has made, wherever the operators are."""
    samples, _done = recording.trace([recording.build("own_new", OWN_NEW, compiler="g++")], "alloc:64K", code=7)
    weights = recording.weights(samples, ["arrays"])
    check_bytes(weights["arrays"], 20000 * 1000, "new[] by an operator new of the program")
    library = recording.build("plusplus.so", CPLUSPLUS, "-shared", "-fPIC", compiler="g++")
    program = recording.build("late_new", LATE_NEW, "-ldl")
    samples, _done = recording.trace([program, library], "alloc:64K", code=8)
    weights = recording.weights(samples, ["made"])
    check_bytes(weights["made"], 20000 * 1000, "new of a library that came late")


def check_late(recording):
    library = recording.build("late.so", LIBRARY, "-shared", "-fPIC", "-fno-optimize-sibling-calls")
    program = recording.build("late", LATE, "-ldl")
    samples, _done = recording.trace([program, library], "alloc:64K", code=6)
    parts = ["early", "inner", "coroutine", "handler"]
    weights = recording.weights(samples, parts)
    for part in parts:
        check_bytes(weights[part], 20000000, part)
    # dlopen() allocates, too: there the loader is the caller of the allocator. Our library never is.
    own = {os.path.basename(program), os.path.basename(library)}
    loaders = [sample for sample in samples if os.path.basename(sample.frames[0].module) not in own]
    for sample in loaders:
        module = next(frame.module for frame in sample.frames if not frame.is_inlined)
        assert os.path.basename(module).startswith(("ld-linux", "libc.so")), sample.frames[:4]
    assert not any("wperf-memory" in frame.module for sample in samples for frame in sample.frames)
    assert len(loaders) <= 20, f"{len(loaders)} samples of what is a few allocations"
    for sample in samples:
        if sample in loaders:
            assert not set(parts) & set(sample.names()), sample.names()
            continue
        assert sample.names()[0] in parts, sample.names()
        # Through the library that came late; a copy of another stack does not reach the usual one.
        if not {"coroutine", "handler"} & set(sample.names()):
            assert "main" in sample.names(), sample.names()


def check_own_malloc(recording):
    samples, done = recording.trace([recording.build("own", OWN_MALLOC, "-fno-builtin", "-rdynamic")], code=4)
    assert not samples and "has a malloc of its own" in done.stderr, done.stderr


def check_environment(recording):
    """Only what is said to be added is added; what was preloaded stays so."""
    other = recording.build("other.so", "int other;", "-shared", "-fPIC")
    before = dict(os.environ, LD_PRELOAD=str(other), EMPTY="", LANG="C")
    done = recorder.run([recording.wperf, "record", "-q", "-e", "alloc", "--save", recording.path("e.data"), "--",
                         "/usr/bin/env", "-0"], env=before)
    shown = done.stdout + done.stderr
    variables = dict(word.split("=", 1) for word in shown.split("\0") if "=" in word)
    preloads = variables.pop("LD_PRELOAD").split(":")
    assert preloads[0].endswith("wperf-memory.so") and preloads[1:] == [str(other)], preloads
    assert variables.pop("WPERF_MEMORY").startswith("/proc/")
    expected = {name: value for name, value in before.items() if name not in ("LD_PRELOAD", "_")}
    found = {name.split("\n")[-1]: value for name, value in variables.items()}
    missing = {name for name, value in expected.items() if found.get(name) != value}
    assert not missing, missing


def check(recording):
    check_threads(recording)
    check_forks(recording)
    check_vfork(recording)
    check_containers(recording)
    check_operators(recording)
    check_late(recording)
    check_own_malloc(recording)
    check_environment(recording)


allocations.main(check)
