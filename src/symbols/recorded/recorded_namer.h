/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_RECORDED_RECORDED_NAMER_H
#define WPERF_SYMBOLS_RECORDED_RECORDED_NAMER_H

/** Puts the names that a recording brought along into a profile. */

#include "symbols/function_namer.h"
#include "symbols/known_module.h"
#include "symbols/recorded/recorded_names.h"

struct recorded_namer {
	uint8_t *bytes;
	struct recorded_names *names; /* NULL: it brought none */
	uint32_t *functions; /* of the profile + 1, by number in the file; 0: not asked for */
};

/**
 * @bytes: copied; none if the recording has no names.
 * To be ended with _deinit also after a failure.
 */
struct error *recorded_namer_init(struct recorded_namer *namer, const uint8_t *bytes, size_t size);
void recorded_namer_deinit(struct recorded_namer *namer);

/** NULL: not named. */
const struct recorded_place *recorded_namer_find(const struct recorded_namer *namer,
						 const struct known_module *known,
						 uint64_t address);

/** The function of a frame of such a place. */
struct error *recorded_namer_function(struct recorded_namer *namer,
				      struct function_namer *functions,
				      struct named_profile *profile,
				      const struct known_module *known, uint32_t function,
				      uint32_t *ret);

#endif
