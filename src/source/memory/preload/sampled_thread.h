/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_SAMPLED_THREAD_H
#define WPERF_SOURCE_MEMORY_SAMPLED_THREAD_H

/**
 * What the functions around allocators do with the state of their thread. Between two samples an
 * allocation costs a subtraction and a branch:
 *
 *	if (sampled_thread_is_due(size))
 *		return the slow function, which calls sampled_thread_pause() and
 *		       sampled_thread_resume();
 *	return real(size);
 */

#include "source/memory/preload/thread_state.h"

#include <stdbool.h>
#include <stddef.h>

/** Of what is rare: the fast paths save no registers for it. */
#define NOT_INLINED __attribute__((noinline, cold))

/** sampled_thread_subtract(): true: there was less left. On x86-64 one instruction subtracts in
 * memory, and the branch takes its flag; compilers make five of it. */
#if defined(__x86_64__)
static inline bool sampled_thread_subtract(size_t size)
{
	bool borrows;
	__asm__("subq %[size], %[left]"
		: [left] "+m"(thread_state.left), "=@ccb"(borrows)
		: [size] "r"(size));
	return borrows;
}
#else
static inline bool sampled_thread_subtract(size_t size)
{
	return __builtin_sub_overflow(thread_state.left, size, &thread_state.left);
}
#endif

/** Counts an allocation. True: a sample is due, and it is not counted yet. */
static inline bool sampled_thread_is_due(size_t size)
{
	bool is_due = sampled_thread_subtract(size);
	if (__builtin_expect(is_due, 0))
		thread_state.left += size;
	return is_due;
}

/**
 * The allocation was made: take a sample of it, if it is its turn.
 * @left: from the pause. @block: NULL: it failed, and does not count.
 */
void sampled_thread_resume(uint64_t left, const void *block, size_t size,
			   const struct sampled_caller *caller);

#endif
