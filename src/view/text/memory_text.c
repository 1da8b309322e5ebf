// SPDX-License-Identifier: Apache-2.0

#include "view/text/memory_text.h"

#include "base/container/array.h"
#include "profile/time_span.h"
#include "view/layout/decimal.h"

// The chart is one line: a column is a part of the time, as high as the most that was in use then.
//
//	in use: 204.1 MiB at the peak after 0.62 s, 60.6 MiB at the end after 1.07 s
//	▁▂▃▄▅▅▅▅▅▅▅▅▅▅▅▅▅▅▇█████████████████▃▃▃▃▃▃▃▃▃▃▃▃

enum { CHART_COLUMNS = 64 };

static double memory_text_seconds(uint64_t time_ns, uint64_t begin_ns)
{
	return time_ns > begin_ns ? (double)(time_ns - begin_ns) / 1e9 : 0;
}

static void memory_text_print_chart(const struct memory_curve *curve, struct time_span span,
				    uint64_t most, FILE *stream)
{
	static const char *const heights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	uint64_t columns[CHART_COLUMNS];
	uint64_t step_ns = (span.end_ns - span.begin_ns) / CHART_COLUMNS + 1;
	memory_curve_slots(curve, span.begin_ns, step_ns, CHART_COLUMNS, columns);
	double scale = (double)(ARRAY_SIZE(heights) - 1) / (double)most;
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
		decimal_fixed(memory_text_seconds(peak->time_ns, span.begin_ns), 2).text);
	fprintf(stream, "%s at the end", decimal_bytes(last->last).text);
	fprintf(stream, " after %s s\n",
		decimal_fixed(memory_text_seconds(span.end_ns, span.begin_ns), 2).text);
	memory_text_print_chart(curve, span, peak->most, stream);
}
