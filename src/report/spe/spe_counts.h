/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SPE_SPE_COUNTS_H
#define WPERF_REPORT_SPE_SPE_COUNTS_H

/** What was counted while SPE sampled, as the report of counts that the peer has beside samples. */

#include "source/sample_plan.h"
#include "view/stat_report.h"

enum { SPE_COUNTS_NUM_EVENTS = 5 };

struct spe_counts {
	struct stat_report report; /* without sections if nothing was counted */
	/* private */
	struct stat_event events[SPE_COUNTS_NUM_EVENTS];
	struct stat_section section;
	struct count_set counts;
};

#define SPE_COUNTS_INIT \
	{               \
	}

/** @counts: must stay where it is, and is ended with spe_counts_deinit(), also after a failure.
 *  @vendor: of the CPU; or NULL. */
struct error *spe_counts_init(struct spe_counts *counts, const struct sample_spe_counts *counted,
			      bool with_kernel, const char *vendor);
void spe_counts_deinit(struct spe_counts *counts);

#endif
