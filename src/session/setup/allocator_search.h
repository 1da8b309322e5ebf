/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_ALLOCATOR_SEARCH_H
#define WPERF_SESSION_SETUP_ALLOCATOR_SEARCH_H

/**
 * Finds the allocator that a running process uses: its own malloc() if the program has one, that of
 * another library than the C library if there is one (jemalloc, tcmalloc, mimalloc), else the C
 * library's; and mmap(). Allocators that are not the C library's may have C++'s operators.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "source/allocator_places.h"

/** @ret: one for each process; all is in the arena. An error for a process without an allocator. */
struct error *allocator_search(const uint32_t *pids, size_t num_pids, struct arena *arena,
			       const struct allocator_places **ret);

#endif
