/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_NAMELESS_NOTES_H
#define WPERF_REPORT_NOTES_NAMELESS_NOTES_H

/**
 * Which modules have no names, and why: a line and at most one hint for each reason.
 *
 *	note: no symbols for 105 addresses in libLLVM.so.19.1 (55), cc1 (38), ninja (7) and 4 more:
 *no symbols hint: install the package with its debug symbols
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct named_profile;
struct symbolizer;

/** @profile: for code that was made at run time, whose share and runtime say what to do; or NULL.
 *  @is_anonymous: no path is printed. */
struct error *nameless_notes_print(struct symbolizer *symbolizer,
				   const struct named_profile *profile, bool is_anonymous,
				   FILE *stream);

/** The note on parts of debug information that were not read (object/unpack/read_budget.h); 0:
 * none. */
void nameless_notes_print_cut_files(uint64_t num_parts, FILE *stream);

#endif
