// SPDX-License-Identifier: Apache-2.0
// What is missing in a recording, for all commands that read one. The SPE notes follow the flags of
// the AUX records (PERF_AUX_FLAG_TRUNCATED, _PARTIAL and _COLLISION of linux/perf_event.h) and what
// the decoder of packets met.

#include "report/notes/recording_notes.h"

#include "base/container/array.h"

#include <inttypes.h>
#include <stdio.h>

static void note_spe(uint64_t number, const char *what, FILE *stream)
{
	if (number)
		fprintf(stream, "note: SPE: %s: %" PRIu64 "\n", what, number);
}

void recording_notes_print_spe(const struct spe_trace_totals *spe, FILE *stream)
{
	note_spe(spe->num_truncations, "times that a buffer was full and samples were lost",
		 stream);
	note_spe(spe->num_gaps, "buffers with gaps", stream);
	note_spe(spe->num_collisions, "buffers with sample collisions, each of which lost a sample",
		 stream);
	note_spe(spe->num_damages, "damaged packets", stream);
	note_spe(spe->num_bad_bytes, "bytes that could not be decoded", stream);
	note_spe(spe->num_unplaced, "samples whose time cannot be converted to nanoseconds",
		 stream);
}

void recording_notes_print_etl(const char *path, const struct etl_reader_notes *notes, FILE *stream)
{
	const struct {
		uint64_t number;
		const char *what;
	} rows[] = {
		{notes->events_lost, "events that Windows lost while it recorded"},
		{notes->buffers_lost, "buffers that Windows lost while it recorded"},
		{notes->damage.truncated_bytes, "bytes of an incomplete buffer at the end: the "
						"file is truncated, or still written"},
		{notes->damage.bad_buffers, "damaged buffers, ignored"},
		{notes->damage.bad_events, "buffers with a damaged end, ignored"},
		{notes->bad_payloads, "malformed events, ignored"},
		{notes->num_idle, "samples of idle CPUs, left out"},
		{notes->num_stacks_unknown,
		 "stacks that are not in the file: the session was not stopped in order"},
		{notes->num_stacks_left_out, "stacks left out, to limit memory"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].number)
			fprintf(stream, "note: '%s': %s: %" PRIu64 "\n", path, rows[i].what,
				rows[i].number);
}

void recording_notes_print_cut_stacks(const struct profile_builder_totals *totals, FILE *stream)
{
	uint64_t num_stacks = 0;
	for (size_t i = 0; i < UNWIND_NUM_ENDS; i++)
		num_stacks += totals->num_walks[i];
	// A stack is complete only if the unwinder reached the outermost frame; any other end cuts
	// it.
	uint64_t num_cut = num_stacks - totals->num_walks[UNWIND_END_OUTERMOST];
	if (num_cut)
		fprintf(stream, "note: truncated stacks: %" PRIu64 " of %" PRIu64 "\n", num_cut,
			num_stacks);
	if (totals->num_unpredicted)
		fprintf(stream,
			"note: %" PRIu64
			" branch records do not say whether the branch was predicted\n",
			totals->num_unpredicted);
	// A process may map files without end; what was left out is counted, not kept.
	if (totals->num_cut_mappings)
		fprintf(stream,
			"note: %" PRIu64 " mapped files are not known: mappings of all processes "
			"may take 256 MB\n",
			totals->num_cut_mappings);
}
