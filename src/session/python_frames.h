/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_FRAMES_H
#define WPERF_SESSION_PYTHON_FRAMES_H

/**
 * The frames of Python of a recording's samples: those that a source brings are checked, those that
 * it does not are read. All functions take NULL, too: Python is not wanted, and nothing is done.
 */

#include "record/python_rung.h"
#include "record/record.h"
#include "session/python_places.h"
#include "session/python_snapshots.h"

struct python_frames;

struct python_frames_config {
	struct module_file_search files;
	/** Beside SAMPLE: HELD is read when the sample is added, all else at a notice. */
	enum python_rung rung;
	bool stops; /* threads are stopped at a notice */
};

struct error *python_frames_create(const struct python_frames_config *config,
				   struct python_frames **ret);
void python_frames_destroy(struct python_frames *frames);

/** NULL if Python is not wanted. */
struct python_places *python_frames_places(const struct python_frames *frames);

/** A sample has just been taken, and is settled later. */
struct error *python_frames_notice(struct python_frames *frames,
				   const struct sample_notice *notice);

/** Once a round, however many notices it had: no thread is kept. */
void python_frames_end_notices(struct python_frames *frames);

/** A record comes, of whatever kind: nothing has changed by it yet. */
void python_frames_begin_record(struct python_frames *frames);

/** A record that is no sample, behind process_table_apply(). */
struct error *python_frames_note(struct python_frames *frames, struct process_table *processes,
				 const struct record *record);

/**
 * A sample gets its frames, and loses such as nobody may trust.
 * @record: may be @joined then, the record once more.
 */
struct error *python_frames_settle(struct python_frames *frames, const struct record **record,
				   struct record *joined);

/** What the last record says of an interpreter: see python_places_note(). */
struct python_change {
	bool is_changed;
	uint32_t pid;
	const struct python_walk *walk; /* until the next record */
};
struct python_change python_frames_change(const struct python_frames *frames);

/** All 0 unless there are notices. */
struct python_snapshot_totals python_frames_snapshots(const struct python_frames *frames);

/** How frames came to the samples so far. */
struct python_rung_facts python_frames_facts(const struct python_frames *frames);

#endif
