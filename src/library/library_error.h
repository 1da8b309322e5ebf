/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_ERROR_H
#define WPERF_LIBRARY_LIBRARY_ERROR_H

/** The errors of the rooms are those of the library: one object with two names. */

#include "base/error.h"
#include "library/wperf.h"

static inline struct wperf_error *library_error_give(struct error *err)
{
	return (struct wperf_error *)err;
}

static inline const struct error *library_error_of(const struct wperf_error *error)
{
	return (const struct error *)error;
}

/** That the caller has ended it. */
struct error *library_error_cancelled(void);

/** A configuration begins with its size: 0 is one that was not initialised. */
struct error *library_error_of_size(const char *struct_name);

#endif
