# SPDX-License-Identifier: Apache-2.0
"""Other allocators than that of libc, as shared libraries: preloaded, or linked. What they map for themselves is not
counted beside what the program gets from them. Those that this machine does not have are left out."""
import glob
import os

import allocations
from allocations import check_bytes

PROGRAM = """
#include <pthread.h>
static void *volatile kept[20000];
KEEP void small(int i) { kept[i] = malloc(1000); }
KEEP void large(void) { void *p = malloc(300000); TOUCH(p); free(p); }
KEEP void grown(void) { void *p = NULL; for (int i = 1; i <= 10; i++) { p = realloc(p, i * 1000); TOUCH(p); } free(p); }
KEEP void zeroed(void) { void *p = calloc(10, 200); TOUCH(p); free(p); }
KEEP void aligned(void) { void *p; if (posix_memalign(&p, 64, 640)) abort(); TOUCH(p); free(p); }
static void *run(void *begin)
{
	for (int i = 0; i < 5000; i++) {
		small((int)(long)begin + i);
		zeroed();
		aligned();
		if (i % 10 == 0) {
			large();
			grown();
		}
	}
	return NULL;
}
int main(void)
{
	pthread_t threads[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, (void *)(i * 5000));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 10000; i++)
		free(kept[i]);
	return 7;
}
"""
TRUTH = {"small": 20000 * 1000, "large": 2000 * 300000, "grown": 2000 * 55000, "zeroed": 20000 * 2000,
         "aligned": 20000 * 640}


def libraries():
    for name in "jemalloc", "tcmalloc_minimal", "mimalloc":
        found = sorted(glob.glob(f"/usr/lib/*/lib{name}.so.*"))
        if found:
            yield name, found[0]
        else:
            print(f"left out: {name} is not installed")


def check_allocator(recording, name, program, environment):
    samples, done = recording.trace([program], "alloc:32K,heap:32K", code=7, env=environment)
    assert "malloc of its own" not in done.stderr and "lost" not in done.stderr, done.stderr
    by_event = {event: [sample for sample in samples if sample.event == event] for event in ("alloc", "heap")}
    weights = recording.weights(by_event["alloc"], TRUTH)
    for part, size in TRUTH.items():
        check_bytes(weights[part], size, f"{name} {part}")
    total = sum(sample.weight for sample in by_event["alloc"]) / sum(TRUTH.values())
    print(f"{name}: {len(samples)} samples, their sum is {100 * (total - 1):+.2f} % off")
    assert total < 1.05, f"{name}: what the allocator maps was counted, too: {total:.2f} of the truth"
    weights = recording.weights(by_event["heap"], TRUTH)
    check_bytes(weights["small"], 10000 * 1000, f"{name} heap")
    for part in set(TRUTH) - {"small"}:
        assert not weights[part], f"{name} {part}: {len(weights[part])} blocks that were freed"
    in_use = sum(sample.weight for sample in by_event["heap"]) / (10000 * 1000)
    assert in_use < 1.5, f"{name}: {in_use:.2f} of what is in use"


def check(recording):
    program = recording.build("allocators", PROGRAM, "-pthread")
    for name, library in libraries():
        check_allocator(recording, name, program, dict(os.environ, LD_PRELOAD=library))
        linked = recording.build(f"linked_{name}", PROGRAM, "-pthread", "-Wl,--no-as-needed", library)
        check_allocator(recording, f"{name}, linked", linked, None)


if __name__ == "__main__":
    allocations.main(check)
