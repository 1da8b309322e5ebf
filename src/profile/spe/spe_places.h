/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SPE_SPE_PLACES_H
#define WPERF_PROFILE_SPE_SPE_PLACES_H

/** What SPE knows of a line or an instruction, to be looked up. */

#include "profile/annotation.h"
#include "profile/spe/spe_list.h"

struct spe_places {
	const struct named_profile *profile;
	enum annotation_kind kind;
	struct spe_list lines, addresses; /* private, sorted for the look-up */
};

#define SPE_PLACES_INIT \
	{               \
	}

/**
 * @profile: with SPE. @filter: NULL for all samples. @kind: lines are those of functions, or of
 * files, whatever the function. @ret: set only on success.
 */
struct error *spe_places_create(const struct named_profile *profile,
				const struct profile_filter *filter, enum annotation_kind kind,
				struct spe_places *ret);
void spe_places_deinit(struct spe_places *places);

/** NULL if there is nothing. @function: of no meaning for lines of files. */
const struct spe_stats *spe_places_line(const struct spe_places *places, uint32_t function,
					uint32_t file, uint32_t line);

/** @address: as frames have it; @module: index. */
const struct spe_stats *spe_places_address(const struct spe_places *places, uint32_t module,
					   uint64_t address);

#endif
