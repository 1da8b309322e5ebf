/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_ERROR_H
#define WPERF_BASE_ERROR_H

/**
 * What went wrong, on what, and what to do about it.
 *
 * Everything that can fail returns `struct error *`; NULL is success. The caller owns an error
 * that it gets, and either returns it or frees it with error_destroy(). Only cli/ prints errors.
 */

#include "base/cleanup.h"

#include <stdarg.h>

enum error_code {
	ERROR_FAILED, /* anything else */
	ERROR_USAGE,  /* the command line is wrong */
	ERROR_ABSENT, /* nothing has this name; callers may look elsewhere */
	ERROR_NO_MEMORY,
	ERROR_LATE,      /* it took longer than the caller allows */
	ERROR_CANCELLED, /* the caller no longer wants it */
};

struct error {
	enum error_code code;
	char *message;       /* what failed, on what; may have several lines, no final newline */
	char *hint;          /* what to do, or NULL */
	const char *command; /* of a shell, a constant: mends it; or NULL */
};

/** The only error that is not allocated. error_destroy() does nothing with it. */
extern struct error error_no_memory;

struct error *error_create(enum error_code code, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

struct error *error_create_va(enum error_code code, const char *format, va_list args)
	__attribute__((format(printf, 2, 0), returns_nonnull));

/** Appends ": " and the text of strerror() to the message. */
struct error *error_create_errno(int errnum, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/** Replace the hint of @err and return @err; without memory, @err is unchanged. */
struct error *error_with_hint(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/** @command: a constant, kept as it is. `detect` and `setup` print it. */
struct error *error_with_command(struct error *err, const char *command)
	__attribute__((returns_nonnull));

/** Accepts NULL. */
void error_destroy(struct error *err);

static inline void error_destroyp(struct error **err)
{
	error_destroy(*err);
}

#endif
