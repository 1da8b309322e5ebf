// SPDX-License-Identifier: Apache-2.0
// Errors, warnings and notes with words from outside are printed here. An error is its message in
// red, a hint stands on a line of its own; colors are left out where standard error is no terminal
// (terminal.h). Words of other programs are passed through safe_text.h, since a process may be
// called "\033[2J".

#include "report/notes/diagnostics.h"

#include "base/error.h"
#include "base/terminal/terminal.h"
#include "source/source.h"
#include "view/layout/safe_text.h"
#include "view/layout/style.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** Words of the user, and what was read from files, may hold anything; our lines stay lines. */
static void diagnostics_print_lines(const char *text, FILE *stream)
{
	for (;;) {
		// Line ends are ours; all else is checked.
		size_t length = strcspn(text, "\n");
		safe_text_print(text, length, stream);
		if (!text[length])
			return;
		fputc('\n', stream);
		text += length + 1;
	}
}

void diagnostics_print_error(const struct error *err)
{
	struct style style = {.color = terminal_has_color(stderr)};
	fputs(style_code(&style, STYLE_RED), stderr);
	diagnostics_print_lines(err->message, stderr);
	fprintf(stderr, "%s\n", style_code(&style, STYLE_RESET));
	if (!err->hint)
		return;
	fprintf(stderr, "%shint:%s ", style_code(&style, STYLE_CYAN),
		style_code(&style, STYLE_RESET));
	diagnostics_print_lines(err->hint, stderr);
	fputc('\n', stderr);
}

void diagnostics_print_reason(const char *reason, const char *hint, FILE *stream)
{
	safe_text_print(reason, strlen(reason), stream);
	if (hint) {
		fputs("\nhint: ", stream);
		safe_text_print(hint, strlen(hint), stream);
	}
	fputc('\n', stream);
}

void diagnostics_print_start_note(struct source *source, FILE *stream)
{
	const char *note = source->ops->start_note ? source->ops->start_note(source) : NULL;
	if (note)
		fprintf(stream, "note: %s\n", note);
}

void diagnostics_print_run_notes(struct source *source, FILE *stream)
{
	const char *note = NULL;
	for (size_t i = 0;
	     source->ops->run_note && (note = source->ops->run_note(source, i)) != NULL; i++) {
		fputs("note: ", stream);
		diagnostics_print_reason(note, NULL, stream);
	}
}

void diagnostics_print_lost(const struct sample_totals *totals, FILE *stream)
{
	if (totals->num_lost)
		fprintf(stream, "note: lost samples, because %s: %" PRIu64 " of %" PRIu64 "\n",
			totals->num_throttled ? "there were too many" : "the buffer was full",
			totals->num_lost, totals->num_generated);
}

void diagnostics_print_notes(const char *lines, FILE *stream)
{
	diagnostics_print_lines(lines, stream);
}

void diagnostics_print_warnings(const char *lines)
{
	struct style style = {.color = terminal_has_color(stderr)};
	if (!*lines)
		return;
	fputs(style_code(&style, STYLE_YELLOW), stderr);
	diagnostics_print_lines(lines, stderr);
	fputs(style_code(&style, STYLE_RESET), stderr);
}
