/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_SAMPLE_PROGRESS_H
#define WPERF_REPORT_SAMPLE_SAMPLE_PROGRESS_H

/** The line that says how sampling goes: on standard error, and only if that is a terminal. */

#include "session/sampling.h"

#include <stdbool.h>

struct sample_progress {
	bool is_shown;
	uint32_t frequency; /* that was asked for; 0: none */
	uint64_t shown_ns;
};

/** @is_wanted: else nothing is shown, on no terminal. */
struct sample_progress sample_progress_create(bool is_wanted, uint32_t frequency);

/** At most some times a second. */
void sample_progress_show(struct sample_progress *progress, const struct sampling *sampling);

/** Take the line away. */
void sample_progress_end(const struct sample_progress *progress);

#endif
