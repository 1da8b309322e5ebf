/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_EVENT_LISTING_H
#define WPERF_REPORT_RECORDED_EVENT_LISTING_H

/** The events of a recording. */

#include "base/error.h"
#include "report/output.h"

#include <stdbool.h>

struct event_listing_request {
	const char *path;
	bool is_default; /* nobody named the file */
	bool is_forced;  /* it may belong to another user */
	bool is_verbose; /* with the attributes of each event */
};

struct error *event_listing_write(const struct event_listing_request *request,
				  struct output_request output_request);

#endif
