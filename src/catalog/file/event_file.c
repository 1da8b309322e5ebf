// SPDX-License-Identifier: Apache-2.0
// The file becomes one word of -e, which event_spec.c reads: each end of line is a comma, those at
// the end of the file are nothing, and spaces go, so that a list may have an event on each line.

#include "catalog/file/event_file.h"

#include "base/file/file_map.h"

#include <stdlib.h>
#include <string.h>

// The file becomes one line of words: an end of a line is a comma, and CR LF is one end. The ends
// of lines behind the last word are cut off first, as they would make empty words. Blanks are
// taken out, since the grammar of -e has none.

enum { MAX_SIZE = 16 << 20 }; // 10,000 times what a large server needs

/** Lines are one line: ends of lines stand for a comma, behind the last word for nothing. */
static struct error *join_lines(const char *path, const char *text, size_t size, char **ret)
{
	while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
		size--;
	if (!size || memchr(text, '\0', size))
		return error_create(ERROR_USAGE, "'%s' is no file of events%s", path,
				    size ? "" : ": it is empty");
	char *words = strndup(text, size);
	if (!words)
		return &error_no_memory;
	for (char *end = words; (end = strpbrk(end, "\r\n"));)
		*end = *end == '\r' && end[1] == '\n' ? ' ' : ',';
	size_t length = 0;
	for (const char *c = words; *c; c++)
		if (*c != ' ')
			words[length++] = *c;
	words[length] = '\0';
	*ret = words;
	return NULL;
}

struct error *event_file_expand(const char *spec, char **ret)
{
	if (spec[0] != '@') {
		*ret = strdup(spec);
		return *ret ? NULL : &error_no_memory;
	}
	const char *path = spec + 1;
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	if (err)
		return error_with_hint(err, "-e @FILE reads events from a file");
	if (map.size > MAX_SIZE)
		return error_create(ERROR_USAGE, "'%s' is too large for a file of events", path);
	return join_lines(path, map.data, map.size, ret);
}
