/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SPE_SPE_TABLES_H
#define WPERF_REPORT_SPE_SPE_TABLES_H

/** From a profile with samples of SPE to its report. */

#include "profile/named_profile.h"
#include "report/recorded/sample_choice.h"
#include "view/spe_report.h"

#include <stdio.h>

struct spe_choice {
	enum spe_topic topic;
	enum hot_key key; /* of its rows of places */
	struct sample_choice samples;
	uint32_t max_rows; /* of each table, 0 for all */
};

/** The report, as text, and as the member "spe" of an object that has begun; each may be NULL. A
 *  profile without SPE is an error. */
struct error *spe_tables_write(const struct spe_choice *choice, const struct named_profile *profile,
			       FILE *text, struct json_writer *json);

/** Fill a report whose profile (with SPE) and topic are set; spe_tables_deinit() also after a
 * failure. */
struct error *spe_tables_fill(struct spe_report *report, enum hot_key key,
			      const struct profile_filter *filter);
void spe_tables_deinit(struct spe_report *report);

#endif
