/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_CALL_SUMS_H
#define WPERF_REPORT_CALLS_CALL_SUMS_H

/** The kernel counts system calls by thread: here those of each call are summed up. */

#include "base/error.h"
#include "source/calls/call_table.h"

#include <stddef.h>

/** All threads of a call. */
struct call_sum {
	char name[48];
	struct call_row all;
	size_t first, num; /* of the sorted rows */
};

struct call_sums {
	struct call_row *rows;  /* of the table, by call */
	struct call_sum *items; /* the call with the most time first */
	size_t num_items;
};

/** @sums: ended with call_sums_deinit() also after a failure. */
struct error *call_sums_init(struct call_sums *sums, const struct call_table *table);
void call_sums_deinit(struct call_sums *sums);

#endif
