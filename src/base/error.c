// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"

#include <stdio.h>
#include <string.h>

// The message is formatted at once, since what it names may be gone when it is printed. Without
// memory for it there is still an error to return: error_no_memory, which is constant and never
// freed.

struct error error_no_memory = {.code = ERROR_NO_MEMORY, .message = (char *)"out of memory"};

// Not vasprintf(): Windows has none.
static char *format_text(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		return NULL;
	char *text = malloc((size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

struct error *error_create_va(enum error_code code, const char *format, va_list args)
{
	char *message = format_text(format, args);
	struct error *err = message ? calloc(1, sizeof(*err)) : NULL;
	if (!err) {
		free(message);
		return &error_no_memory;
	}
	err->code = code;
	err->message = message;
	return err;
}

struct error *error_create(enum error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct error *err = error_create_va(code, format, args);
	va_end(args);
	return err;
}

struct error *error_create_errno(int errnum, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	_cleanup_free_ char *what = format_text(format, args);
	va_end(args);
	if (!what)
		return &error_no_memory;
	return error_create(ERROR_FAILED, "%s: %s", what, strerror(errnum));
}

struct error *error_with_hint(struct error *err, const char *format, ...)
{
	if (err == &error_no_memory)
		return err;
	va_list args;
	va_start(args, format);
	char *hint = format_text(format, args);
	va_end(args);
	if (hint) {
		free(err->hint);
		err->hint = hint;
	}
	return err;
}

struct error *error_with_command(struct error *err, const char *command)
{
	if (err != &error_no_memory)
		err->command = command;
	return err;
}

void error_destroy(struct error *err)
{
	if (!err || err == &error_no_memory)
		return;
	free(err->message);
	free(err->hint);
	free(err);
}
