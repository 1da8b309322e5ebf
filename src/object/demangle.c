// SPDX-License-Identifier: Apache-2.0

#include "object/demangle.h"

#include "base/string_builder.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <string.h>

enum {
	MAX_NAME = 4096,
	// A short name can stand for a very long one, as its parts may be repeated.
	MAX_READABLE = 1 << 16,
	OPTIONS = DMGL_PARAMS | DMGL_ANSI,
};

static void append(const char *text, size_t length, void *builder)
{
	struct string_builder *readable = builder;
	if (readable->length <= MAX_READABLE)
		string_builder_append_n(readable, text, length);
}

/** All schemes that we know begin so; most names of C do not. */
static bool may_be_mangled(const char *name)
{
	return !strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || !strncmp(name, "_GLOBAL__", 9);
}

struct error *demangle(const char *name, char **ret)
{
	*ret = NULL;
	if (!may_be_mangled(name) || strnlen(name, MAX_NAME + 1) > MAX_NAME)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder readable = STRING_BUILDER_INIT;
	// Old names of Rust are names of C++ with a hash behind.
	bool known = rust_demangle_callback(name, OPTIONS, append, &readable);
	if (!known) {
		string_builder_deinit(&readable);
		known = cplus_demangle_v3_callback(name, OPTIONS, append, &readable);
	}
	if (!known || readable.length > MAX_READABLE)
		return NULL;
	return string_builder_finish(&readable, ret);
}
