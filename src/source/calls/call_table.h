/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_CALLS_CALL_TABLE_H
#define WPERF_SOURCE_CALLS_CALL_TABLE_H

/** Exact counts and times of system calls, by thread and call: what source `calls` counts. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { CALL_ROW_BUCKETS = 40 };

struct call_row {
	uint32_t pid, tid;
	uint32_t number;
	bool is_foreign;    /* of another ABI, as of 32-bit programs */
	const char *name;   /* "read"; NULL: wperf does not know this number, or it is foreign */
	uint64_t num_calls; /* that have returned */
	uint64_t num_errors;
	uint64_t num_unreturned; /* the thread, or the measurement, ended in them */
	uint64_t unreturned_ns;  /* how long those took that the measurement's end interrupted */
	uint64_t total_ns, max_ns;
	uint64_t waited_ns; /* off the CPU, without being preempted */
	uint64_t
		histogram[CALL_ROW_BUCKETS]; /* [n]: calls of 2^n to 2^(n+1) ns; the last: longer */
};

struct call_table {
	struct call_row *rows;
	size_t num_rows, cap_rows;
	uint64_t num_lost;         /* calls that are in no row */
	uint64_t num_lost_samples; /* that do not show who called */
};

#define CALL_TABLE_INIT \
	{               \
	}

static inline void call_table_deinit(struct call_table *table)
{
	free(table->rows);
	*table = (struct call_table)CALL_TABLE_INIT;
}

#endif
