/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_WALKER_H
#define WPERF_SOURCE_BPF_WALKER_H

/**
 * A program in the kernel that walks over the frames of Python whenever a sample is taken, see
 * bpf/python_walker.bpf.c. What it finds comes through the ring of the sample's core, in front of
 * the sample: walk_record.h takes it up there.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct python_walk;
struct bpf_walker;
struct walk_record;

/**
 * Load the program. The error says why that is not possible here, and what to do about it.
 * @ret: ended by bpf_walker_destroy().
 */
struct error *bpf_walker_create(struct bpf_walker **ret);
void bpf_walker_destroy(struct bpf_walker *walker);

static inline void bpf_walker_destroyp(struct bpf_walker **walker)
{
	bpf_walker_destroy(*walker);
}

/** Frames that were paged out are not missing: the thread fetches them, and walks once more. */
bool bpf_walker_fetches_memory(const struct bpf_walker *walker);

/**
 * Let walks of a core come into a ring. Once for each core; both files are open as long as the
 * walker lives, or longer.
 * @ring_fd: an event of that core with a ring.
 * @sample_type: of the samples. @ret_id: what the records of walks have for their id.
 */
struct error *bpf_walker_join_ring(struct bpf_walker *walker, int core, int ring_fd,
				   uint64_t sample_type, uint64_t *ret_id);

/**
 * Walk at each sample of this event, and of those that it is inherited to.
 * @is_first: of the targets of one event: tracepoints are the same for all of them.
 */
struct error *bpf_walker_attach(struct bpf_walker *walker, int fd, bool is_tracepoint,
				bool is_first);

/** See struct source_ops. */
struct error *bpf_walker_set_walk(struct bpf_walker *walker, uint32_t pid,
				  const struct python_walk *walk);

/**
 * For a walk with a late_slot: memory was missing, so the thread walks once more before it goes on.
 * If that has been done, @walk gets what was found. True: it is still to come.
 */
bool bpf_walker_take_late(const struct bpf_walker *walker, struct walk_record *walk);

/** Walks so far that found their ring full, which the kernel counts among the lost samples. */
uint64_t bpf_walker_num_lost(const struct bpf_walker *walker);

#endif
