// SPDX-License-Identifier: Apache-2.0
#include "view/layout/safe_text.h"

#include "base/container/array.h"
#include "base/text/character_width.h"
#include "base/text/utf8.h"

#include <stdbool.h>
#include <string.h>

#include <inttypes.h>
#include <stdint.h>

// Names of symbols, files and processes come from anybody, and are printed on a terminal: an escape
// character could start a command to it, and bidirectional controls could show another text than
// there is (Unicode Standard Annex 9; "Trojan Source", CVE-2021-42574). The table has what is
// escaped. Most text is printable ASCII, which is recognized first and copied as a whole.
//
// Marks that combine with the character before them take no column, so that no width would stop a
// name with thousands of them, which terminals pile up over the lines around. No script needs more
// than MAX_MARKS, nor do the flags of regions, which are spelled with seven of them: further ones
// are escaped.

enum { MAX_MARKS = 8 };

static const struct safe_text_escape {
	uint32_t first, last;
	const char *format;
	size_t width;
} safe_text_escapes[] = {
	// C0 and C1 controls, and DEL. Terminals take C1 controls like escape sequences.
	{0x00, 0x1f, "\\x%02" PRIx32, 4},
	{0x7f, 0x9f, "\\x%02" PRIx32, 4},
	// Marks of direction; line and paragraph separators, embeddings and overrides; isolates.
	{0x061c, 0x061c, "\\u%04" PRIx32, 6},
	{0x200e, 0x200f, "\\u%04" PRIx32, 6},
	{0x2028, 0x202e, "\\u%04" PRIx32, 6},
	{0x2066, 0x2069, "\\u%04" PRIx32, 6},
};

// Marks behind so many others.
static const struct safe_text_escape mark_escapes[] = {
	{0x0000, 0xffff, "\\u%04" PRIx32, 6},
	{0x10000, 0x10ffff, "\\U%06" PRIx32, 8},
};

static const struct safe_text_escape *find_escape(uint32_t code_point)
{
	for (size_t i = 0; i < ARRAY_SIZE(safe_text_escapes); i++) {
		const struct safe_text_escape *escape = &safe_text_escapes[i];
		if (code_point >= escape->first && code_point <= escape->last)
			return escape;
	}
	return NULL;
}

/** Length of the printable ASCII at the start of @text: nearly always all of it. */
static size_t safe_text_plain_length(const char *text, const char *end)
{
	const char *at = text;
	while (at < end && *at >= ' ' && *at <= '~')
		at++;
	return (size_t)(at - text);
}

/** How the next character is printed. */
struct safe_text_character {
	const struct safe_text_escape *escape; // NULL: as it is
	uint32_t code_point;
	size_t width;
	bool is_mark; // it combines with the one before
};

/** The one at *@text, which moves behind it. @num_marks: in front of it, and then with it. */
static struct safe_text_character safe_text_next(const char **text, size_t *num_marks)
{
	uint32_t code_point = utf8_next(text);
	struct safe_text_character ret = {
		.escape = find_escape(code_point),
		.code_point = code_point,
		.width = character_width(code_point),
	};
	ret.is_mark = !ret.escape && !ret.width;
	*num_marks = ret.is_mark ? *num_marks + 1 : 0;
	if (*num_marks > MAX_MARKS)
		ret.escape = &mark_escapes[code_point > mark_escapes[0].last];
	if (ret.escape)
		ret.width = ret.escape->width;
	return ret;
}

size_t safe_text_width(const char *text, size_t length)
{
	const char *end = text + length;
	size_t width = 0, num_marks = 0;
	while (text < end) {
		size_t plain = safe_text_plain_length(text, end);
		width += plain;
		text += plain;
		num_marks = plain ? 0 : num_marks;
		if (text < end)
			width += safe_text_next(&text, &num_marks).width;
	}
	return width;
}

const char *safe_text_head(const char *text, size_t columns)
{
	size_t width = 0, num_marks = 0;
	while (*text) {
		const char *behind = text;
		width += safe_text_next(&behind, &num_marks).width;
		if (width > columns)
			break;
		text = behind;
	}
	return text;
}

const char *safe_text_tail(const char *text, size_t columns)
{
	size_t width = safe_text_width(text, strlen(text)), num_marks = 0;
	if (width <= columns)
		return text;
	while (*text) {
		const char *behind = text;
		struct safe_text_character next = safe_text_next(&behind, &num_marks);
		// Marks belong to what was left out in front of them.
		if (width <= columns && !next.is_mark)
			break;
		width -= next.width;
		text = behind;
	}
	return text;
}

/** Print the character at *@text and move behind it. */
static void print_character(const char **text, size_t *num_marks, FILE *stream)
{
	const char *start = *text;
	struct safe_text_character character = safe_text_next(text, num_marks);
	if (character.escape)
		fprintf(stream, character.escape->format, character.code_point);
	else if (character.code_point == UTF8_REPLACEMENT)
		fputs("\xef\xbf\xbd", stream);
	else
		fwrite(start, 1, (size_t)(*text - start), stream);
}

void safe_text_print(const char *text, size_t length, FILE *stream)
{
	const char *end = text + length;
	size_t num_marks = 0;
	while (text < end) {
		size_t plain = safe_text_plain_length(text, end);
		fwrite(text, 1, plain, stream);
		text += plain;
		num_marks = plain ? 0 : num_marks;
		if (text < end)
			print_character(&text, &num_marks, stream);
	}
}

void safe_text_print_field(const char *text, const char *separators, FILE *stream)
{
	while (*text) {
		if (*text >= ' ' && *text <= '~') {
			fputc(strchr(separators, *text) ? '_' : *text, stream);
			text++;
			continue;
		}
		const char *behind = text;
		if (find_escape(utf8_next(&behind))) {
			fputc('_', stream);
			text = behind;
		} else {
			size_t no_marks = 0; // of a file, which nobody's terminal shows
			print_character(&text, &no_marks, stream);
		}
	}
}

/** NULL: the character is not markup. */
static const char *safe_text_entity(char character)
{
	switch (character) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void safe_text_print_xml(const char *text, FILE *stream)
{
	size_t num_marks = 0;
	while (*text) {
		const char *entity = safe_text_entity(*text);
		const char *behind = text;
		uint32_t code_point = utf8_next(&behind);
		if (entity) {
			fputs(entity, stream);
			num_marks = 0;
		}
		// Two characters of Unicode that XML 1.0 (2.2) does not permit.
		else if (code_point == 0xfffe || code_point == 0xffff)
			fputs("\xef\xbf\xbd", stream);
		else
			print_character(&text, &num_marks, stream);
		text = behind;
	}
}

void safe_text_print_module(const char *name, FILE *stream)
{
	bool has_brackets = name[0] == '[';
	if (!has_brackets)
		fputc('[', stream);
	safe_text_print(name, strlen(name), stream);
	if (!has_brackets)
		fputc(']', stream);
}
