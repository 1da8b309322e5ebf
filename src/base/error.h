/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_ERROR_H
#define WPERF_BASE_ERROR_H

/**
 * What went wrong, on what, and what to do about it.
 *
 * Everything that can fail returns `struct error *`; NULL is success. The caller owns an error
 * that it gets and either returns it or ends it with error_destroy(). Only cli/ prints errors.
 */

#include "base/cleanup.h"

#include <stdarg.h>

enum error_code {
	ERROR_FAILED, /* the thing could not be done */
	ERROR_USAGE,  /* the words of the command line are wrong */
	ERROR_ABSENT, /* a name that nothing answers to; callers may go on looking */
	ERROR_NO_MEMORY,
};

struct error {
	enum error_code code;
	char *message; /* what and on what; may hold several lines, no final newline */
	char *hint;    /* what to do, or NULL */
};

/** The one error that needs no memory. error_destroy() leaves it alone. */
extern struct error error_no_memory;

struct error *error_create(enum error_code code, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

struct error *error_create_va(enum error_code code, const char *format, va_list args)
	__attribute__((format(printf, 2, 0), returns_nonnull));

/** The message gets ": " and the system's words for @errnum behind it. */
struct error *error_create_errno(int errnum, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/** Add the hint to @err (replacing an earlier one) and return @err. Keeps @err if memory ends. */
struct error *error_with_hint(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/** Accepts NULL. */
void error_destroy(struct error *err);

static inline void error_destroyp(struct error **err)
{
	error_destroy(*err);
}

#endif
