// SPDX-License-Identifier: Apache-2.0
// A screen is printed into memory first, by the same code that prints tables into a pipe, and then
// drawn line by line. So the terminal never shows half a screen, and text that comes from a
// profiled process passes the same checks as everywhere.
//
// The rows of the terminal are shared out evenly among the tables: a header and a line with what
// was left out belong to each, the rest are rows of functions.

#include "report/sample/top_screen.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/memory_stream.h"
#include "base/text/text_lines.h"
#include "view/layout/decimal.h"

#include <stdlib.h>

enum {
	LINES_ABOVE = 3,
	LINES_OF_TABLE = 6, // its header, two of the columns, "... and n more", two empty ones
};

static void top_screen_quit(struct top_screen *screen, struct top_tables *tables)
{
	screen->wants_to_quit = true;
}

static void top_screen_reset(struct top_screen *screen, struct top_tables *tables)
{
	top_tables_clear(tables);
}

/**
 * Sums in which old intervals count less cannot be turned into sums since the start: both ways
 * begin anew.
 */
static void switch_since_start(struct top_screen *screen, struct top_tables *tables)
{
	screen->is_since_start = !screen->is_since_start;
	top_tables_clear(tables);
}

static void switch_kernel(struct top_screen *screen, struct top_tables *tables)
{
	tables->hides_kernel = !tables->hides_kernel;
}

static void switch_user(struct top_screen *screen, struct top_tables *tables)
{
	tables->hides_user = !tables->hides_user;
}

static const struct {
	char key;
	void (*press)(struct top_screen *screen, struct top_tables *tables);
} keys[] = {
	{'q', top_screen_quit}, {'z', top_screen_reset}, {'s', switch_since_start},
	{'k', switch_kernel},   {'u', switch_user},
};

void top_screen_take_keys(struct top_screen *screen, struct top_tables *tables, bool *ret_changed)
{
	*ret_changed = false;
	char key;
	// All keys that wait are taken before anything is drawn, so that a key held down does not
	// queue up screens.
	while ((key = terminal_screen_key(screen->terminal))) {
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			if (keys[i].key != key)
				continue;
			keys[i].press(screen, tables);
			*ret_changed = true;
		}
	}
}

static void print_status(const struct top_screen *screen, const struct top_tables *tables,
			 const struct top_status *status, FILE *stream)
{
	fprintf(stream, "wperf top: %s s, %s samples",
		decimal_fixed((double)status->elapsed_ns / 1e9, 1).text,
		decimal_grouped(status->num_samples).text);
	if (status->num_lost)
		fprintf(stream, ", %s LOST", decimal_grouped(status->num_lost).text);
	fprintf(stream, "; %s%s%s\n",
		screen->is_since_start ? "all since the start" : "older samples count less",
		tables->hides_kernel ? "; kernel hidden" : "",
		tables->hides_user ? "; user hidden" : "");
}

static size_t top_screen_room(const struct top_screen *screen, size_t num_tables, size_t max_rows)
{
	struct terminal_size size = terminal_screen_size(screen->terminal);
	// One line stays empty: see terminal_screen_show().
	size_t taken = LINES_ABOVE + 1 + num_tables * LINES_OF_TABLE;
	size_t rows = size.rows > taken ? (size.rows - taken) / (num_tables ? num_tables : 1) : 0;
	// A terminal that is too small still shows the hottest row of the first table; what is
	// below does not fit.
	rows = rows ? rows : 1;
	return max_rows && max_rows < rows ? max_rows : rows;
}

struct error *top_screen_draw(struct top_screen *screen, struct top_tables *tables,
			      const struct named_profile *profile, const struct top_status *status,
			      size_t max_rows)
{
	_cleanup_(memory_stream_deinit) struct memory_stream picture = MEMORY_STREAM_INIT;
	struct error *err = memory_stream_open(&picture);
	if (err)
		return err;
	print_status(screen, tables, status, picture.stream);
	fputs("keys: q quit, z reset, s since start or recent, k kernel, u user\n\n",
	      picture.stream);
	screen->num_rows = top_screen_room(screen, top_tables_num(tables), max_rows);
	err = top_tables_print(tables, profile, screen->num_rows, picture.stream);
	if (!err)
		err = memory_stream_close(&picture);
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	if (!err)
		err = text_lines_init(&lines, picture.text, picture.size);
	if (!err)
		terminal_screen_show(screen->terminal, &lines);
	return err;
}

struct error *top_screen_print(const struct top_screen *screen, struct top_tables *tables,
			       const struct named_profile *profile, const struct top_status *status,
			       FILE *stream)
{
	print_status(screen, tables, status, stream);
	fputc('\n', stream);
	return top_tables_print(tables, profile, screen->num_rows, stream);
}
