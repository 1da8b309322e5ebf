// SPDX-License-Identifier: Apache-2.0

#include "view/export/perf_script.h"

#include "base/container/array.h"
#include "view/layout/safe_text.h"
#include "view/output_stream.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

// The text of "perf script" (perf-script(1), tools/perf/builtin-script.c), which flame graph
// scripts, speedscope, the Firefox Profiler and others read. They find their way by its layout: the
// head of a sample begins in the first column, a frame begins with a tab, an empty line ends the
// sample. So names must not bring line ends of their own, and each sample of several that were
// joined is written again.
//
//	loop 19444/19444 [000] 14657.243233:    1001001 cpu-clock:
//	            1181 add (inlined)
//	            1181 main (/tmp/loop)
//	           27249 __libc_start_call_main (/usr/lib/x86_64-linux-gnu/libc.so.6)

enum { NS_PER_US = 1000, US_PER_S = 1000000 };

// Nothing in a name may begin a line.
static void perf_script_write_name(const struct named_profile *profile, uint32_t string,
				   FILE *stream)
{
	safe_text_print_field(named_profile_text(profile, string), "", stream);
}

/** What is written, and how. */
struct script {
	const struct named_profile *profile;
	unsigned fields;
	bool is_one_line; /* with the frame in the sample's line */
	FILE *stream;
};

static void perf_script_write_place(const struct script *script, const struct named_frame *frame)
{
	const struct named_profile *profile = script->profile;
	if (script->fields & PERF_SCRIPT_SYM) {
		putc(' ', script->stream);
		perf_script_write_name(profile, profile->functions[frame->function].name,
				       script->stream);
	}
	if (script->fields & PERF_SCRIPT_DSO) {
		uint32_t module = profile->functions[frame->function].module;
		fputs(" (", script->stream);
		if (frame->is_inlined)
			fputs("inlined", script->stream);
		else if (module == NAMED_NONE)
			fputs("[unknown]", script->stream);
		else
			// Readers end a module at a blank, or drop the frame.
			safe_text_print_field(named_profile_text(profile,
								 profile->modules[module].path),
					      " ", script->stream);
		putc(')', script->stream);
	}
	if (!(script->fields & PERF_SCRIPT_SRCLINE) || !frame->line)
		return;
	fputs("\n  ", script->stream);
	perf_script_write_name(profile, frame->file, script->stream);
	fprintf(script->stream, ":%" PRIu32, frame->line);
}

static void write_head(const struct script *script, const struct named_sample *sample,
		       uint64_t weight)
{
	const struct named_profile *profile = script->profile;
	const struct named_thread *thread = &profile->threads[sample->thread];
	FILE *stream = script->stream;
	if (script->fields & PERF_SCRIPT_COMM) {
		perf_script_write_name(profile, thread->name, stream);
		putc(' ', stream);
	}
	// perf joins them by "/" if both are wanted, and pads one alone to five columns. Signed, as
	// who is not known is -1.
	unsigned both = PERF_SCRIPT_PID | PERF_SCRIPT_TID, ids = script->fields & both;
	if (ids == both)
		fprintf(stream, "%" PRId32 "/%" PRId32 " ", (int32_t)thread->pid,
			(int32_t)thread->tid);
	else if (ids)
		fprintf(stream, "%5" PRId32 " ",
			(int32_t)(ids == PERF_SCRIPT_PID ? thread->pid : thread->tid));
	if (script->fields & PERF_SCRIPT_CPU && sample->cpu != NAMED_NONE)
		fprintf(stream, "[%03" PRIu32 "] ", sample->cpu);
	uint64_t us = sample->time_ns / NS_PER_US;
	if (script->fields & PERF_SCRIPT_TIME)
		fprintf(stream, "%" PRIu64 ".%06" PRIu64 ": ", us / US_PER_S, us % US_PER_S);
	if (script->fields & PERF_SCRIPT_PERIOD)
		fprintf(stream, "%10" PRIu64 " ", weight);
	if (script->fields & PERF_SCRIPT_EVENT) {
		perf_script_write_name(profile, profile->events[sample->event].name, stream);
		fputs(": ", stream);
	}
}

