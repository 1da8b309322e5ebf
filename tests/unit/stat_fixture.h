/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_STAT_FIXTURE_H
#define WPERF_TESTS_UNIT_STAT_FIXTURE_H

/**
 * Counts and reports for tests of their views; include behind cmocka.h. Counts stand in a test as
 * an array, unit by unit, and so do the numbers of the units.
 */

#include "base/cleanup.h"
#include "base/container/array.h"
#include "profile/counts.h"
#include "tests/unit/capture.h"
#include "tests/unit/shared_data.h"
#include "view/stat_report.h"

#include <stdio.h>
#include <string.h>

/** A count_set in the test's own storage: not to be deinitialised. */
#define STAT_COUNTS(kind, unit_numbers, values)                               \
	{                                                                     \
		.unit_kind = (kind), .num_units = ARRAY_SIZE(unit_numbers),   \
		.num_columns = ARRAY_SIZE(values) / ARRAY_SIZE(unit_numbers), \
		.units = (unit_numbers), .counts = (values),                  \
	}

#define STAT_SECTION(class, event_rows, count_set)                           \
	{                                                                    \
		.event_class = (class), .events = (event_rows),              \
		.num_events = ARRAY_SIZE(event_rows), .counts = (count_set), \
	}

/** A copy of @text without blanks before line ends: the last column is padded or not. */
static inline char *without_trailing_blanks(const char *text)
{
	char *copy = calloc(1, strlen(text) + 1);
	assert_non_null(copy);
	char *end = copy;
	for (; *text; text++) {
		while (*text == '\n' && end > copy && end[-1] == ' ')
			end--;
		*end++ = *text;
	}
	*end = '\0';
	return copy;
}

/** The content of a file of others' data; without it the test is skipped. */
static inline char *read_shared(const char *name)
{
	char path[512];
	snprintf(path, sizeof(path), "%s/%s", WPERF_SHARED_DIR, name);
	skip_without(path);
	FILE *stream = fopen(path, "r");
	assert_non_null(stream);
	assert_int_equal(fseek(stream, 0, SEEK_END), 0);
	return capture_end(stream);
}

#endif
