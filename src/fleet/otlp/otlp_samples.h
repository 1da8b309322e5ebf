/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_SAMPLES_H
#define WPERF_FLEET_OTLP_OTLP_SAMPLES_H

/** Reads the samples of one profile of a request into the profile of its batch. */

#include "fleet/otlp/otlp_names.h"

struct otlp_samples {
	struct otlp_names *names;
	uint32_t event;    /* in the profile of the batch */
	uint32_t process;  /* of samples that do not say theirs */
	uint64_t period;   /* what a sample stands for, in the unit of the values; 0: not known */
	bool counts_plain; /* values are numbers of samples */
	bool has_times;    /* each time is a sample, which has the value of the same place */
};

/** @message: the bytes of one sample. */
struct error *otlp_samples_read(const struct otlp_samples *samples, struct reader message);

#endif
