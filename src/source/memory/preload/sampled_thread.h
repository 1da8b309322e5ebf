/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_SAMPLED_THREAD_H
#define WPERF_SOURCE_MEMORY_SAMPLED_THREAD_H

/**
 * What the functions around allocators do with the state of their thread. Between two samples an
 * allocation costs a comparison and a subtraction:
 *
 *	if (size < thread_state.left) {
 *		thread_state.left -= size;
 *		return real(size);
 *	}
 *	return the slow function, which calls sampled_thread_pause() and sampled_thread_resume().
 */

#include "source/memory/preload/thread_state.h"

#include <stddef.h>

/**
 * The allocation was made: take a sample of it, if it is its turn.
 * @left: from the pause. @block: NULL: it failed, and does not count.
 */
void sampled_thread_resume(uint64_t left, const void *block, size_t size,
			   const struct sampled_caller *caller);

#endif
