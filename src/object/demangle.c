// SPDX-License-Identifier: Apache-2.0

#include "object/demangle.h"

#include "base/string_builder.h"
#include "object/undecorate.h"

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

static bool append_readable(const char *name, struct string_builder *readable)
{
	// Old names of Rust are names of C++ with a hash behind.
	if (rust_demangle_callback(name, OPTIONS, append, readable))
		return true;
	string_builder_deinit(readable);
	return cplus_demangle_v3_callback(name, OPTIONS, append, readable);
}

/** The stub of a function has its name with this behind. */
static const char stub_suffix[] = "@plt";

/** A function of C has it before its name, where it is of Arm64EC. */
static const char ec_prefix = '#';

static struct error *copy(const char *text, char **ret)
{
	*ret = strdup(text);
	return *ret ? NULL : &error_no_memory;
}

struct error *demangle(const char *name, char **ret)
{
	*ret = NULL;
	if (name[0] == '?' || name[0] == '.')
		return undecorate(name, UNDECORATE_NAME, ret);
	if (name[0] == ec_prefix && name[1])
		return copy(name + 1, ret);
	size_t length = strnlen(name, MAX_NAME + 1);
	if (!may_be_mangled(name) || length > MAX_NAME)
		return NULL;
	size_t suffix_length = strlen(stub_suffix);
	bool is_stub =
		length > suffix_length && !strcmp(name + length - suffix_length, stub_suffix);
	_cleanup_free_ char *mangled = strndup(name, is_stub ? length - suffix_length : length);
	if (!mangled)
		return &error_no_memory;
	_cleanup_(string_builder_deinit) struct string_builder readable = STRING_BUILDER_INIT;
	if (!append_readable(mangled, &readable) || readable.length > MAX_READABLE)
		return NULL;
	if (is_stub)
		string_builder_append(&readable, stub_suffix);
	return string_builder_finish(&readable, ret);
}