static void perf_script_write_stack(const struct script *script, uint32_t stack)
{
	const struct named_profile *profile = script->profile;
	bool has_frames = script->fields & PERF_SCRIPT_IP && stack != STACK_NONE;
	if (!script->is_one_line || !has_frames)
		putc('\n', script->stream);
	for (; has_frames && stack != STACK_NONE; stack = profile->stacks.nodes[stack].parent) {
		const struct named_frame *frame =
			&profile->frames[profile->stacks.nodes[stack].frame];
		// Of calls that are inlined there a line has only the function around them.
		if (script->is_one_line && frame->is_inlined)
			continue;
		fprintf(script->stream, "%s%16" PRIx64, script->is_one_line ? " " : "\t",
			frame->address);
		perf_script_write_place(script, frame);
		putc('\n', script->stream);
	}
	if (!script->is_one_line && script->fields & PERF_SCRIPT_IP)
		putc('\n', script->stream);
}

static struct error *perf_script_write_samples(const struct script *script, uint32_t event,
					       const char *name)
{
	const struct named_profile *profile = script->profile;
	for (size_t i = 0; i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		if (event != NAMED_NONE && sample->event != event)
			continue;
		// A sample of the profile may stand for several of the recording. Of a weight that
		// cannot be shared evenly, the first ones get one more.
		for (uint32_t k = 0; k < sample->count; k++) {
			uint64_t share = sample->weight / sample->count;
			write_head(script, sample, share + (k < sample->weight % sample->count));
			perf_script_write_stack(script, sample->stack);
		}
	}
	return output_stream_flush(script->stream, name);
}

struct error *perf_script_write(const struct named_profile *profile, uint32_t event, FILE *stream,
				const char *name)
{
	const struct script script = {
		.profile = profile, .fields = PERF_SCRIPT_USUAL, .stream = stream};
	return perf_script_write_samples(&script, event, name);
}

unsigned perf_script_find_field(const char *name)
{
	static const struct {
		const char *name;
		unsigned field;
	} fields[] = {
		{"comm", PERF_SCRIPT_COMM},       {"pid", PERF_SCRIPT_PID},
		{"tid", PERF_SCRIPT_TID},         {"cpu", PERF_SCRIPT_CPU},
		{"time", PERF_SCRIPT_TIME},       {"period", PERF_SCRIPT_PERIOD},
		{"event", PERF_SCRIPT_EVENT},     {"ip", PERF_SCRIPT_IP},
		{"sym", PERF_SCRIPT_SYM},         {"dso", PERF_SCRIPT_DSO},
		{"srcline", PERF_SCRIPT_SRCLINE},
	};
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if (strcmp(fields[i].name, name) == 0)
			return fields[i].field;
	return 0;
}

bool perf_script_is_removal(const char *word)
{
	char name[16];
	size_t length = strcspn(word, ",");
	// As a value of -F, "-comm" leaves out a field. Any other word with a dash is an option.
	if (word[0] != '-' || length > sizeof(name))
		return false;
	snprintf(name, length, "%s", word + 1);
	return perf_script_find_field(name) != 0;
}

struct error *perf_script_write_fields(const struct named_profile *profile, uint32_t event,
				       unsigned fields, FILE *stream, const char *name)
{
	struct script script = {
		.profile = profile, .fields = fields, .is_one_line = true, .stream = stream};
	// A recording without callers has one line for each sample. Calls that are inlined where
	// the sample was taken are no callers.
	for (size_t i = 0; script.is_one_line && i < profile->stacks.num_nodes; i++) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		script.is_one_line =
			node->parent == STACK_NONE || profile->frames[node->frame].is_inlined;
	}
	return perf_script_write_samples(&script, event, name);
}
