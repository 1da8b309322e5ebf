/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_MASSIF_H
#define WPERF_VIEW_EXPORT_MASSIF_H

/**
 * Memory in use over time as the text of valgrind's massif, which ms_print
 * show: a snapshot for each point of the curve, with a tree of callers at the peak (event
 * heap-peak) and at the end (heap).
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. An error for recordings without
 *  memory in use. */
struct error *massif_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			   const char *name);

#endif
