// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/perf_map.h"

#include "base/text/number.h"

#include <string.h>

// The format of tools/perf/Documentation/jit-interface.txt. Lines are ended and names are used in
// place, without a copy of each. Some programs write a carriage return at the end or "0x" before
// numbers.
//
//	7f32c4a01000 1a0 LazyCompile:~add /srv/app.js:12

enum { MAX_NAME = 4096 };

/** A hexadecimal number with a blank behind it; moves @text behind the blank. */
static bool perf_map_take_number(char **text, const char *end, uint64_t *ret)
{
	const char *blank = memchr(*text, ' ', (size_t)(end - *text));
	if (!blank)
		return false;
	size_t length = (size_t)(blank - *text);
	if (number_parse_hex(*text, length, true, ret) != NUMBER_OK)
		return false;
	*text += length + 1;
	return true;
}

static struct error *perf_map_add_line(struct code_map *map, char *line, char *end)
{
	struct code_range range = {0};
	if (!perf_map_take_number(&line, end, &range.start) ||
	    !perf_map_take_number(&line, end, &range.size))
		return NULL;
	if (end > line && end[-1] == '\r')
		end--;
	// A longer name is cut: no table could show it.
	if (end - line > MAX_NAME)
		end = line + MAX_NAME;
	if (end == line || !*line)
		return NULL;
	*end = '\0';
	range.name = line;
	return code_map_add(map, &range);
}

struct error *perf_map_parse(struct code_map *map, char *text, size_t size)
{
	char *end = text + size;
	for (char *line = text; line < end;) {
		char *newline = memchr(line, '\n', (size_t)(end - line));
		char *line_end = newline ? newline : end;
		struct error *err = perf_map_add_line(map, line, line_end);
		if (err)
			return err;
		line = line_end + 1;
	}
	return code_map_build(map);
}
