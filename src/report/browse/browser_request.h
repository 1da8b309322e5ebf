/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_BROWSE_BROWSER_REQUEST_H
#define WPERF_REPORT_BROWSE_BROWSER_REQUEST_H

/** What of a profile is browsed, and where its source is. */

#include "profile/hot/hot_list.h"
#include "report/recorded/sample_choice.h"

#include <stdbool.h>

struct symbol_path;

struct report_browser_request {
	struct sample_choice choice;
	enum hot_order order;
	double min_percent;   /* of branches */
	bool has_min_percent; /* of rows, too */
	const char *sysroots; /* ":" between them; or NULL */
	struct symbol_path *symbol_path;
};

#endif
