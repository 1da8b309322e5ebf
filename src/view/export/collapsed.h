/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_COLLAPSED_H
#define WPERF_VIEW_EXPORT_COLLAPSED_H

/**
 * Collapsed stacks, as flame graph programs read them: one line for each different stack,
 *
 *	thread name;outermost function;...;leaf weight
 *
 * A ';' or a control character of a name becomes '_'. Functions that are known by the same name
 * in several modules are not told apart by the readers.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE for all. @name: of the file, for messages. */
struct error *collapsed_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			      const char *name);

#endif
