/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_FIREFOX_H
#define WPERF_VIEW_EXPORT_FIREFOX_H

/**
 * A profile as the processed JSON of the Firefox Profiler, version 66 (later ones read it), one
 * track per thread. A sample weighs there as many samples as it stands for: the profiler knows no
 * weights of events.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *firefox_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			    const char *name);

#endif
