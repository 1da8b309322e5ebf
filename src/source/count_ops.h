/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_COUNT_OPS_H
#define WPERF_SOURCE_COUNT_OPS_H

/**
 * How a source counts. open() prepares events and counters. Start and stop may be called
 * repeatedly. Read returns the counts since the last reset, complete up to the stop; it may also be
 * called while counting. close() ends it, and so does the close() of the source.
 */

#include "base/error.h"
#include "profile/values/value_counts.h"
#include "source/driver/count_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_data_event;
struct source;

struct count_ops {
	struct error *(*open)(struct source *source, const struct count_plan *plan);
	struct error *(*start)(struct source *source);
	struct error *(*stop)(struct source *source);
	struct error *(*reset)(struct source *source);
	/** @ret: empty, or an earlier result, whose memory is used again. */
	struct error *(*read)(struct source *source, struct source_counts *ret);
	/** Values of probes, summed up since the last reset. @ret: empty before. The member is NULL
	 * if there never are any. */
	struct error *(*read_values)(struct source *source, struct value_counts *ret);
	void (*close)(struct source *source);
	/** Without the column's group, which it leads, or with it again: at once, and at the next
	 *  start(). NULL: all of them are started and stopped together. */
	struct error *(*switch_group)(struct source *source, size_t column, bool is_on);
	/** The column's event as perf.data has it. NULL: it has none. */
	void (*event)(struct source *source, size_t column, struct perf_data_event *ret);
	bool reads_while_counting; /* such reads are complete, too */
	bool counts_cgroups;       /* plans may have control groups */
	bool counts_all_levels;    /* user and kernel code together: plans always have `kernel` */

	/**
	 * A caveat about a column of EVENT_PERF for the user, valid until close(); or NULL.
	 * The member is NULL if there are none.
	 */
	const char *(*note)(struct source *source, size_t column);

	/** After open(): is this machine unable to count that column? NULL: never. */
	bool (*absent)(struct source *source, size_t column);

	/** The n-th counted core that is offline now; false after the last. */
	bool (*lost_core)(struct source *source, size_t n, uint32_t *ret_core);

	/** The name of the n-th unit, a process or thread; or NULL. */
	const char *(*unit_name)(struct source *source, size_t unit);
};

#endif
