/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CATALOG_CATALOG_LISTING_H
#define WPERF_REPORT_CATALOG_CATALOG_LISTING_H

/** What `list` shows: the events, metrics and groups of a session, or a part of them. */

#include "report/output.h"
#include "session/session.h"

#include <stdbool.h>

struct catalog_listing_request {
	const char *word; /* a pattern of names, or perf's word for a part (hw, cache, metric ...);
			     NULL: everything */
	bool knows_parts; /* else any word is a pattern */
	bool is_verbose;  /* all columns */
	bool has_empty_tables;
	struct output_request output;
};

/** Are events of the hardware among what is listed? */
bool catalog_listing_has_hardware(const struct catalog_listing_request *request);

/** @session: its catalogue gets the tracepoints if they were asked for. */
struct error *catalog_listing_write(const struct catalog_listing_request *request,
				    struct session *session);

#endif
