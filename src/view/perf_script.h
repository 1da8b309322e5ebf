/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PERF_SCRIPT_H
#define WPERF_VIEW_PERF_SCRIPT_H

/**
 * A profile in the words of `perf script`, which many programs read:
 *
 *	comm pid/tid [cpu] seconds.microseconds: weight event:
 *		address function (module)
 *		...
 *
 * Leaf first, a blank line behind each sample. Samples that were summed up are repeated, because
 * readers count them. An inlined frame has "(inlined)" for its module, as perf writes it; a blank
 * of a path becomes '_', because readers take none.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *perf_script_write(const struct named_profile *profile, uint32_t event, FILE *stream,
				const char *name);

#endif
