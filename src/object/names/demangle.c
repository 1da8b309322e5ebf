// SPDX-License-Identifier: Apache-2.0

#include "object/names/demangle.h"

#include "base/text/string_builder.h"
#include "object/names/cpp_name_weight.h"
#include "object/names/rust_name_weight.h"
#include "object/names/undecorate.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

// Picks the demangler by the prefix: "?" is Microsoft's (undecorate.c), "_R" Rust's v0 scheme (RFC
// 2603), "_Z" the Itanium C++ ABI, which old Rust names use with a hash at the end, "_GLOBAL__"
// gcc's names for start-up code. The last three are demangled by libiberty.
//
// libiberty has no limit for its output, and names come from files: a short name can print as more
// than any disk holds. So names are weighed first (rust_name_weight.c, cpp_name_weight.c), and
// demangle_append() limits the text. A suffix "@plt" is put back afterwards.

enum {
	MAX_NAME = 4096,
	MAX_CPP_NAME = 1024, // as in libiberty, for the depth of its stack
	// A short name can stand for a very long one, as its parts may be repeated.
	MAX_READABLE = 1 << 16,
	OPTIONS = DMGL_PARAMS | DMGL_ANSI,
};

/** A name while it is printed. */
struct print {
	struct string_builder readable;
	bool is_too_large;
};

static void print_deinit(struct print *print)
{
	string_builder_deinit(&print->readable);
}

static void demangle_append(const char *text, size_t length, void *context)
{
	struct print *print = context;
	if (print->readable.length + length > MAX_READABLE)
		print->is_too_large = true;
	else
		string_builder_append_n(&print->readable, text, length);
}

static const char rust_prefix[] = "_R", cpp_prefix[] = "_Z", startup_prefix[] = "_GLOBAL__";

static bool has_prefix(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool print_cpp(const char *name, struct print *print)
{
	void *parts = NULL;
	print->is_too_large = !cpp_name_is_parseable(name);
	if (print->is_too_large || strlen(name) > MAX_CPP_NAME)
		return false;
	struct demangle_component *tree = cplus_demangle_v3_components(name, OPTIONS, &parts);
	if (tree)
		print->is_too_large = !cpp_name_is_printable(tree, name);
	bool is_done = tree && !print->is_too_large &&
		       cplus_demangle_print_callback(OPTIONS, tree, demangle_append, print);
	free(parts);
	return is_done;
}

/** Code that runs before or after the program, by the first function in its file. */
static bool print_startup(const char *name, struct print *print)
{
	// "_GLOBAL__I_" and "_GLOBAL__D_", with '.' or '$' for the third '_' on some systems.
	const char *kind = name + strlen("_GLOBAL_");
	bool is_before = kind[1] == 'I';
	if (!strchr(".$_", kind[0]) || (!is_before && kind[1] != 'D') || kind[2] != '_')
		return false;
	string_builder_appendf(&print->readable, "global %s keyed to ",
			       is_before ? "constructors" : "destructors");
	const char *function = kind + 3;
	if (has_prefix(function, cpp_prefix))
		return print_cpp(function, print);
	string_builder_append(&print->readable, function);
	return true;
}

static bool print_readable(const char *name, struct print *print)
{
	if (has_prefix(name, rust_prefix)) {
		enum rust_name_weight weight = rust_name_weigh(name);
		print->is_too_large = weight == RUST_NAME_IS_HEAVY;
		return weight == RUST_NAME_IS_LIGHT &&
		       rust_demangle_callback(name, OPTIONS, demangle_append, print);
	}
	if (has_prefix(name, startup_prefix))
		return print_startup(name, print);
	// Old names of Rust are names of C++ with a hash behind; nothing in them is repeated.
	if (rust_demangle_callback(name, OPTIONS, demangle_append, print))
		return true;
	string_builder_clear(&print->readable);
	return print_cpp(name, print);
}

/**
 * Names of C on 32-bit Windows have the size of their arguments behind: "_name@8" (stdcall),
 * "@name@8" (fastcall), "name@@8" (vectorcall). @ret_length: of the name itself; 0: it is none.
 */
static const char *demangle_find_c_name(const char *name, size_t *ret_length)
{
	const char *at = strrchr(name, '@');
	*ret_length = 0;
	if (!at || at == name || !at[1] || at[1 + strspn(at + 1, "0123456789")])
		return name;
	bool is_vectorcall = at[-1] == '@';
	const char *start = name + !is_vectorcall, *end = at - is_vectorcall;
	if ((!is_vectorcall && *name != '_' && *name != '@') || end <= start ||
	    memchr(start, '@', (size_t)(end - start)))
		return name;
	*ret_length = (size_t)(end - start);
	return start;
}

/** The stub of a function has its name with this behind. */
static const char stub_suffix[] = "@plt";

/** A function of C has it before its name, where it is of Arm64EC. */
static const char ec_prefix = '#';

struct error *demangle_within(const char *name, char **ret, bool *ret_is_too_large)
{
	*ret = NULL;
	*ret_is_too_large = false;
	if (name[0] == '?' || name[0] == '.')
		return undecorate(name, UNDECORATE_NAME, ret);
	if (name[0] == ec_prefix && name[1]) {
		*ret = strdup(name + 1);
		return *ret ? NULL : &error_no_memory;
	}
	size_t length = strnlen(name, MAX_NAME + 1);
	size_t c_length;
	const char *c_name = demangle_find_c_name(name, &c_length);
	if (c_length) {
		*ret = strndup(c_name, c_length);
		return *ret ? NULL : &error_no_memory;
	}
	// All schemes that we know begin so; most names of C do not.
	bool may_be_mangled = has_prefix(name, cpp_prefix) || has_prefix(name, rust_prefix) ||
			      has_prefix(name, startup_prefix);
	if (!may_be_mangled || length > MAX_NAME)
		return NULL;
	size_t suffix_length = strlen(stub_suffix);
	bool is_stub =
		length > suffix_length && !strcmp(name + length - suffix_length, stub_suffix);
	_cleanup_free_ char *mangled = strndup(name, is_stub ? length - suffix_length : length);
	if (!mangled)
		return &error_no_memory;
	_cleanup_(print_deinit) struct print print = {.readable = STRING_BUILDER_INIT};
	bool is_done = print_readable(mangled, &print);
	*ret_is_too_large = print.is_too_large;
	if (!is_done || print.is_too_large)
		return NULL;
	if (is_stub)
		string_builder_append(&print.readable, stub_suffix);
	return string_builder_finish(&print.readable, ret);
}

struct error *demangle(const char *name, char **ret)
{
	bool is_too_large;
	return demangle_within(name, ret, &is_too_large);
}
