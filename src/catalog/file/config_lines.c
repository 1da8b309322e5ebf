// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/config_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The file is copied once and cut into lines in place. A byte of 0 means that it is no text, or
// text in UTF-16, as some editors on Windows save it. The byte order mark of UTF-8, which the same
// editors write, is skipped. Comments are cut off before blanks, so that a line with only a comment
// is an empty one.

static const char blanks[] = " \t\r\n\v\f";
static const char byte_order_mark[] = "\xef\xbb\xbf";

struct error *config_lines_init(struct config_lines *lines, const char *path, const char *text,
				size_t size)
{
	if (size && memchr(text, '\0', size))
		return error_with_hint(error_create(ERROR_FAILED,
						    "config file '%s' is not a text file", path),
				       "save it as UTF-8; it may be UTF-16 now");
	char *copy = malloc(size + 1);
	if (!copy)
		return &error_no_memory;
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	size_t mark_length = strlen(byte_order_mark);
	bool has_mark = strncmp(copy, byte_order_mark, mark_length) == 0;
	*lines = (struct config_lines){
		.path = path,
		.text = copy,
		.rest = has_mark ? copy + mark_length : copy,
	};
	return NULL;
}

void config_lines_deinit(struct config_lines *lines)
{
	free(lines->text);
	*lines = (struct config_lines)CONFIG_LINES_INIT;
}

char *config_lines_trim(char *text)
{
	text += strspn(text, blanks);
	size_t length = strlen(text);
	while (length && strchr(blanks, text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

char *config_lines_next(struct config_lines *lines)
{
	while (*lines->rest) {
		char *line = lines->rest;
		size_t length = strcspn(line, "\n");
		lines->rest += line[length] ? length + 1 : length;
		lines->number++;
		line[length] = '\0'; // also of a last line without an end
		line[strcspn(line, "#")] = '\0';
		line = config_lines_trim(line);
		if (*line)
			return line;
	}
	return NULL;
}

struct error *config_lines_error(const struct config_lines *lines, struct error *err)
{
	return error_with_hint(err, "see line %u of '%s'", lines->number, lines->path);
}
