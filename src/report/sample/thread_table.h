/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_THREAD_TABLE_H
#define WPERF_REPORT_SAMPLE_THREAD_TABLE_H

/**
 * Where the time of each thread went: on its core with the GIL and without it, off its core, and of
 * that, waiting for the GIL. Columns that nothing is known of are left out.
 */

#include "session/profile_builder.h"
#include "view/json/json_writer.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct thread_table {
	const struct named_profile *profile;
	const struct thread_times *times;
	bool has_off_cpu;
	uint32_t off_cpu_event;
};

/** Is there anything to say? */
bool thread_table_is_wanted(const struct thread_table *table);

/** @max_rows: 0 for all. */
struct error *thread_table_print(const struct thread_table *table, size_t max_rows,
				 struct table_layout layout, FILE *stream);

/** As an array with an object for each event and thread. */
void thread_table_write_json(const struct thread_table *table, struct json_writer *json);

#endif
