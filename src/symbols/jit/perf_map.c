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

struct error *perf_map_parse(struct code_map *map, char *text, size_t size)
{
	char *end = text + size;
	for (char *at = text, *next; at < end; at = next) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		char *line_end = newline ? newline : end;
		next = line_end + 1;
		struct code_range range = {0};
		if (!perf_map_take_number(&at, line_end, &range.start) ||
		    !perf_map_take_number(&at, line_end, &range.size))
			continue;
		if (line_end > at && line_end[-1] == '\r')
			line_end--;
		// A longer name is cut: no table could show it.
		if (line_end - at > MAX_NAME)
			line_end = at + MAX_NAME;
		if (line_end == at || !*at)
			continue;
		*line_end = '\0';
		range.name = at;
		struct error *err = code_map_add(map, &range);
		if (err)
			return err;
	}
	return code_map_build(map);
}
