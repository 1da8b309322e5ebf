/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CALLS_CALL_REPORT_H
#define WPERF_REPORT_CALLS_CALL_REPORT_H

/** What `trace` shows: counts of system calls, who calls them, and what is waited for in them. */

#include "report/calls/call_places.h"
#include "report/output.h"
#include "source/calls/call_table.h"

#include <stdbool.h>
#include <stddef.h>

struct call_report {
	const struct call_table *table;
	const struct call_places *places;
	size_t max_rows;  /* of each table of text */
	bool shows_waits; /* as text, instead of the counts; JSON has both */
	bool is_quiet;    /* no notes */
};

/** Tables, JSON, and notes on standard error. */
struct error *call_report_write(const struct call_report *report, struct output_request request);

#endif
