/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_SAMPLE_SECONDS_H
#define WPERF_REPORT_SAMPLE_SAMPLE_SECONDS_H

/**
 * "sampling ..e. done!": a mark for each second, '.' if it brought samples, else 'e', as
 * WindowsPerf prints them (--compat). They stand behind the base address, so they are kept until
 * that is known. A zeroed struct has none.
 */

#include "base/text/string_builder.h"
#include "session/sampling.h"

#include <stdint.h>
#include <stdio.h>

struct sample_seconds {
	struct string_builder marks;
	uint64_t num_samples; /* up to the last mark */
};

/** After each round. */
void sample_seconds_note(struct sample_seconds *seconds, const struct sampling_state *state);

void sample_seconds_print(const struct sample_seconds *seconds, FILE *stream);
void sample_seconds_deinit(struct sample_seconds *seconds);

#endif
