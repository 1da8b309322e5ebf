/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_REPORT_H
#define WPERF_TESTS_BAREMETAL_REPORT_H

/**
 * What came of the tests: a line "ok NAME" each, or "skip NAME: why", or "FAIL NAME: why" for each
 * thing that is wrong; and one with the sums.
 */

#include <stdbool.h>
#include <stdint.h>

struct report {
	const char *name; /* of the test that runs */
	bool has_failed, is_skipped;
	unsigned passed, failed;
};

void report_begin(struct report *report, const char *name);
void report_end(struct report *report);

/** This machine cannot show it; the test does no more. */
void report_skip(struct report *report, const char *why);

/** The last line: "RESULT 3 passed, 0 failed". */
void report_finish(const struct report *report);

/** From @low to @high, both included. @what: says which value it is. */
void report_check(struct report *report, const char *what, uint64_t value, uint64_t low,
		  uint64_t high);

#define EXPECT_WITHIN(report, value, low, high) report_check(report, #value, value, low, high)

/** Each argument is evaluated once. */
#define EXPECT_EQUAL(report, value, wanted)                                                    \
	do {                                                                                   \
		uint64_t expect_wanted = (uint64_t)(wanted);                                   \
		report_check(report, #value, (uint64_t)(value), expect_wanted, expect_wanted); \
	} while (0)

#endif
