/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_FUNCTION_FILLER_H
#define WPERF_SYMBOLS_FUNCTION_FILLER_H

/** The lines of functions in which no sample was taken, for who has to know of code that is cold.
 */

#include "symbols/place_namer.h"

/**
 * Adds a stack without callers and without samples for each piece of code of the function around a
 * place: of which line it is, and what is inlined there. Nothing if that is not known.
 * @address: as the module's kind says.
 * @done: up to where the module's code was added before, among the symbols of its file; moved on.
 * To be called by where the functions begin, the first one with 0.
 */
struct error *function_filler_add(struct place_namer *namer, struct named_profile *profile,
				  struct known_module *known, uint64_t address, uint64_t *done);

/** Where the function around a place begins, among the symbols of its file. False: not known. */
bool function_filler_find(const struct known_module *known, uint64_t address, uint64_t *ret);

#endif
