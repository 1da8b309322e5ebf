// SPDX-License-Identifier: Apache-2.0

#include "interpreter/interpreted_frames.h"

#include <stdlib.h>

// The one interface of Python for recording.c; each function accepts NULL. python_frames_settle()
// completes a sample: it goes on with the trial of the interpreter's layout, then takes the frames
// that came with the sample, reads them now (the thread stands still or sleeps), or joins the
// snapshot that was read at the notice. Frames of an interpreter that is not trusted yet are
// removed. The record is copied only if it changes.

struct python_frames {
	enum collection_method method;
	struct python_places *places;
	struct python_snapshots *snapshots; /* NULL: none are taken */
	struct python_change change;
};

struct error *python_frames_create(const struct python_frames_config *config,
				   struct python_frames **ret)
{
	struct python_frames *frames = calloc(1, sizeof(*frames));
	if (!frames)
		return &error_no_memory;
	frames->method = config->method;
	struct error *err = python_places_create(config->loops, &frames->places);
	if (!err && collection_method_needs_notices(config->method))
		err = python_snapshots_create(config->stops, &frames->snapshots);
	if (err) {
		python_frames_destroy(frames);
		return err;
	}
	*ret = frames;
	return NULL;
}

void python_frames_destroy(struct python_frames *frames)
{
	if (!frames)
		return;
	python_places_destroy(frames->places);
	python_snapshots_destroy(frames->snapshots);
	free(frames);
}

struct python_places *python_frames_places(const struct python_frames *frames)
{
	return frames ? frames->places : NULL;
}

struct error *python_frames_notice(struct python_frames *frames, const struct sample_notice *notice)
{
	if (!frames || !frames->snapshots)
		return NULL;
	return python_snapshots_take(frames->snapshots, frames->places, notice);
}

void python_frames_end_notices(struct python_frames *frames)
{
	if (frames && frames->snapshots)
		python_snapshots_release(frames->snapshots);
}

void python_frames_begin_record(struct python_frames *frames)
{
	if (frames)
		frames->change.is_changed = false;
}

struct error *python_frames_note(struct python_frames *frames, struct process_table *processes,
				 const struct record *record)
{
	if (!frames)
		return NULL;
	frames->change.pid = record->pid;
	return python_places_note(frames->places, processes, record, &frames->change.walk,
				  &frames->change.is_changed);
}

/** Frames that the source does not bring. @joined: the record, once more. */
static struct error *python_frames_join(struct python_frames *frames, struct record *joined)
{
	bool is_asleep = joined->sample.is_asleep;
	if (frames->method == COLLECTION_HELD || is_asleep)
		return python_places_read(frames->places, joined->pid, joined->tid, is_asleep,
					  &joined->sample);
	if (frames->snapshots)
		python_snapshots_join(frames->snapshots, frames->places, joined);
	return NULL;
}

struct error *python_frames_settle(struct python_frames *frames, const struct record **record,
				   struct record *joined)
{
	if (!frames)
		return NULL;
	const struct record_sample *sample = &(*record)->sample;
	uint32_t pid = (*record)->pid;
	frames->change.pid = pid;
	struct error *err = python_places_try(frames->places, pid, &frames->change.walk,
					      &frames->change.is_changed);
	bool is_trusted = python_places_trusts(frames->places, pid);
	bool brings_all =
		frames->method != COLLECTION_HELD && !frames->snapshots && !sample->is_asleep;
	if (err || (brings_all && (is_trusted || !sample->num_frames)))
		return err;
	*joined = **record;
	*record = joined;
	err = python_frames_join(frames, joined);
	if (!is_trusted) {
		joined->sample.num_frames = 0;
		joined->sample.gil = GIL_UNKNOWN;
	}
	return err;
}

struct python_change python_frames_change(const struct python_frames *frames)
{
	return frames ? frames->change : (struct python_change){.is_changed = false};
}

struct python_snapshot_totals python_frames_snapshots(const struct python_frames *frames)
{
	static const struct python_snapshot_totals none = {0};
	return frames && frames->snapshots ? python_snapshots_totals(frames->snapshots) : none;
}

struct collection_facts python_frames_facts(const struct python_frames *frames)
{
	if (!frames)
		return (struct collection_facts){.method = COLLECTION_NONE};
	struct python_snapshot_totals totals = python_frames_snapshots(frames);
	uint64_t num_without = totals.num_torn + totals.num_missed + totals.num_loose;
	return (struct collection_facts){
		.method = frames->method,
		.num_samples = totals.num_joined + num_without,
		.num_without = num_without,
		.mean_skew_ns = totals.num_joined ? totals.skew_ns / totals.num_joined : 0,
		.max_skew_ns = totals.max_skew_ns,
	};
}
