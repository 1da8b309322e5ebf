/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_FRAMES_H
#define WPERF_INTERPRETER_INTERPRETED_FRAMES_H

/**
 * The Python frames of samples: frames that come with the source's samples are checked; for other
 * sources they are read from the process. All functions accept NULL and do nothing then: Python is
 * not wanted.
 */

#include "interpreter/frame_snapshots.h"
#include "interpreter/interpreted_processes.h"
#include "record/collection_method.h"
#include "record/record.h"

struct python_frames;

struct python_frames_config {
	struct python_loops *loops; /* must outlive the frames */
	/** Stacks do not come with the samples, except with SAMPLE: with HELD they are read when
	 * the sample is added, with all others at a notice. */
	enum collection_method method;
	bool stops; /* threads are stopped at a notice */
};

struct error *python_frames_create(const struct python_frames_config *config,
				   struct python_frames **ret);
void python_frames_destroy(struct python_frames *frames);

/** NULL if Python is not wanted. */
struct python_places *python_frames_places(const struct python_frames *frames);

/** A sample has just been taken; its record comes later, with python_frames_settle(). */
struct error *python_frames_notice(struct python_frames *frames,
				   const struct sample_notice *notice);

/** At the end of each round: threads that are still stopped go on. */
void python_frames_end_notices(struct python_frames *frames);

/** Before any record: python_frames_change() is empty again. */
void python_frames_begin_record(struct python_frames *frames);

/** After process_table_apply(), for a record that is not a sample. */
struct error *python_frames_note(struct python_frames *frames, struct process_table *processes,
				 const struct record *record);

/**
 * Add the Python frames to a sample, and remove frames that are not trustworthy.
 * @record: afterwards it may be @joined, a copy with the frames.
 */
struct error *python_frames_settle(struct python_frames *frames, const struct record **record,
				   struct record *joined);

/** What the last record has changed about an interpreter: see python_places_note(). */
struct python_change {
	bool is_changed;
	uint32_t pid;
	const struct python_walk *walk; /* valid until the next record */
};
struct python_change python_frames_change(const struct python_frames *frames);

/** All 0 unless there are notices. */
struct python_snapshot_totals python_frames_snapshots(const struct python_frames *frames);

/** How the frames of the samples so far were collected. */
struct collection_facts python_frames_facts(const struct python_frames *frames);

#endif
