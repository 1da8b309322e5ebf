/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_FRAME_SNAPSHOTS_H
#define WPERF_INTERPRETER_FRAME_SNAPSHOTS_H

/**
 * Stacks of interpreters that were read right after a sample, while its thread ran on. A snapshot
 * waits for the record of its sample. It shows the thread a little later than the sample does: the
 * skew is measured. Stacks that change during each of several attempts to read them are dropped.
 */

#include "base/error.h"
#include "interpreter/interpreter_ops.h"
#include "record/record.h"
#include "source/sample_wakeup.h"

struct frame_snapshots;

/** @stops: each thread is stopped while it is read, and no stack is dropped. */
struct error *frame_snapshots_create(bool stops, struct frame_snapshots **ret);
void frame_snapshots_destroy(struct frame_snapshots *snapshots); /* NULL is fine */

/** Read the stack of the thread now, if it runs interpreted code. */
struct error *frame_snapshots_take(struct frame_snapshots *snapshots,
				   struct interpreted_process *process,
				   const struct sample_wakeup *wakeup);

/** Call this regularly: it resumes threads that stopped after the time limit. */
void frame_snapshots_release(struct frame_snapshots *snapshots);

/**
 * Add the frames that were read for a sample; they are valid until the next call.
 * @process: that of the sample; NULL: it has no interpreter.
 */
void frame_snapshots_join(struct frame_snapshots *snapshots,
			  const struct interpreted_process *process, struct record *sample);

/** Of samples in processes with an interpreter, without threads that it does not know. */
struct frame_snapshot_totals {
	uint64_t num_joined; /* samples with frames, or outside of all frames */
	uint64_t num_torn;   /* samples whose stack changed while it was read */
	uint64_t num_missed; /* samples that were followed too soon by the next one of their thread
			      */
	uint64_t num_loose;  /* those of them whose thread could not be stopped */
	uint64_t skew_ns, max_skew_ns; /* of joined samples: sum and maximum */
	uint64_t num_held, held_ns,
		max_held_ns; /* how often threads were stopped, and for how long */
};
struct frame_snapshot_totals frame_snapshots_totals(const struct frame_snapshots *snapshots);

#endif
