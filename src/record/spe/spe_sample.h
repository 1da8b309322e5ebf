/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_SAMPLE_H
#define WPERF_RECORD_SPE_SPE_SAMPLE_H

/** What a record of SPE's makes a sample of, besides who ran and when: the same for all sources. */

#include "record/record.h"

/**
 * @operation: stays where it is as long as the sample is used.
 * @midr:      of its core, or 0.
 * @period:    operations that it stands for.
 */
void spe_sample_set(struct record *ret, const struct spe_record *operation, uint32_t midr,
		    uint64_t period);

/** The thread that its context packets name; UINT32_MAX if there are none. */
uint32_t spe_sample_tid(const struct spe_record *operation);

#endif
