// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_frames.h"

#include <stdlib.h>

// Between the profile builder and the interpreters of the target's processes. A record that is no
// sample may show an interpreter (interpreted_frames_note()). interpreted_frames_settle() completes
// a sample: it goes on with the check of the interpreter, then takes the frames that came with the
// sample, reads them now (the thread stands still or sleeps), or joins the snapshot that was read
// at the wakeup. Frames of an interpreter that is not trusted yet are removed. The record is copied
// only if it changes.

struct interpreted_frames {
	enum collection_method method;
	struct interpreted_processes *processes;
	struct frame_snapshots *snapshots; /* NULL: none are taken */
	struct interpreter_change change;
};

struct error *interpreted_frames_create(const struct interpreted_frames_config *config,
					struct interpreted_frames **ret)
{
	struct interpreted_frames *frames = calloc(1, sizeof(*frames));
	if (!frames)
		return &error_no_memory;
	frames->method = config->method;
	struct error *err = interpreted_processes_create(config->loops, &frames->processes);
	if (!err && collection_method_needs_wakeups(config->method))
		err = frame_snapshots_create(config->stops, &frames->snapshots);
	if (err) {
		interpreted_frames_destroy(frames);
		return err;
	}
	*ret = frames;
	return NULL;
}

void interpreted_frames_destroy(struct interpreted_frames *frames)
{
	if (!frames)
		return;
	interpreted_processes_destroy(frames->processes);
	frame_snapshots_destroy(frames->snapshots);
	free(frames);
}

struct interpreted_processes *interpreted_frames_processes(const struct interpreted_frames *frames)
{
	return frames ? frames->processes : NULL;
}

const struct code_places *interpreted_frames_places(const struct interpreted_frames *frames)
{
	return frames ? interpreted_processes_places(frames->processes) : NULL;
}

struct error *interpreted_frames_wakeup(struct interpreted_frames *frames,
					const struct sample_wakeup *wakeup)
{
	if (!frames || !frames->snapshots)
		return NULL;
	return frame_snapshots_take(frames->snapshots, frames->processes, wakeup);
}

void interpreted_frames_end_wakeups(struct interpreted_frames *frames)
{
	if (frames && frames->snapshots)
		frame_snapshots_release(frames->snapshots);
}

void interpreted_frames_begin_record(struct interpreted_frames *frames)
{
	if (frames)
		frames->change.is_changed = false;
}

struct error *interpreted_frames_note(struct interpreted_frames *frames,
				      struct process_table *processes, const struct record *record)
{
	if (!frames)
		return NULL;
	return interpreted_processes_note(frames->processes, processes, record, &frames->change);
}

/** Frames that the source does not bring. @joined: the record, once more. */
static struct error *interpreted_frames_join(struct interpreted_frames *frames,
					     struct record *joined)
{
	bool is_asleep = joined->sample.is_asleep;
	if (frames->method == COLLECTION_HELD || is_asleep)
		return interpreted_processes_read(frames->processes, joined->pid, joined->tid,
						  is_asleep, &joined->sample);
	if (frames->snapshots)
		frame_snapshots_join(frames->snapshots, frames->processes, joined);
	return NULL;
}

struct error *interpreted_frames_settle(struct interpreted_frames *frames,
					const struct record **record, struct record *joined)
{
	if (!frames)
		return NULL;
	const struct record_sample *sample = &(*record)->sample;
	uint32_t pid = (*record)->pid;
	struct error *err = interpreted_processes_check(frames->processes, pid, &frames->change);
	bool is_trusted = interpreted_processes_trust(frames->processes, pid);
	bool brings_all =
		frames->method != COLLECTION_HELD && !frames->snapshots && !sample->is_asleep;
	if (err || (brings_all && (is_trusted || !sample->num_frames)))
		return err;
	*joined = **record;
	*record = joined;
	err = interpreted_frames_join(frames, joined);
	if (!is_trusted) {
		joined->sample.num_frames = 0;
		joined->sample.gil = GIL_UNKNOWN;
	}
	return err;
}

struct interpreter_change interpreted_frames_change(const struct interpreted_frames *frames)
{
	return frames ? frames->change : (struct interpreter_change){.is_changed = false};
}

struct frame_snapshot_totals interpreted_frames_snapshots(const struct interpreted_frames *frames)
{
	static const struct frame_snapshot_totals none = {0};
	return frames && frames->snapshots ? frame_snapshots_totals(frames->snapshots) : none;
}

struct collection_facts interpreted_frames_facts(const struct interpreted_frames *frames)
{
	if (!frames)
		return (struct collection_facts){.method = COLLECTION_NONE};
	struct frame_snapshot_totals totals = interpreted_frames_snapshots(frames);
	uint64_t num_without = totals.num_torn + totals.num_missed + totals.num_loose;
	return (struct collection_facts){
		.method = frames->method,
		.num_samples = totals.num_joined + num_without,
		.num_without = num_without,
		.mean_skew_ns = totals.num_joined ? totals.skew_ns / totals.num_joined : 0,
		.max_skew_ns = totals.max_skew_ns,
	};
}
