/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CATALOG_PROBE_LISTING_H
#define WPERF_REPORT_CATALOG_PROBE_LISTING_H

/** What `list probes` shows: the static probes and functions of a file, as -e takes them. */

#include "report/output.h"

struct probe_listing_request {
	const char *path;
	const char *pattern; /* of names; NULL: all */
	struct output_request output;
};

struct error *probe_listing_write(const struct probe_listing_request *request);

#endif
