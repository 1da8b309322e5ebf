/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_WALKER_H
#define WPERF_SOURCE_BPF_BPF_WALKER_H

/**
 * Loads a BPF program that walks the interpreter's frames at each sample: frame_walker.bpf.h with
 * the walks that interpreters bring. Its result is a record in the ring of the sample's core,
 * before the sample: walk_record.h reads it.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_walker;
struct kernel_walk;
struct kernel_walk_program;
struct object_copy;
struct object_copy_key;
struct walk_record;

/** Where the program runs. */
enum bpf_walker_site {
	BPF_WALKER_AT_EVENTS,      /* each sample of an event */
	BPF_WALKER_AT_ALLOCATIONS, /* each sample that bpf_allocations.h makes */
	BPF_WALKER_AT_CALLS,       /* each sample that bpf_calls.h makes */
	BPF_WALKER_AT_WAKES,       /* each sample that bpf_wakes.h makes */
	BPF_WALKER_AT_EVENTS_AND_WAKES,
	BPF_WALKER_AT_SWITCHES, /* each sample that bpf_sched.h makes */
	BPF_WALKER_AT_VALUES,   /* nowhere: bpf_values.h sums values of probes up */
};

/**
 * Load the program. The error says why that is not possible here, and what to do about it.
 * @ret: ended by bpf_walker_destroy().
 */
struct error *bpf_walker_create(const struct kernel_walk_program *program,
				enum bpf_walker_site site, struct bpf_walker **ret);
void bpf_walker_destroy(struct bpf_walker *walker);

static inline void bpf_walker_destroyp(struct bpf_walker **walker)
{
	bpf_walker_destroy(*walker);
}

/** The program at allocations of processes without an interpreter. */
extern const struct kernel_walk_program bpf_walker_without_frames;

bool bpf_walker_is_at_events(const struct bpf_walker *walker);

/** Can it read memory that was paged out? The thread then fetches it, and walks again. */
bool bpf_walker_fetches_memory(const struct bpf_walker *walker);

/**
 * Write the walks of a core into a ring; once for each core.
 * @ring_fd: an event of that core with a ring; must stay open as long as the walker.
 * @sample_type: of the samples. @ret_id: the event id of the walks' records.
 */
struct error *bpf_walker_join_ring(struct bpf_walker *walker, int core, int ring_fd,
				   uint64_t sample_type, uint64_t *ret_id);

enum bpf_walker_kind {
	BPF_WALKER_EVENT,
	BPF_WALKER_TRACEPOINT,
	BPF_WALKER_PROBE,
};

/** An event with samples. */
struct bpf_walker_event {
	int fd;
	enum bpf_walker_kind kind;
	bool is_first;         /* the first target: a tracepoint is attached only there */
	uint32_t core, thread; /* of a probe; thread: 0 for all */
};

/** Walk at each sample of this event, and, unless it is a probe, of events that inherit it. */
struct error *bpf_walker_attach(struct bpf_walker *walker, const struct bpf_walker_event *event);

/**
 * Copy native stacks at samples of events of this kind (bpf_walker_copies_stacks()), which come
 * with the walk's record then; call it before the events are enabled. @most: bytes of each; 0: copy
 * none.
 */
struct error *bpf_walker_set_stack_bytes(struct bpf_walker *walker, uint32_t most);
bool bpf_walker_copies_stacks(const struct bpf_walker *walker, enum bpf_walker_kind kind);

/** See struct sample_ops. */
struct error *bpf_walker_set_walk(struct bpf_walker *walker, uint32_t pid,
				  const struct kernel_walk *walk);

/**
 * For a walk with a late_slot: memory was paged out, so the thread walks again before it goes on.
 * True: it has not done so yet. False: @walk has its result, unless that was lost.
 */
bool bpf_walker_take_late(const struct bpf_walker *walker, struct walk_record *walk);

/** An object as it was when a walk met it first. False: there is no copy, or no longer. */
bool bpf_walker_find_copy(const struct bpf_walker *walker, const struct object_copy_key *key,
			  struct object_copy *ret);

/** Walks that were lost so far because the ring was full; the kernel counts them as lost samples.
 */
uint64_t bpf_walker_num_lost(const struct bpf_walker *walker);

/** CPU time that the walks took from the programs so far. */
uint64_t bpf_walker_time_ns(const struct bpf_walker *walker);

#endif
