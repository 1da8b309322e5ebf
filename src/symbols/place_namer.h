/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_PLACE_NAMER_H
#define WPERF_SYMBOLS_PLACE_NAMER_H

/** Makes the frames of a place that nobody asked for before. */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "profile/named_profile.h"
#include "symbols/function_namer.h"
#include "symbols/known_module.h"
#include "symbols/name_sources.h"
#include "symbols/recorded/recorded_namer.h"

#include <stddef.h>
#include <stdint.h>

/** The function of a symbol: what it is called is worked out once, wherever in it one asks. */
struct symbol_function {
	uint64_t address; /* where the symbol begins */
	uint64_t module;  /* as the profile numbers it */
	uint32_t function;
};

struct place_namer {
	struct name_sources sources;
	struct function_namer functions;
	struct recorded_namer recorded; /* for what the sources do not name */
	struct symbol_function *symbols;
	size_t num_symbols, cap_symbols;
	struct hash_table symbol_index;
	uint32_t *frames; /* all that were made, in order */
	size_t num_frames, cap_frames;
};

/** To be ended with _deinit also after a failure. */
struct error *place_namer_init(struct place_namer *namer, const struct symbolizer_config *config);
void place_namer_deinit(struct place_namer *namer);

/** Is the address in a file, and has no symbol there? @ret: set only if so. */
struct error *place_namer_lacks_symbol(struct place_namer *namer, struct known_module *known,
				       uint64_t address, bool *ret);

/** Appends to the frames, at least one: innermost first. */
struct error *place_namer_add(struct place_namer *namer, struct named_profile *profile,
			      struct known_module *known, uint64_t address);

#endif
