/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_JSON_SCANNER_H
#define WPERF_BASE_TEXT_JSON_SCANNER_H

/**
 * Reads the tokens of a JSON text: strings, numbers, words. base/text/json_document.c, its only
 * user, makes arrays and objects of them.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "base/text/json_document.h"

struct json_scanner {
	const char *name; /* of the file, for errors */
	const char *text, *end;
	const char *next;
	struct arena *arena; /* holds the strings */
};

/** An error about the character at @place. */
struct error *json_scanner_error(const struct json_scanner *scanner, const char *place,
				 const char *format, ...) __attribute__((format(printf, 3, 4)));

/** The error that the next token is not what was @expected. */
struct error *json_scanner_unexpected(const struct json_scanner *scanner, const char *expected);

void json_scanner_skip_blanks(struct json_scanner *scanner);

/** The next character that is not a blank; NUL at the end. */
char json_scanner_peek(struct json_scanner *scanner);

/** If the next character after blanks is @c, skip it and return true. */
bool json_scanner_accept(struct json_scanner *scanner, char c);

/** The string whose opening quote is next. */
struct error *json_scanner_string(struct json_scanner *scanner, const char **ret);

/** The number that is next: an integer or a real. */
struct error *json_scanner_number(struct json_scanner *scanner, struct json_value *ret);

/** The next word: true, false or null; an error if it is none of them. */
struct error *json_scanner_word(struct json_scanner *scanner, struct json_value *ret);

#endif
