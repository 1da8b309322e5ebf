/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_SNAPSHOTS_H
#define WPERF_SESSION_PYTHON_SNAPSHOTS_H

/**
 * Frames of Python that were read when a sample had just been taken, of a thread that went on
 * running, and that wait for the sample's record. Each belongs to one sample, and shows what its
 * thread did a little later: how much later is measured. What changed while it was read, again and
 * again, is thrown away.
 */

#include "base/error.h"
#include "record/record.h"
#include "session/python_places.h"
#include "source/sample_notice.h"

struct python_snapshots;

/** @stops: each thread is stopped while it is read, and nothing is thrown away. */
struct error *python_snapshots_create(bool stops, struct python_snapshots **ret);
void python_snapshots_destroy(struct python_snapshots *snapshots); /* NULL is fine */

/** Read the stack of the thread now, if it is one of Python's. */
struct error *python_snapshots_take(struct python_snapshots *snapshots,
				    struct python_places *places,
				    const struct sample_notice *notice);

/** To be called from time to time: threads that were to be stopped, and did too late, go on. */
void python_snapshots_release(struct python_snapshots *snapshots);

/** Give a sample what was read for it; its frames live until the next of these calls. */
void python_snapshots_join(struct python_snapshots *snapshots, struct python_places *places,
			   struct record *sample);

/** Of samples in processes with an interpreter; those of threads that Python does not know are in
 *  none of the numbers. */
struct python_snapshot_totals {
	uint64_t num_joined; /* samples with frames, or that ran outside of all */
	uint64_t num_torn;   /* samples whose stack did not hold still */
	uint64_t num_missed; /* samples that the next one of their thread came too soon after */
	uint64_t num_loose;  /* those of them whose thread was to be stopped, and did not stop */
	uint64_t skew_ns, max_skew_ns;           /* of those that were joined: sum, and most */
	uint64_t num_held, held_ns, max_held_ns; /* threads that were stopped, and for how long */
};
struct python_snapshot_totals python_snapshots_totals(const struct python_snapshots *snapshots);

#endif
