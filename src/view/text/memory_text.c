// SPDX-License-Identifier: Apache-2.0

#include "view/text/memory_text.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "profile/time_span.h"
#include "view/layout/decimal.h"

#include <inttypes.h>

// The chart is one line: a column is a part of the time, as high as the most that was in use then.
//
//	in use: 204.1 MiB at the peak after 0.62 s, 60.6 MiB at the end after 1.07 s
//	▁▂▃▄▅▅▅▅▅▅▅▅▅▅▅▅▅▅▇█████████████████▃▃▃▃▃▃▃▃▃▃▃▃

enum { CHART_COLUMNS = 64, PLACE_SIZE = 256 };

static const char *const column_names[MEMORY_EVENT_NUM] = {
	[MEMORY_EVENT_ALLOCATED] = "allocated", [MEMORY_EVENT_TEMPORARY] = "temporary",
	[MEMORY_EVENT_TOUCHED] = "touched",     [MEMORY_EVENT_AT_MOMENT] = "at the moment",
	[MEMORY_EVENT_IN_USE] = "at the end",   [MEMORY_EVENT_LEAKED] = "leaked",
	[MEMORY_EVENT_AT_PEAK] = "at the peak",
};

static bool memory_text_has_column(const struct memory_lines *lines, size_t kind)
{
	return lines->has[kind] && column_names[kind];
}

static void memory_text_add_place(const struct named_profile *profile, uint32_t frame,
				  struct table *table)
{
	if (frame == NAMED_NONE) {
		table_add_string(table, "[no stack]");
		table_add_string(table, "");
		return;
	}
	const struct named_frame *named = &profile->frames[frame];
	const struct named_function *function = &profile->functions[named->function];
	char place[PLACE_SIZE];
	if (named->line)
		snprintf(place, sizeof(place), "%s:%" PRIu32,
			 file_name_to_show(named_profile_text(profile, named->file)), named->line);
	else
		snprintf(place, sizeof(place), "[%s]",
			 function->module == NAMED_NONE
				 ? "unknown"
				 : named_profile_text(profile,
						      profile->modules[function->module].name));
	table_add_string(table, place);
	table_add_string(table, named_profile_text(profile, function->name));
}

struct error *memory_text_print_lines(const struct memory_lines *lines, size_t max_rows,
				      struct table_layout layout, FILE *stream)
{
	struct table_column columns[MEMORY_EVENT_NUM + 2];
	size_t num_columns = 0, num_rows = lines->num_items;
	for (size_t kind = 0; kind < MEMORY_EVENT_NUM; kind++)
		if (memory_text_has_column(lines, kind))
			columns[num_columns++] =
				(struct table_column){column_names[kind], TABLE_RIGHT};
	columns[num_columns++] = (struct table_column){"line", TABLE_LEFT};
	columns[num_columns++] = (struct table_column){"function", TABLE_LEFT};
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = table_create(columns, num_columns, &table);
	if (err)
		return err;
	if (max_rows && num_rows > max_rows)
		num_rows = max_rows;
	for (size_t i = 0; i < num_rows; i++) {
		const struct memory_line *line = &lines->items[i];
		for (size_t kind = 0; kind < MEMORY_EVENT_NUM; kind++)
			if (memory_text_has_column(lines, kind))
				table_add_string(table, decimal_bytes(line->bytes[kind]).text);
		memory_text_add_place(lines->profile, line->frame, table);
	}
	err = table_check(table);
	if (err)
		return err;
	fputs("memory by line:\n\n", stream);
	table_print(table, layout, stream);
	if (lines->num_items > num_rows)
		fprintf(stream, "      ... and %zu more\n", lines->num_items - num_rows);
	return NULL;
}

static double memory_text_seconds(struct time_span span, uint64_t time_ns)
{
	return (double)time_span_since_ns(span, time_ns) / 1e9;
}

static void memory_text_print_chart(const struct memory_curve *curve, struct time_span span,
				    uint64_t most, FILE *stream)
{
	static const char *const heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	uint64_t columns[CHART_COLUMNS];
	uint64_t step_ns = (span.end_ns - span.begin_ns) / CHART_COLUMNS + 1;
	memory_curve_slots(curve, span.begin_ns, step_ns, CHART_COLUMNS, columns);
	const size_t highest = ARRAY_SIZE(heights) - 1;
	double scale = (double)highest / (double)most;
	for (size_t i = 0; i < CHART_COLUMNS; i++) {
		// Rounded up: only what is nothing is empty.
		double height = (double)columns[i] * scale;
		size_t whole = (size_t)height;
		fputs(heights[whole + ((double)whole < height)], stream);
	}
	fputc('\n', stream);
}

void memory_text_print_curve(const struct named_profile *profile, FILE *stream)
{
	const struct memory_curve *curve = &profile->memory;
	const struct memory_point *peak = memory_curve_peak(curve);
	if (!peak || !peak->most)
		return;
	struct time_span span = time_span_of(profile);
	const struct memory_point *last = &curve->points[curve->num_points - 1];
	fprintf(stream, "in use: %s at the peak", decimal_bytes(peak->most).text);
	fprintf(stream, " after %s s, ",
		decimal_fixed(memory_text_seconds(span, peak->time_ns), 2).text);
	fprintf(stream, "%s at the end", decimal_bytes(last->last).text);
	fprintf(stream, " after %s s\n",
		decimal_fixed(memory_text_seconds(span, span.end_ns), 2).text);
	memory_text_print_chart(curve, span, peak->most, stream);
}
