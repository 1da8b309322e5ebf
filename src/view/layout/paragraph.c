// SPDX-License-Identifier: Apache-2.0
#include "view/layout/paragraph.h"

#include "view/layout/safe_text.h"

#include <stdbool.h>
#include <string.h>

// Greedy wrapping: a word goes on the line if it fits, else on the next one. Blanks between words
// are kept as they are, except at the beginning of a wrapped line. A word that is wider than a line
// stands on a line of its own and is not cut, since it may be a path or a command to copy.

static const char blanks[] = " \t";

/** Where the next word goes. */
struct paragraph {
	size_t indent, width;
	size_t column; /* without the indent; 0: nothing stands on this line yet */
	bool is_indented;
	FILE *stream;
};

/** Print @num_blanks and the word, on a new line if this one has no room. */
static void print_word(struct paragraph *paragraph, const char *word, size_t length,
		       size_t num_blanks)
{
	size_t width = safe_text_width(word, length);
	if (paragraph->indent + paragraph->column + num_blanks + width > paragraph->width) {
		if (paragraph->column > 0)
			fputc('\n', paragraph->stream);
		paragraph->column = 0;
		num_blanks = 0;
	}
	bool needs_indent = paragraph->column == 0 && !paragraph->is_indented;
	size_t num_before = num_blanks + (needs_indent ? paragraph->indent : 0);
	paragraph->is_indented = false;
	while (num_before-- > 0)
		fputc(' ', paragraph->stream);
	safe_text_print(word, length, paragraph->stream);
	paragraph->column += num_blanks + width;
}

/** Print one line of the text, wrapped; @length without its line end. */
static void paragraph_print_line(struct paragraph *paragraph, const char *line, size_t length)
{
	const char *end = line + length;
	paragraph->column = 0;
	while (line < end) {
		// The line end is no blank: neither span goes past @end.
		size_t num_blanks = strspn(line, blanks);
		line += num_blanks;
		size_t word_length = strcspn(line, " \t\n");
		if (word_length > 0)
			print_word(paragraph, line, word_length, num_blanks);
		line += word_length;
	}
	fputc('\n', paragraph->stream);
}

static void paragraph_print_lines(struct paragraph *paragraph, const char *text)
{
	do {
		size_t length = strcspn(text, "\n");
		paragraph_print_line(paragraph, text, length);
		text += length;
		if (*text)
			text++;
	} while (*text);
}

void paragraph_print(const char *text, size_t indent, size_t width, FILE *stream)
{
	struct paragraph paragraph = {.indent = indent, .width = width, .stream = stream};
	paragraph_print_lines(&paragraph, text);
}

void paragraph_print_behind(const char *text, size_t indent, size_t width, FILE *stream)
{
	struct paragraph paragraph = {
		.indent = indent, .width = width, .is_indented = true, .stream = stream};
	paragraph_print_lines(&paragraph, text);
}
