// SPDX-License-Identifier: Apache-2.0

#include "report/sample/sample_seconds.h"

#include "base/os/interrupt.h"

static const uint64_t ns_per_s = 1000000000;

void sample_seconds_note(struct sample_seconds *seconds, const struct sampling_state *state)
{
	// More than one second may have passed since the last call; only the first of them can have
	// samples that nobody has noted yet. A failed builder stops growing, which would make this
	// loop endless.
	while (seconds->marks.length < state->elapsed_ns / ns_per_s && !seconds->marks.failed) {
		bool has_more = state->totals.num_generated > seconds->num_samples;
		string_builder_append_char(&seconds->marks, has_more ? '.' : 'e');
		seconds->num_samples = state->totals.num_generated;
	}
}

void sample_seconds_print(const struct sample_seconds *seconds, FILE *stream)
{
	fprintf(stream, "sampling %s%s done!\n", string_builder_peek(&seconds->marks),
		interrupt_requested() ? "Ctrl-C received, quit counting..." : "");
}

void sample_seconds_deinit(struct sample_seconds *seconds)
{
	string_builder_deinit(&seconds->marks);
}
