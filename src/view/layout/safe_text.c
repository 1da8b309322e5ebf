// SPDX-License-Identifier: Apache-2.0
#include "view/layout/safe_text.h"

#include "base/container/array.h"
#include "base/text/utf8.h"

#include <stdbool.h>
#include <string.h>

#include <inttypes.h>
#include <stdint.h>

// Names of symbols, files and processes come from anybody, and are printed on a terminal: an escape
// character could start a command to it, and bidirectional controls could show another text than
// there is (Unicode Standard Annex 9; "Trojan Source", CVE-2021-42574). The table has what is
// escaped. Most text is printable ASCII, which is recognized first and copied as a whole.

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

size_t safe_text_width(const char *text, size_t length)
{
	const char *end = text + length;
	size_t width = 0;
	while (text < end) {
		size_t plain = safe_text_plain_length(text, end);
		width += plain;
		text += plain;
		if (text == end)
			break;
		const struct safe_text_escape *escape = find_escape(utf8_next(&text));
		width += escape ? escape->width : 1;
	}
	return width;
}

/** Print the code point at *@text and move behind it. */
static void print_code_point(const char **text, FILE *stream)
{
	const char *start = *text;
	uint32_t code_point = utf8_next(text);
	const struct safe_text_escape *escape = find_escape(code_point);
	if (escape)
		fprintf(stream, escape->format, code_point);
	else if (code_point == UTF8_REPLACEMENT)
		fputs("\xef\xbf\xbd", stream);
	else
		fwrite(start, 1, (size_t)(*text - start), stream);
}

void safe_text_print(const char *text, size_t length, FILE *stream)
{
	const char *end = text + length;
	while (text < end) {
		size_t plain = safe_text_plain_length(text, end);
		fwrite(text, 1, plain, stream);
		text += plain;
		if (text < end)
			print_code_point(&text, stream);
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
			print_code_point(&text, stream);
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
	while (*text) {
		const char *entity = safe_text_entity(*text);
		const char *behind = text;
		uint32_t code_point = utf8_next(&behind);
		if (entity)
			fputs(entity, stream);
		// Two characters of Unicode that XML 1.0 (2.2) does not permit.
		else if (code_point == 0xfffe || code_point == 0xffff)
			fputs("\xef\xbf\xbd", stream);
		else
			print_code_point(&text, stream);
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
