// SPDX-License-Identifier: Apache-2.0

#include "object/names/undecorate.h"

#include "base/text/string_builder.h"
#include "object/names/undecorate_parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Names of Microsoft's C++ compiler have no public specification; this follows LLVM's
// MicrosoftDemangle.cpp and MicrosoftMangle.cpp (clang), and tests/pdb compares with llvm-undname.
//
// A recursive descent parser in four files: this one has the tools (characters, texts, numbers)
// and the entry; undecorate_symbol.c reads a whole symbol, undecorate_name.c names with their
// scopes and templates, undecorate_type.c types and functions, undecorate_special.c what compilers
// make up. One pass reads and prints: each function returns the text of its part, in an arena.
//
// No function checks its callees for failure. undecorate_fail() moves the parser to an empty
// string, so that every loop ends and every other take fails; the caller at the top checks once. A
// name of a few bytes can print as gigabytes, since digits repeat earlier parts that repeat
// others: MAX_TEXT bounds one text, MAX_WRITTEN the sum of all, MAX_DEPTH the recursion.

enum {
	MAX_NAME = 4096,
	MAX_DEPTH = 64,
	// A short name can stand for a very long one, as its parts may be repeated.
	MAX_TEXT = 1 << 16,
	MAX_WRITTEN = 1 << 20,
};

void undecorate_fail(struct undecorate_parser *parser)
{
	parser->failed = true;
	parser->at = ""; // nothing more to be found
}

bool undecorate_take(struct undecorate_parser *parser, const char *text)
{
	size_t length = strlen(text);
	if (strncmp(parser->at, text, length) != 0)
		return false;
	parser->at += length;
	return true;
}

char undecorate_next(struct undecorate_parser *parser)
{
	if (!*parser->at) {
		undecorate_fail(parser);
		return '\0';
	}
	return *parser->at++;
}

const char *undecorate_text(struct undecorate_parser *parser, const char *format, ...)
{
	if (parser->failed)
		return "";
	va_list arguments;
	va_start(arguments, format);
	// Measured first: a text that is too long is refused before any memory is taken for it.
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	parser->num_written += (size_t)length;
	if (length < 0 || length > MAX_TEXT || parser->num_written > MAX_WRITTEN) {
		undecorate_fail(parser);
		return "";
	}
	char *text = arena_alloc(&parser->arena, (size_t)length + 1);
	if (!text) {
		parser->no_memory = true;
		undecorate_fail(parser);
		return "";
	}
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return text;
}

bool undecorate_enter(struct undecorate_parser *parser)
{
	if (++parser->depth > MAX_DEPTH)
		undecorate_fail(parser);
	return !parser->failed;
}

void undecorate_leave(struct undecorate_parser *parser)
{
	parser->depth--;
}

int64_t undecorate_number(struct undecorate_parser *parser)
{
	enum { MAX_DIGITS = 16, BASE = 16 };
	// '0' to '9' are 1 to 10; other numbers have digits from A for 0 to P for 15, and '@'
	// behind.
	bool negative = undecorate_take(parser, "?");
	char c = undecorate_next(parser);
	uint64_t value = 0;
	if (c >= '0' && c <= '9') {
		value = (uint64_t)(c - '0') + 1;
		return negative ? -(int64_t)value : (int64_t)value;
	}
	int num_digits = 0;
	for (; c >= 'A' && c <= 'P' && num_digits < MAX_DIGITS; num_digits++) {
		value = value * BASE + (uint64_t)(c - 'A');
		c = undecorate_next(parser);
	}
	if (c != '@')
		undecorate_fail(parser);
	return (int64_t)(negative ? -value : value);
}

struct error *undecorate(const char *name, enum undecorate_style style, char **ret)
{
	*ret = NULL;
	bool may_be = name[0] == '?' || (name[0] == '.' && name[1] == '?');
	if (!may_be || strnlen(name, MAX_NAME + 1) > MAX_NAME)
		return NULL;
	struct undecorate_parser parser = {.at = name, .style = style};
	const char *text = "";
	if (undecorate_take(&parser, ".")) {
		// ".?AVC@@": how the type is called in what is known of it at run time.
		struct undecorate_type type = undecorate_parse_type(&parser, QUALIFIED_RESULT);
		text = undecorate_text(&parser, "%s `RTTI Type Descriptor Name'",
				       undecorate_declare(&parser, &type, ""));
	} else if (undecorate_take(&parser, "?")) {
		text = undecorate_symbol(&parser);
	}
	if (*parser.at)
		undecorate_fail(&parser); // something else follows
	if (!parser.failed)
		*ret = strdup(text);
	bool no_memory = parser.no_memory || (!parser.failed && !*ret);
	arena_deinit(&parser.arena);
	return no_memory ? &error_no_memory : NULL;
}
