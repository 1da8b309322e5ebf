// SPDX-License-Identifier: Apache-2.0

/**
 * What an input of a fuzz target may cost: LLVMFuzzerTestOneInput() of each target is compiled
 * under the name fuzz_one_input(), and called from here. An input that takes more CPU time or more
 * memory than one of its size may take is a bug of the parser, and ends the run like a crash.
 */

#include <sanitizer/allocator_interface.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int fuzz_one_input(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For each byte of an input, beyond what CMakeLists.txt allows each input of a target.
enum { NS_PER_BYTE = 20000, BYTES_PER_BYTE = 1024, MAX_RUNS = 3 };
#define MAX_NS    (UINT64_C(1000000) * FUZZ_MAX_MS)
#define MAX_BYTES ((UINT64_C(1) << 20) * FUZZ_MAX_MB)

static struct {
	_Atomic int64_t now, peak; // allocated since the input began
	uint64_t most_ns, most_bytes;
	bool is_ready;
} spent;

static void on_malloc(const volatile void *allocation, size_t size)
{
	int64_t now = atomic_fetch_add(&spent.now, (int64_t)size) + (int64_t)size;
	int64_t peak = spent.peak;
	while (now > peak && !atomic_compare_exchange_weak(&spent.peak, &peak, now))
		continue;
}

static void on_free(const volatile void *allocation)
{
	if (allocation)
		atomic_fetch_sub(&spent.now,
				 (int64_t)__sanitizer_get_allocated_size((const void *)allocation));
}

static void print_most(void)
{
	fprintf(stderr, "an input took at most %.1f ms and %.0f KB\n", (double)spent.most_ns / 1e6,
		(double)spent.most_bytes / 1024);
}

static void prepare(void)
{
	if (spent.is_ready)
		return;
	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	atexit(print_most);
	spent.is_ready = true;
}

static uint64_t cpu_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void check(const char *what, uint64_t taken, uint64_t most, size_t size)
{
	if (taken <= most)
		return;
	fprintf(stderr, "over budget: an input of %zu bytes took %llu %s, allowed are %llu\n", size,
		(unsigned long long)taken, what, (unsigned long long)most);
	abort();
}

static uint64_t run(const uint8_t *data, size_t size)
{
	spent.now = spent.peak = 0;
	uint64_t start = cpu_ns();
	fuzz_one_input(data, size);
	return cpu_ns() - start;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	prepare();
	uint64_t max_ns = MAX_NS + NS_PER_BYTE * size;
	uint64_t ns = run(data, size), bytes = (uint64_t)spent.peak;
	// A virtual machine may charge a process for time that others had: the least of some runs.
	for (unsigned i = 1; ns > max_ns && i < MAX_RUNS; i++) {
		uint64_t again = run(data, size);
		ns = again < ns ? again : ns;
	}
	spent.most_ns = ns > spent.most_ns ? ns : spent.most_ns;
	spent.most_bytes = bytes > spent.most_bytes ? bytes : spent.most_bytes;
	check("ns of CPU time", ns, max_ns, size);
	check("bytes of memory", bytes, MAX_BYTES + BYTES_PER_BYTE * size, size);
	return 0;
}
