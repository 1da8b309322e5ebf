/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_STRING_BUILDER_H
#define WPERF_BASE_TEXT_STRING_BUILDER_H

/**
 * A growing string. Appending returns no error: without memory, the builder sets @failed, ignores
 * what follows, and string_builder_finish() returns the error.
 *
 *	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
 *	string_builder_append(&text, "core ");
 *	string_builder_appendf(&text, "%u", core);
 *	return string_builder_finish(&text, ret);
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct string_builder {
	char *text; /* ends with NUL; NULL if nothing was appended */
	size_t length;
	size_t capacity;
	bool failed;
};

#define STRING_BUILDER_INIT \
	{                   \
	}

void string_builder_append(struct string_builder *builder, const char *text);
void string_builder_append_n(struct string_builder *builder, const char *text, size_t length);
void string_builder_append_char(struct string_builder *builder, char c);
void string_builder_appendf(struct string_builder *builder, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * Transfer the text to the caller, who frees it; the builder is empty then.
 * @ret: set only on success; an empty builder gives "".
 */
struct error *string_builder_finish(struct string_builder *builder, char **ret);

/** The text so far, never NULL; valid until the builder changes. */
const char *string_builder_peek(const struct string_builder *builder);

/** Empty it, and keep its memory for the next text. @failed is unchanged. */
void string_builder_clear(struct string_builder *builder);

void string_builder_deinit(struct string_builder *builder);

#endif
