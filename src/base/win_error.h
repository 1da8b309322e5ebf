/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_WIN_ERROR_H
#define WPERF_BASE_WIN_ERROR_H

/** Windows only: errors with the system's own words. */

#include "base/error.h"

/**
 * The message gets ": " and the system's words for @code, as GetLastError() gives it, behind it;
 * what Linux knows as well, a file that is missing for example, in the words that it has there.
 * ERROR_ABSENT if the code says that there is no such file, else ERROR_FAILED.
 */
struct error *win_error(unsigned long code, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

#endif
