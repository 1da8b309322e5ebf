/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMES_UNDECORATE_PARSER_H
#define WPERF_OBJECT_NAMES_UNDECORATE_PARSER_H

/**
 * Within undecorate*.c: a walk over a decorated name. What is not understood makes it fail for
 * good: each function then gives empty texts and moves nothing. Texts live as long as the parser.
 */

#include "base/container/arena.h"
#include "object/names/undecorate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Words that stand behind what they are about. */
enum undecorate_qualifier {
	QUALIFIER_CONST = 1,
	QUALIFIER_VOLATILE = 2,
	QUALIFIER_RESTRICT = 4,
	QUALIFIER_UNALIGNED = 8,
};

enum undecorate_shape { SHAPE_PLAIN, SHAPE_ARRAY, SHAPE_FUNCTION };

/** A type around the name of what is of it: "int (*" and ")(char)". */
struct undecorate_type {
	enum undecorate_shape shape;
	const char *before, *after;
	/* Of a function: how it is called, what it returns, and its parameters with what follows.
	 */
	const char *convention, *result, *list;
	unsigned
		qualifiers; /* to be written behind @before; of arrays they are those of elements */
	bool is_pointer;
};

enum { UNDECORATE_MAX_REFERENCES = 10 };

/** What later parts may refer to by a digit. */
struct undecorate_references {
	const char *names[UNDECORATE_MAX_REFERENCES];
	size_t num_names;
	struct undecorate_type types[UNDECORATE_MAX_REFERENCES];
	size_t num_types;
};

struct undecorate_parser {
	const char *at;
	enum undecorate_style style;
	bool failed, no_memory;
	unsigned depth;
	struct undecorate_references references;
	struct arena arena;
	size_t num_written; /* characters, which are limited */
};

/** Moves over @text if it stands there. */
bool undecorate_take(struct undecorate_parser *parser, const char *text);
/** Moves over a character and gives it; fails at the end. */
char undecorate_next(struct undecorate_parser *parser);
void undecorate_fail(struct undecorate_parser *parser);
/** As printf(); "" if the parser failed. */
const char *undecorate_text(struct undecorate_parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** Nested parts are counted, so that a name cannot make us call ourselves forever. */
bool undecorate_enter(struct undecorate_parser *parser);
void undecorate_leave(struct undecorate_parser *parser);

/** "0" is 1, "9" is 10, others are of digits A to P up to a "@". */
int64_t undecorate_number(struct undecorate_parser *parser);

/* undecorate_name.c */

/** What a name is, besides its text. */
struct undecorate_name {
	const char *text;   /* with all scopes */
	const char *scopes; /* only those, "ns::C::", or "" */
	bool is_conversion; /* text lacks the type, which is what the function returns */
};

struct undecorate_name undecorate_symbol_name(struct undecorate_parser *parser);
const char *undecorate_type_name(struct undecorate_parser *parser);
/** The same without the scopes behind it. */
const char *undecorate_plain_type_name(struct undecorate_parser *parser);
/** The scopes that follow a name, outermost first, each with "::" behind; up to their end. */
const char *undecorate_scopes(struct undecorate_parser *parser);

/* undecorate_type.c */

enum undecorate_qualified {
	QUALIFIED_NOT,    /* no qualifiers are said */
	QUALIFIED_ALWAYS, /* first come qualifiers */
	QUALIFIED_RESULT, /* only behind a "?" */
};

struct undecorate_type undecorate_parse_type(struct undecorate_parser *parser,
					     enum undecorate_qualified qualified);
/** @is_member: it says what its object is like. A function that returns nothing has @before "". */
struct undecorate_type undecorate_parse_function(struct undecorate_parser *parser, bool is_member);
/** The type around @name. */
const char *undecorate_declare(struct undecorate_parser *parser, const struct undecorate_type *type,
			       const char *name);
unsigned undecorate_qualifiers(struct undecorate_parser *parser);
const char *undecorate_convention(struct undecorate_parser *parser);

/* undecorate_symbol.c */

/** A whole name behind its first "?". */
const char *undecorate_symbol(struct undecorate_parser *parser);

/* undecorate_special.c */

/** Is it one of those that the compiler makes by itself? */
bool undecorate_special(struct undecorate_parser *parser, const char **ret);
/** Behind the name of a symbol: what it is. */
const char *undecorate_encoding(struct undecorate_parser *parser,
				const struct undecorate_name *name);

#endif
