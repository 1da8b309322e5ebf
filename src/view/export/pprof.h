/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_PPROF_H
#define WPERF_VIEW_EXPORT_PPROF_H

/**
 * A profile as pprof's profile.proto, compressed: samples of one event, or of all with a value for
 * each, summed up by thread and stack; their number comes first, then their weight. Labels thread,
 * tid and pid. Events of memory have the types of Go's heap profiles: alloc_space, alloc_objects
 * (bytes and allocations), inuse_space (bytes in use at the end; if that was not recorded: at the
 * peak, or at the user's moment). Types of our own are peak_space, moment_space, leak_space and
 * temporary_space. Readers show what is in use first, else what was lost or allocated.
 * Addresses are relative to their modules; all names and lines are there, so that readers need no
 * files.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *pprof_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			  const char *name);

#endif
