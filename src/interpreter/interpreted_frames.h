/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_INTERPRETED_FRAMES_H
#define WPERF_INTERPRETER_INTERPRETED_FRAMES_H

/**
 * The frames of interpreted code of samples: frames that come with the source's samples are
 * checked; for other sources they are read from the process. All functions accept NULL and do
 * nothing then: such frames are not wanted.
 */

#include "interpreter/frame_snapshots.h"
#include "interpreter/interpreted_processes.h"
#include "interpreter/interpreted_stack.h"
#include "record/collection_method.h"
#include "record/record.h"

struct interpreted_frames;

/** Which frames a sample with interpreted frames gets. */
enum interpreted_rule {
	INTERPRETED_MIXED, /* both: interpreted frames are where native code called them */
	INTERPRETED_ONLY,  /* only the interpreted frames */
};

struct interpreted_frames_config {
	struct eval_loops *loops; /* must outlive the frames */
	/** Stacks do not come with the samples, except with SAMPLE: with HELD they are read when
	 * the sample is added, with all others at a wakeup. */
	enum collection_method method;
	bool stops; /* threads are stopped at a wakeup */
	struct interpreted_extras extras;
};

struct error *interpreted_frames_create(const struct interpreted_frames_config *config,
					struct interpreted_frames **ret);
void interpreted_frames_destroy(struct interpreted_frames *frames);

/** Code that is gone may have been copied by the source; it must outlive the frames. */
void interpreted_frames_set_source(struct interpreted_frames *frames, struct source *source);

/** NULL if they are not wanted. */
struct interpreted_processes *interpreted_frames_processes(const struct interpreted_frames *frames);
const struct code_places *interpreted_frames_places(const struct interpreted_frames *frames);

/** A sample has just been taken; its record comes later, with interpreted_frames_settle(). */
struct error *interpreted_frames_wakeup(struct interpreted_frames *frames,
					const struct sample_wakeup *wakeup);

/** At the end of each round: threads that are still stopped go on. */
void interpreted_frames_end_wakeups(struct interpreted_frames *frames);

/** Before any record: interpreted_frames_change() is empty again. */
void interpreted_frames_begin_record(struct interpreted_frames *frames);

/** After process_table_apply(), for a record that is not a sample. */
struct error *interpreted_frames_note(struct interpreted_frames *frames,
				      struct process_table *processes, const struct record *record);

/**
 * Add the interpreted frames to a sample, and remove frames that are not trustworthy.
 * @record: afterwards it may be @joined, a copy with the frames.
 */
struct error *interpreted_frames_settle(struct interpreted_frames *frames,
					const struct record **record, struct record *joined);

/**
 * Name the frames of a sample that is settled, before their code is freed. An error is a lack of
 * memory.
 * @ret: valid until the next sample.
 */
struct error *interpreted_frames_find_places(struct interpreted_frames *frames,
					     const struct record *record,
					     struct interpreted_stack *ret);

/** A thread was sampled for the first time: its interpreter may know a name of it. */
struct error *interpreted_frames_note_thread(struct interpreted_frames *frames, uint32_t pid,
					     uint32_t tid);

/** All names are to be read once more, as there is an end. */
void interpreted_frames_end_names(struct interpreted_frames *frames);

/**
 * To be called beside the samples: a name of a thread, which may be known already.
 * @ret: only its kind, pid, tid and comm; valid until the next call. @ret_more: false: there is
 * none now.
 */
struct error *interpreted_frames_next_name(struct interpreted_frames *frames, struct record *ret,
					   bool *ret_more);

/** What the last record has changed about an interpreter. */
struct interpreter_change interpreted_frames_change(const struct interpreted_frames *frames);

/** All 0 unless there are wakeups. */
struct frame_snapshot_totals interpreted_frames_snapshots(const struct interpreted_frames *frames);

/** How the frames of the samples so far were collected. */
struct collection_facts interpreted_frames_facts(const struct interpreted_frames *frames);

#endif
