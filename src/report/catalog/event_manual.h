/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CATALOG_EVENT_MANUAL_H
#define WPERF_REPORT_CATALOG_EVENT_MANUAL_H

/** What events, metrics and groups of metrics mean. */

#include "base/error.h"
#include "report/output.h"

#include <stdbool.h>
#include <stddef.h>

struct event_manual_request {
	const char *const *words; /* "name", "cpu/name", or several joined by commas */
	size_t num_words;
	const char *cpu_name;   /* whose tables are meant, or NULL: the core at hand */
	const char *source;     /* as of --source, which knows the core; or NULL */
	const char *events_dir; /* of tables in files, or NULL */
	bool is_compat;
};

/** A name that nobody has is an error; then nothing is written. */
struct error *event_manual_write(const struct event_manual_request *request,
				 struct output_request output_request);

#endif
