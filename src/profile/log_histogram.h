/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_LOG_HISTOGRAM_H
#define WPERF_PROFILE_LOG_HISTOGRAM_H

/**
 * How often which number came, in buckets that grow with the numbers: below 32 each number has its
 * own, above there are 16 for each doubling. So what a histogram says of a number is wrong by at
 * most 1/32 of it. Memory is that of the buckets between the least and the greatest number, and
 * none as long as there is but one bucket.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct log_histogram {
	union {
		uint64_t *counts; /* of buckets first, first + 1 ... */
		uint64_t count;   /* of the only one: many histograms never have another */
	};
	uint16_t first, num;
};

#define LOG_HISTOGRAM_INIT \
	{                  \
	}

/** The most that a percentile is off, as a part of itself. */
#define LOG_HISTOGRAM_ERROR (1.0 / 32)

struct error *log_histogram_add(struct log_histogram *histogram, uint32_t value);

/** This value will be added soon. */
void log_histogram_prefetch(const struct log_histogram *histogram, uint32_t value);

/** Add all that @other has. */
struct error *log_histogram_merge(struct log_histogram *histogram,
				  const struct log_histogram *other);

uint64_t log_histogram_count(const struct log_histogram *histogram);

/**
 * How many are at least @low and less than @end, which are bounds of buckets: numbers below 32,
 * powers of two.
 */
uint64_t log_histogram_between(const struct log_histogram *histogram, uint64_t low, uint64_t end);

/**
 * The least number that so many percent of all do not exceed, to the middle of its bucket; 0 of an
 * empty histogram.
 */
uint32_t log_histogram_percentile(const struct log_histogram *histogram, double percent);

void log_histogram_deinit(struct log_histogram *histogram);

#endif
