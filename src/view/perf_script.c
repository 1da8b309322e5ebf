// SPDX-License-Identifier: Apache-2.0

#include "view/perf_script.h"

#include "view/output_stream.h"

#include <inttypes.h>

enum { NS_PER_US = 1000, US_PER_S = 1000000 };

// Nothing in a name may begin a line.
static void write_name(const struct named_profile *profile, uint32_t string, FILE *stream)
{
	for (const char *at = named_profile_text(profile, string); *at; at++)
		putc((unsigned char)*at >= ' ' && *at != 0x7f ? *at : '_', stream);
}

// Readers end a module at a blank, or drop the frame.
static void write_path(const struct named_profile *profile, uint32_t string, FILE *stream)
{
	for (const char *at = named_profile_text(profile, string); *at; at++)
		putc((unsigned char)*at > ' ' && *at != 0x7f ? *at : '_', stream);
}

static void write_module(const struct named_profile *profile, const struct named_frame *frame,
			 FILE *stream)
{
	uint32_t module = profile->functions[frame->function].module;
	if (frame->is_inlined)
		fputs("inlined", stream);
	else if (module == NAMED_NONE)
		fputs("[unknown]", stream);
	else
		write_path(profile, profile->modules[module].path, stream);
}

static void write_frame(const struct named_profile *profile, const struct named_frame *frame,
			FILE *stream)
{
	fprintf(stream, "\t%16" PRIx64 " ", frame->address);
	write_name(profile, profile->functions[frame->function].name, stream);
	fputs(" (", stream);
	write_module(profile, frame, stream);
	fputs(")\n", stream);
}

static void write_head(const struct named_profile *profile, const struct named_sample *sample,
		       uint64_t weight, FILE *stream)
{
	const struct named_thread *thread = &profile->threads[sample->thread];
	write_name(profile, thread->name, stream);
	// Signed, as who is not known is -1.
	fprintf(stream, " %" PRId32 "/%" PRId32 " ", (int32_t)thread->pid, (int32_t)thread->tid);
	if (sample->cpu != NAMED_NONE)
		fprintf(stream, "[%03" PRIu32 "] ", sample->cpu);
	uint64_t us = sample->time_ns / NS_PER_US;
	fprintf(stream, "%" PRIu64 ".%06" PRIu64 ": %10" PRIu64 " ", us / US_PER_S, us % US_PER_S,
		weight);
	write_name(profile, profile->events[sample->event].name, stream);
	fputs(": \n", stream);
}

// A weight that cannot be shared evenly: the first ones get one more.
static void write_sample(const struct named_profile *profile, const struct named_sample *sample,
			 FILE *stream)
{
	for (uint32_t i = 0; i < sample->count; i++) {
		uint64_t share = sample->weight / sample->count;
		write_head(profile, sample, share + (i < sample->weight % sample->count), stream);
		for (uint32_t stack = sample->stack; stack != STACK_NONE;
		     stack = profile->stacks.nodes[stack].parent)
			write_frame(profile, &profile->frames[profile->stacks.nodes[stack].frame],
				    stream);
		putc('\n', stream);
	}
}

struct error *perf_script_write(const struct named_profile *profile, uint32_t event, FILE *stream,
				const char *name)
{
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (event == NAMED_NONE || sample->event == event)
			write_sample(profile, sample, stream);
	}
	return output_stream_flush(stream, name);
}
