/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_SPEEDSCOPE_H
#define WPERF_VIEW_EXPORT_SPEEDSCOPE_H

/**
 * A profile as speedscope's own JSON: one timeline per thread. speedscope tells frames apart by
 * name, file and line: a frame here is a function with the line of its definition, so that a
 * function is one row there.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *speedscope_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			       const char *name);

#endif
