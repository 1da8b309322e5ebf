/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_WIN_ERROR_H
#define WPERF_BASE_OS_WIN_ERROR_H

/** Windows only: errors with the system's message. */

#include "base/error.h"

/**
 * Appends ": " and the system's message for @code, which is of GetLastError(). Errors that Linux
 * has as well, such as a missing file, have the same words as there. The error's code is
 * ERROR_ABSENT if there is no such file, else ERROR_FAILED.
 */
struct error *win_error(unsigned long code, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

#endif
