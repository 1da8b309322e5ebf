/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_LEVEL_H
#define WPERF_PROFILE_SPE_SPE_LEVEL_H

/**
 * Where the data of a sampled operation came from, the same question for all cores: what the data
 * source of the record says. Where there is none, or the core's numbers are not known, it is what
 * the events leave as the only answer.
 */

#include "record/spe/spe_data_source.h"
#include "record/spe/spe_record.h"

#include <stdbool.h>
#include <stdint.h>

/** An enum spe_distance, or one of these. */
enum spe_level {
	SPE_LEVEL_UNKNOWN = SPE_NUM_DISTANCES, /* of a load */
	SPE_LEVEL_NONE,                        /* no load: there is nothing to know */
	SPE_NUM_LEVELS,
};

struct spe_origin {
	const struct spe_data_source *source; /* NULL: none, or not known */
	uint8_t level;
	bool is_by_events;
};

struct spe_origin spe_origin_of(const struct spe_record *record, uint32_t midr);

/** `L1`, `peer core` ...; `not known`, `no load`. */
const char *spe_level_name(unsigned level);

#endif
