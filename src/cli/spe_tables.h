/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_SPE_TABLES_H
#define WPERF_CLI_SPE_TABLES_H

/** From a profile with samples of SPE to its report. */

#include "cli/output.h"
#include "profile/named_profile.h"
#include "view/spe_report.h"

struct options;

/** What --spe asks for, before anything is read. @ret: set only on success. */
struct error *spe_tables_choose(const struct options *options, enum spe_topic *ret);

/** The report of a topic, as text and JSON as wanted. A profile without SPE is an error. */
struct error *spe_tables_show(const struct options *options, const struct named_profile *profile,
			      enum spe_topic topic, enum hot_key key, struct output *output);

/** Fill a report whose profile (with SPE) and topic are set; spe_tables_deinit() also after a
 * failure. */
struct error *spe_tables_fill(struct spe_report *report, enum hot_key key,
			      const struct profile_filter *filter);
void spe_tables_deinit(struct spe_report *report);

#endif
