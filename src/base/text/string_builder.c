// SPDX-License-Identifier: Apache-2.0

#include "base/text/string_builder.h"

#include "base/container/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// @text has room for a NUL at any time, but may be NULL as long as nothing was appended.
// vsnprintf() runs twice, for the length and for the text, as its arguments can be read only once
// each.

// Room for @length more characters and the NUL; false: the builder has failed.
static bool string_builder_reserve(struct string_builder *builder, size_t length)
{
	size_t needed;
	if (builder->failed || __builtin_add_overflow(builder->length, length, &needed) ||
	    __builtin_add_overflow(needed, 1, &needed)) {
		builder->failed = true;
		return false;
	}
	struct error *err = array_reserve(&builder->text, &builder->capacity, needed);
	builder->failed = err != NULL;
	error_destroy(err);
	return !builder->failed;
}

void string_builder_append(struct string_builder *builder, const char *text)
{
	string_builder_append_n(builder, text, strlen(text));
}

void string_builder_append_n(struct string_builder *builder, const char *text, size_t length)
{
	if (!string_builder_reserve(builder, length))
		return;
	if (length)
		memcpy(builder->text + builder->length, text, length);
	builder->length += length;
	builder->text[builder->length] = '\0';
}

void string_builder_append_char(struct string_builder *builder, char c)
{
	string_builder_append_n(builder, &c, 1);
}

void string_builder_appendf(struct string_builder *builder, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		builder->failed = true;
	else if (string_builder_reserve(builder, (size_t)length)) {
		vsnprintf(builder->text + builder->length, (size_t)length + 1, format, args);
		builder->length += (size_t)length;
	}
	va_end(args);
}

struct error *string_builder_finish(struct string_builder *builder, char **ret)
{
	// Even an empty text needs its NUL.
	if (!string_builder_reserve(builder, 0)) {
		string_builder_deinit(builder);
		return &error_no_memory;
	}
	builder->text[builder->length] = '\0';
	*ret = take_ptr(builder->text);
	string_builder_deinit(builder);
	return NULL;
}

const char *string_builder_peek(const struct string_builder *builder)
{
	return builder->text ? builder->text : "";
}

void string_builder_clear(struct string_builder *builder)
{
	builder->length = 0;
	if (builder->text)
		builder->text[0] = '\0';
}

void string_builder_deinit(struct string_builder *builder)
{
	free(builder->text);
	*builder = (struct string_builder)STRING_BUILDER_INIT;
}
