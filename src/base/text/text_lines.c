// SPDX-License-Identifier: Apache-2.0

#include "base/text/text_lines.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

struct error *text_lines_init(struct text_lines *lines, const char *text, size_t size)
{
	*lines = (struct text_lines){.text = text, .size = size};
	if (!size)
		return NULL;
	// One pass with memchr(), which looks at many bytes at once; a line is then found by its
	// number.
	const char *end = text + size;
	for (const char *start = text; start && start < end;) {
		struct error *err =
			array_reserve(&lines->starts, &lines->cap_lines, lines->num_lines + 1);
		if (err) {
			text_lines_deinit(lines);
			return err;
		}
		lines->starts[lines->num_lines++] = (size_t)(start - text);
		const char *newline = memchr(start, '\n', (size_t)(end - start));
		start = newline ? newline + 1 : NULL;
	}
	return NULL;
}

void text_lines_deinit(struct text_lines *lines)
{
	free(lines->starts);
	*lines = (struct text_lines)TEXT_LINES_INIT;
}

struct text_line text_lines_get(const struct text_lines *lines, uint64_t number)
{
	if (number < 1 || number > lines->num_lines)
		return (struct text_line){0};
	size_t start = lines->starts[number - 1];
	size_t end = number < lines->num_lines ? lines->starts[number] : lines->size;
	const char *text = lines->text + start;
	size_t length = end - start;
	if (length && text[length - 1] == '\n')
		length--;
	// Files of Windows.
	if (length && text[length - 1] == '\r')
		length--;
	return (struct text_line){text, length};
}
