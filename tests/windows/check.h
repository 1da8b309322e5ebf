/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_WINDOWS_CHECK_H
#define WPERF_TESTS_WINDOWS_CHECK_H

/** Checks of programs that run under Wine, where there is no cmocka. All are made, then told. */

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct check_counts {
	unsigned num_checks, num_failed;
};

static inline struct check_counts *check_counts(void)
{
	static struct check_counts counts;
	return &counts;
}

static inline void check_that(bool holds, const char *what, const char *file, int line)
{
	check_counts()->num_checks++;
	if (holds)
		return;
	check_counts()->num_failed++;
	printf("%s:%d: %s\n", file, line, what);
	fflush(stdout);
}

#define check(what) check_that((what), #what, __FILE__, __LINE__)

static inline void check_no_error(struct error *err, const char *what, const char *file, int line)
{
	check_that(!err, err ? err->message : what, file, line);
	error_destroy(err);
}

#define check_works(what) check_no_error((what), #what, __FILE__, __LINE__)

static inline void check_error(struct error *err, const char *words, const char *file, int line)
{
	bool is_there = err && strstr(err->message, words);
	check_that(is_there, err ? err->message : words, file, line);
	error_destroy(err);
}

/** It is an error, with these words in it. */
#define check_fails(what, words) check_error((what), (words), __FILE__, __LINE__)

/** What main() returns. */
static inline int check_report(void)
{
	const struct check_counts *counts = check_counts();
	printf("%u of %u checks hold\n", counts->num_checks - counts->num_failed,
	       counts->num_checks);
	return counts->num_failed > 0;
}

#endif
