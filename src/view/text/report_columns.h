/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_TEXT_REPORT_COLUMNS_H
#define WPERF_VIEW_TEXT_REPORT_COLUMNS_H

/**
 * The many numbers of a page: functions, frames, stacks and samples, each of their members as a
 * packed column in a data block of its own, "wperf-frame-line" for example.
 *
 * To add a column: a getter and a row in report_columns.c, and a reader in
 * view/report_page/report_data.js.
 */

#include "profile/named_profile.h"
#include "view/page/report_page.h"
#include "view/page/report_samples.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_columns {
	const struct named_profile *profile;
	const struct report_samples *samples;
	const uint32_t *string_numbers; /* on the page, by id in the profile */
	const struct report_listing *listings;
	size_t num_listings;
};

/** Whether all was written tells the stream, in the end. */
void report_columns_write(const struct report_columns *columns, FILE *stream);

#endif
