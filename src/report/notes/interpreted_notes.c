// SPDX-License-Identifier: Apache-2.0
// Stacks of interpreters are read in one of several ways (docs/python.md), and each fails in its
// own: a walk in the kernel may meet memory that is not there, a read after the sample may come too
// late or meet a stack that changes, --stop may find a thread that does not stop in time. There is
// one note for each way that was used, with how many samples it cost. A user can then choose
// another way, or a lower frequency.

#include "report/notes/interpreted_notes.h"

#include "report/notes/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>

enum { NS_PER_US = 1000 };

/** How late snapshots of frames were, and how many are missing. */
static void note_snapshots(const struct frame_snapshot_totals *totals, const char *language,
			   FILE *stream)
{
	uint64_t num = totals->num_joined + totals->num_torn + totals->num_missed;
	if (!num)
		return;
	// The skew is a property of samples that were joined with their stack; for the others there
	// is none.
	uint64_t mean_ns = totals->num_joined ? totals->skew_ns / totals->num_joined : 0;
	fprintf(stream, "note: %s stacks were read %.0f us after their sample, %.0f us at most\n",
		language, (double)mean_ns / NS_PER_US, (double)totals->max_skew_ns / NS_PER_US);
	if (totals->num_torn + totals->num_missed)
		fprintf(stream,
			"note: samples without %s frames: %" PRIu64 " of %" PRIu64 " (%" PRIu64
			" read too late, %" PRIu64 " while the stack changed)\n",
			language, totals->num_torn + totals->num_missed, num, totals->num_missed,
			totals->num_torn);
}

/** What --stop cost the program. */
static void note_stops(const struct frame_snapshot_totals *totals, const char *language,
		       FILE *stream)
{
	if (totals->num_held)
		fprintf(stream,
			"note: stopped threads %" PRIu64
			" times, for %.0f us on average, %.0f us at most\n",
			totals->num_held,
			(double)totals->held_ns / (double)totals->num_held / NS_PER_US,
			(double)totals->max_held_ns / NS_PER_US);
	if (totals->num_loose)
		fprintf(stream,
			"note: samples without %s frames, because their thread did not stop in "
			"time: %" PRIu64 "\n",
			language, totals->num_loose);
}

/** Of walks in the kernel whose stack is not complete, by how they ended. */
static const struct {
	const char *words, *key;
} reasons[FRAME_WALK_NUM_ENDS] = {
	[FRAME_WALK_NO_MEMORY] = {"their memory could not be read", "unreadable"},
	[FRAME_WALK_TOO_DEEP] = {"they are too deep", "too_deep"},
	[FRAME_WALK_TORN] = {"they changed while they were read", "changed"},
	[FRAME_WALK_NO_TIME] = {"reading them would slow the program (a lower -F completes more)",
				"too_slow"},
};

static uint64_t num_truncated(const struct sample_totals *samples, size_t end)
{
	return reasons[end].words ? samples->num_walks[end] : 0;
}

static void note_walks(const struct sample_totals *samples, const char *language, FILE *stream)
{
	for (size_t i = 0; i < FRAME_WALK_NUM_ENDS; i++)
		if (num_truncated(samples, i))
			fprintf(stream, "note: truncated %s stacks, because %s: %" PRIu64 "\n",
				language, reasons[i].words, num_truncated(samples, i));
	if (samples->num_walks_lost)
		fprintf(stream,
			"note: samples without %s frames, because the buffer was full: "
			"%" PRIu64 "\n",
			language, samples->num_walks_lost);
	if (samples->num_walks_unpaired)
		fprintf(stream, "note: %s stacks that match no sample: %" PRIu64 "\n", language,
			samples->num_walks_unpaired);
}

static void note_places(const struct profile_builder_totals *totals, const char *language,
			FILE *stream)
{
	if (totals->num_placed < totals->num_entries)
		fprintf(stream,
			"note: %s calls not found in the native stack: %" PRIu64 " of %" PRIu64
			"\n",
			language, totals->num_entries - totals->num_placed, totals->num_entries);
}

void interpreted_notes_print(const struct profile_builder *builder,
			     const struct sample_totals *samples,
			     const struct profile_builder_totals *totals,
			     const struct frame_snapshot_totals *snapshots, const char *language,
			     FILE *stream)
{
	const struct interpreted_processes *processes =
		interpreted_frames_processes(profile_builder_interpreted(builder));
	if (!processes)
		return;
	diagnostics_print_notes(interpreted_processes_notes(processes), stream);
	note_walks(samples, language, stream);
	note_snapshots(snapshots, language, stream);
	note_stops(snapshots, language, stream);
	note_places(totals, language, stream);
	uint64_t num_unnamed = interpreted_processes_num_unnamed(processes);
	// A frame names its code by address, and the names are read later: code of short-lived
	// lambdas or of exec() may be gone by then.
	if (num_unnamed)
		fprintf(stream,
			"note: %s frames whose code was freed before it could be read: %" PRIu64
			"\n",
			language, num_unnamed);
}

void interpreted_notes_write_json(const struct sample_totals *samples, struct json_writer *json)
{
	uint64_t sum = samples->num_walks_lost + samples->num_walks_unpaired;
	for (size_t i = 0; i < FRAME_WALK_NUM_ENDS; i++)
		sum += num_truncated(samples, i);
	if (!sum)
		return;
	json_key(json, "incomplete_python_stacks");
	json_begin_object(json);
	for (size_t i = 0; i < FRAME_WALK_NUM_ENDS; i++)
		if (reasons[i].key)
			json_key_u64(json, reasons[i].key, num_truncated(samples, i));
	json_key_u64(json, "lost", samples->num_walks_lost);
	json_key_u64(json, "without_sample", samples->num_walks_unpaired);
	json_end_object(json);
}
