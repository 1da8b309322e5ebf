# SPDX-License-Identifier: Apache-2.0
"""Processes that run already with another allocator than that of libc, preloaded, linked, or their own: bytes of C
and of C++'s operators, which such allocators bring, are counted once, and what is freed is gone. Allocators that
this machine does not have are left out."""
import os

import allocations
import attach
from allocations import check_bytes
from allocators import libraries

PROGRAM = """
#include <cstdio>
#include <cstring>
#include <malloc.h>
#include <new>
#ifdef OWN_MALLOC
// A malloc() that gives out and forgets, beside which libstdc++'s operators are linked, which call it.
static char heap[1 << 28] __attribute__((aligned(64)));
static size_t used;
extern "C" void *malloc(size_t size)
{
	char *block = heap + used;
	used += (size + 63) / 64 * 64;
	return used < sizeof(heap) ? block : nullptr;
}
extern "C" void free(void *block) { TOUCH(block); }
extern "C" void *calloc(size_t num, size_t size) { return malloc(num * size); }
extern "C" void *realloc(void *old, size_t size) { void *p = malloc(size); return old ? memcpy(p, old, size / 2) : p; }
extern "C" void *aligned_alloc(size_t, size_t size) { return malloc(size); }
extern "C" void *memalign(size_t, size_t size) { return malloc(size); }
extern "C" int posix_memalign(void **ret, size_t, size_t size) { *ret = malloc(size); return !*ret; }
#endif
enum { ROUNDS = 2000 };
static const std::align_val_t wide{64};
static void *volatile kept[10][ROUNDS];
static void (*const frees[10])(void *) = {
	free, free, free, free,
	[](void *p) { operator delete(p); },
	[](void *p) { operator delete[](p); },
	[](void *p) { operator delete(p, 640, wide); },
	[](void *p) { operator delete[](p, wide); },
	[](void *p) { operator delete(p, size_t(700)); },
	[](void *p) { operator delete[](p, std::nothrow); },
};
KEEP void *plain() { return malloc(1000); }
KEEP void *zeroed() { return calloc(10, 60); }
KEEP void *grown() { return realloc(malloc(100), 300); }
KEEP void *paged() { return HAS_VALLOC ? valloc(4096) : malloc(4096); }
KEEP void *one() { return operator new(500); }
KEEP void *several() { return operator new[](400); }
KEEP void *aligned() { return operator new(640, wide); }
KEEP void *aligned_several() { return operator new[](1280, wide); }
KEEP void *quiet() { return operator new(700, std::nothrow); }
KEEP void *quiet_several() { return operator new[](800, std::nothrow); }
static void *(*volatile const makes[10])() = {plain, zeroed, grown, paged, one, several, aligned, aligned_several, quiet,
	quiet_several};
int main()
{
	getchar();
	for (int i = 0; i < ROUNDS; i++)
		for (int part = 0; part < 10; part++)
			kept[part][i] = makes[part]();
	for (int i = 0; i < ROUNDS; i += 2)
		for (int part = 0; part < 10; part++)
			frees[part](kept[part][i]);
	return 0;
}
"""
SIZES = {"plain": 1000, "zeroed": 600, "grown": 400, "paged": 4096, "one": 500, "several": 400, "aligned": 640,
         "aligned_several": 1280, "quiet": 700, "quiet_several": 800}
ROUNDS = 2000


def check_allocator(recording, name, program, environment=None):
    samples, said = attach.attach(recording, [program], "alloc:8K,heap:8K", environment=environment)
    assert f"probes at {name}" in said and "were lost" not in said, said
    for event in "alloc", "heap":
        found = recording.weights([sample for sample in samples if sample.event == event], SIZES)
        for part, size in SIZES.items():
            # realloc() has freed the first block.
            kept = ROUNDS // 2 * (300 if part == "grown" else size)
            check_bytes(found[part], ROUNDS * size if event == "alloc" else kept, f"{name} {event} of {part}")
        # Neither what these functions call in one another, nor what the allocator maps for itself.
        assert sum(found[""]) < 0.01 * sum(map(sum, found.values())), f"{name}: {len(found[''])} samples of {event}"
    print(f"{name}: {len(samples)} samples")


def check(recording):
    flags = "-O1", "-g", "-fno-builtin-malloc", "-std=c++17", "-Wno-mismatched-new-delete"
    program = recording.compile("operators", allocations.KEEP + PROGRAM, *flags, "-DHAS_VALLOC=1", compiler="g++")
    for name, library in libraries():
        if name != "mimalloc":
            check_allocator(recording, f"lib{name}", program, dict(os.environ, LD_PRELOAD=library))
            continue
        linked = recording.compile("linked", allocations.KEEP + PROGRAM, *flags, "-DHAS_VALLOC=1", library, compiler="g++")
        check_allocator(recording, f"lib{name}", linked)
    own = recording.compile("own", allocations.KEEP + PROGRAM, *flags, "-DHAS_VALLOC=0", "-DOWN_MALLOC",
                            "-static-libstdc++", compiler="g++")
    check_allocator(recording, "own", own)


if __name__ == "__main__":
    attach.skip_without_probes()
    allocations.main(check)
