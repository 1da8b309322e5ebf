/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_DIFF_REPORT_H
#define WPERF_REPORT_RECORDED_DIFF_REPORT_H

/** How two profiles differ, as text or JSON, and whether any row grew too much. */

#include "base/error.h"
#include "profile/named_profile.h"
#include "report/output.h"
#include "report/recorded/profile_report.h"

#include <stdbool.h>

struct diff_report_request {
	const struct profile_report_request *report; /* without a tree, and with rows of one kind */
	bool has_max_growth;
	double max_growth; /* of the share of any row, in percentage points beyond chance */
};

/**
 * Of the first wanted event that both recordings have. Rows that grew by more than max_growth are
 * printed to standard error; with none of them, that.
 * @ret_grew: are there such rows?
 */
struct error *diff_report_print(const struct diff_report_request *request,
				const struct named_profile *before,
				const struct named_profile *later, struct output *output,
				bool *ret_grew);

#endif
