/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_CAPTURE_H
#define WPERF_TESTS_UNIT_CAPTURE_H

/**
 * What a function prints to a stream, as text; for cmocka tests, include it after cmocka.h.
 *
 *	FILE *stream = capture_begin();
 *	table_print(table, stream);
 *	_cleanup_free_ char *text = capture_end(stream);
 */

#include "base/cleanup.h"

#include <stdio.h>

static inline FILE *capture_begin(void)
{
	FILE *stream = tmpfile();
	assert_non_null(stream);
	return stream;
}

/** Closes the stream. The text is NUL terminated, to be freed. */
static inline char *capture_end(FILE *stream)
{
	long size = ftell(stream);
	assert_true(size >= 0);
	char *text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	rewind(stream);
	assert_int_equal(fread(text, 1, (size_t)size, stream), size);
	fclose(stream);
	return text;
}

#endif
