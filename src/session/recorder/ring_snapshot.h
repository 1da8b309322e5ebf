/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_RING_SNAPSHOT_H
#define WPERF_SESSION_RECORDER_RING_SNAPSHOT_H

/**
 * Writes the records of a ring into a file, piece by piece, while more come: a recording goes on
 * meanwhile. The file begins with what is known of processes before the oldest record, so that it
 * can be read by itself. It has the records that were in the ring when the snapshot began.
 */

#include "record/perf_data/perf_format.h"
#include "session/recorder/record_ring.h"
#include "session/recording_file.h"

struct ring_snapshot;

struct ring_snapshot_config {
	const struct record_ring *ring;
	const struct process_table *before; /* what is known before the oldest record */
	const struct perf_formats *formats; /* of the records' bytes */
	uint64_t time_ns;                   /* now, on the clock of the records */
	uint64_t num_let_go;                /* samples that were dropped before */
	bool has_places;                    /* chains may have places in interpreted code */
};

/** @file: the snapshot's from now on. The parts of the config, copied, must outlive it. */
struct error *ring_snapshot_create(const struct ring_snapshot_config *config,
				   struct recording_file *file, struct ring_snapshot **ret);
void ring_snapshot_destroy(struct ring_snapshot *snapshot);

/** Is this place of the ring still needed? Then ring_snapshot_write_one() before it is dropped. */
bool ring_snapshot_needs(const struct ring_snapshot *snapshot, uint64_t place);

/** The oldest record that was not written yet. */
struct error *ring_snapshot_write_one(struct ring_snapshot *snapshot);

/** Write for about @duration_ns. @ret_done: ring_snapshot_finish() is next. */
struct error *ring_snapshot_write(struct ring_snapshot *snapshot, uint64_t duration_ns,
				  bool *ret_done);

/** Write what is missing, and the metadata. */
struct error *ring_snapshot_finish(struct ring_snapshot *snapshot, struct profile_builder *builder,
				   char *const *arguments);

/** The file is this until the snapshot is destroyed. */
struct recording_file *ring_snapshot_file(const struct ring_snapshot *snapshot);
uint64_t ring_snapshot_num_samples(const struct ring_snapshot *snapshot);
uint64_t ring_snapshot_covered_ns(const struct ring_snapshot *snapshot);
uint64_t ring_snapshot_num_let_go(const struct ring_snapshot *snapshot);

#endif
