/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_AUTOFDO_H
#define WPERF_VIEW_EXPORT_AUTOFDO_H

/**
 * The sample profile of LLVM as text, which clang -fprofile-sample-use and llvm-profdata read. It
 * is of one module, that with the most samples, and of its functions with lines; without any of
 * them it is an error.
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdio.h>

/** @event: NAMED_NONE is an error if there are several. @name: of the file, for messages. */
struct error *autofdo_write(const struct named_profile *profile, uint32_t event, FILE *stream,
			    const char *name);

#endif
