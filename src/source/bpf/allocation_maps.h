/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_ALLOCATION_MAPS_H
#define WPERF_SOURCE_BPF_ALLOCATION_MAPS_H

/** What the program at allocators in the kernel (allocation_probe.bpf.h) and its loader share. */

#include <stdint.h>

/** What a function of an allocator does, and where it has the size: the cookie of its probe. */
enum allocation_kind {
	ALLOCATION_SIZE_FIRST,  /* malloc, valloc, pvalloc, operator new */
	ALLOCATION_PRODUCT,     /* calloc */
	ALLOCATION_SIZE_SECOND, /* memalign, aligned_alloc */
	ALLOCATION_SIZE_THIRD,  /* posix_memalign, which leaves the block where its first says */
	ALLOCATION_REALLOC,     /* the old block is the first, the size the second */
	ALLOCATION_MMAP,        /* anonymous, writable and of 64 KiB or more */
	/* Of C libraries, which call their own malloc() for some of these: that one counts. */
	ALLOCATION_LIBC_REALLOC,
	ALLOCATION_LIBC_MEMALIGN,
	ALLOCATION_LIBC_POSIX_MEMALIGN,
	ALLOCATION_FREE, /* gives back the block that is its first: free, munmap */
	NUM_ALLOCATION_KINDS,
};

/** Is it probed where it returns as well, if blocks are followed until they are freed? */
static inline int allocation_kind_returns(enum allocation_kind kind)
{
	return kind != ALLOCATION_FREE;
}

/* As many as a program can have of the functions that allocate, and one more. */
enum { ALLOCATION_NUM_RANGES = 20 };

/** Addresses of a process; an empty range has the end 0. */
struct allocation_range {
	uint64_t start, end;
};

/** Of `allocators`, by the process. */
struct allocation_process {
	/* Code from which mmap() is the allocator's own business: that of the C library. Then code
	 * from which any function is: that of an allocator's library, or those functions of a
	 * program with its own that are probed. Behind the last one they are empty. */
	struct allocation_range ranges[ALLOCATION_NUM_RANGES];
	/* While nothing is sampled; the program in the kernel counts them. */
	uint64_t num_calls, num_returns;
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
	uint64_t sees_frees;    /* of sampled blocks */
	uint64_t counts_thread; /* what each thread allocates, for allocation_freed.since */
	/* ln(1 + i / ALLOCATION_LOG_STEPS) */
	uint32_t logs[ALLOCATION_LOG_STEPS + 1];
	uint32_t log_of_2;
};

/** Of `countdowns`, for each core. */
struct allocation_countdown {
	int64_t bytes_left; /* until the next byte that is chosen */
	uint64_t is_drawn;
	uint64_t num_lost;       /* samples for which the ring had no room */
	uint64_t num_lost_frees; /* ... and frees */
	uint64_t num_unseen;     /* sampled blocks whose free will not be seen: too many at once */
};

/** What a sample brings (PERF_SAMPLE_RAW). */
struct allocation_output {
	uint64_t size;
	uint64_t number; /* of the block, from 1 on; 0: frees are not seen */
};

/** What the free of a sampled block brings. */
struct allocation_freed {
	uint64_t number;
	/* What its thread has allocated since, if that is counted; UINT64_MAX: another thread frees
	 * it, or it is not counted. */
	uint64_t since;
};

/** Of `blocks`: a sampled block that is in use. */
struct allocation_block_key {
	uint64_t process, address;
};

struct allocation_block {
	uint64_t number;
	uint64_t thread, drawn; /* who allocated it, and what that had allocated until then */
};

/** Of `calls`: a call that will be a sample when it returns. */
struct allocation_call_key {
	uint64_t thread, sp; /* sp: as it is then */
};

struct allocation_returning {
	uint64_t size, drawn;
	uint64_t place; /* where it leaves the block's address; 0: it returns that */
};

#endif
