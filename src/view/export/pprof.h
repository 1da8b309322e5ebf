/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_PPROF_H
#define WPERF_VIEW_EXPORT_PPROF_H

/**
 * A profile as pprof's profile.proto, compressed: samples of one event, summed up by thread and
 * stack, with their number and their weight (which is what readers show first); labels thread,
 * tid and pid. Addresses are relative to their modules; all names and lines are there, so that
 * readers need no files.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *pprof_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			  const char *name);

#endif
