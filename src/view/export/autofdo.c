// SPDX-License-Identifier: Apache-2.0

#include "view/export/autofdo.h"

#include "profile/feedback_profile.h"
#include "view/output_stream.h"

#include <inttypes.h>

// The format is described in "Sample Profile Text Format" of clang's user manual and read by
// SampleProfileReaderText of LLVM. Spaces before a line count: one for each function around it. A
// place is the distance from the line of the definition, and "." and the discriminator if that is
// not 0.
//
//	_Z4workii:1204:310                   function: total and head samples
//	 1: 310                              samples of a line
//	 2.3: 299 _ZN3Dog4callEv:299         and what it called
//	 4: _Z6squarei:595                   a call that was inlined there: its total
//	  1: 595                             a line of that function

static void autofdo_indent(uint32_t depth, FILE *stream)
{
	for (uint32_t i = 0; i < depth; i++)
		putc(' ', stream);
}

static void autofdo_write_place(struct feedback_place place, FILE *stream)
{
	fprintf(stream, "%" PRIu32, place.line);
	if (place.piece)
		fprintf(stream, ".%" PRIu32, place.piece);
	fputs(": ", stream);
}

static void autofdo_write_line(const struct feedback_profile *feedback, uint32_t depth,
			       const struct feedback_line *line, FILE *stream)
{
	autofdo_indent(depth + 1, stream);
	autofdo_write_place(line->place, stream);
	fprintf(stream, "%" PRIu64, line->count);
	for (size_t i = 0; i < line->num_targets; i++) {
		const struct feedback_target *target = &feedback->targets[line->first_target + i];
		fprintf(stream, " %s:%" PRIu64, target->name, target->count);
	}
	putc('\n', stream);
}

static void autofdo_write_function(const struct feedback_profile *feedback,
				   const struct feedback_function *function, FILE *stream)
{
	autofdo_indent(function->depth, stream);
	if (function->depth)
		autofdo_write_place(function->place, stream);
	fprintf(stream, "%s:%" PRIu64, function->name, function->total);
	if (!function->depth)
		fprintf(stream, ":%" PRIu64, function->head);
	putc('\n', stream);
	for (size_t i = 0; i < function->num_lines; i++)
		autofdo_write_line(feedback, function->depth,
				   &feedback->lines[function->first_line + i], stream);
}

static struct error *autofdo_refuse(const struct named_profile *profile,
				    const struct feedback_profile *feedback)
{
	uint32_t module = feedback->of.module;
	if (module == NAMED_NONE)
		return error_create(ERROR_FAILED, "autofdo needs samples of native code");
	return error_with_hint(
		error_create(ERROR_FAILED, "no function of '%s' that was sampled has lines",
			     named_profile_text(profile, profile->modules[module].name)),
		"build it with clang -gline-tables-only -fdebug-info-for-profiling, or choose "
		"another module with --module");
}

struct error *autofdo_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			    const char *name)
{
	if (event == NAMED_NONE && profile->num_events > 1)
		return error_with_hint(error_create(ERROR_USAGE, "autofdo needs a single event"),
				       "choose one with --event, such as cycles or cpu-clock");
	_cleanup_(feedback_profile_deinit) struct feedback_profile feedback = FEEDBACK_PROFILE_INIT;
	struct error *err = feedback_profile_create(profile, event, &feedback);
	if (err)
		return err;
	if (!feedback.num_functions)
		return autofdo_refuse(profile, &feedback);
	for (size_t i = 0; i < feedback.num_functions; i++)
		autofdo_write_function(&feedback, &feedback.functions[i], stream);
	return output_stream_flush(stream, name);
}
