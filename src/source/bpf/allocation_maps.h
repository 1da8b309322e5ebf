/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_ALLOCATION_MAPS_H
#define WPERF_SOURCE_BPF_ALLOCATION_MAPS_H

/** What the program at allocators in the kernel (allocation_probe.bpf.h) and its loader share. */

#include <stdint.h>

/** Where a function of an allocator has the size: the cookie of its probe. */
enum allocation_kind {
	ALLOCATION_SIZE_FIRST,  /* malloc, valloc, pvalloc */
	ALLOCATION_PRODUCT,     /* calloc */
	ALLOCATION_SIZE_SECOND, /* realloc of other allocators; memalign, aligned_alloc */
	ALLOCATION_SIZE_THIRD,  /* posix_memalign */
	ALLOCATION_MMAP,        /* anonymous, writable and of 64 KiB or more */
	/* Of C libraries, which call their own malloc() for some of these: that one counts. */
	ALLOCATION_LIBC_REALLOC,
	ALLOCATION_LIBC_MEMALIGN,
	ALLOCATION_LIBC_POSIX_MEMALIGN,
	NUM_ALLOCATION_KINDS,
};

enum { ALLOCATION_NUM_RANGES = 2 };

/** Addresses of a process; an empty range has the end 0. */
struct allocation_range {
	uint64_t start, end;
};

/** Of `allocators`, by the process. */
struct allocation_process {
	/* Code from which mmap() is the allocator's own business: that of the C library, and that
	 * of another allocator, from which any function is. */
	struct allocation_range ranges[ALLOCATION_NUM_RANGES];
	uint64_t num_calls; /* while nothing is sampled; the program in the kernel counts them */
};

enum {
	ALLOCATION_LOG_BITS = 8,
	ALLOCATION_LOG_STEPS = 1 << ALLOCATION_LOG_BITS,
	ALLOCATION_FRACTION_BITS = 24, /* of logarithms */
};

/** Of `allocation_settings`. */
struct allocation_setting {
	uint64_t period; /* bytes */
	uint64_t is_on;
	/* ln(1 + i / ALLOCATION_LOG_STEPS) */
	uint32_t logs[ALLOCATION_LOG_STEPS + 1];
	uint32_t log_of_2;
};

/** Of `countdowns`, for each core. */
struct allocation_countdown {
	int64_t bytes_left; /* until the next byte that is chosen */
	uint64_t is_drawn;
	uint64_t num_lost; /* samples for which the ring had no room */
};

/** What a sample brings (PERF_SAMPLE_RAW). */
struct allocation_output {
	uint64_t size;
};

#endif
