/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_JSON_DOCUMENT_H
#define WPERF_BASE_TEXT_JSON_DOCUMENT_H

/**
 * Reads untrusted JSON (RFC 8259) into a tree of values:
 *
 *	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
 *	struct error *err = json_document_parse(&document, "a.json", map.data, map.size);
 *	...
 *	const struct json_value *title = json_value_member(document.root, "title");
 *
 * Stricter than the RFC where it leaves a choice. Errors are: a name that an object has twice,
 * U+0000 (strings end with NUL), unpaired surrogates, integers of more than 64 bits, and fractions
 * that are out of the range of a double. A byte order mark is skipped.
 */

#include "base/container/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	JSON_DOCUMENT_MAX_BYTES = 16 << 20,
	JSON_DOCUMENT_MAX_DEPTH = 256, /* of nested arrays and objects */
};

enum json_value_type {
	JSON_VALUE_NULL,
	JSON_VALUE_FALSE,
	JSON_VALUE_TRUE,
	JSON_VALUE_INTEGER, /* without fraction and exponent */
	JSON_VALUE_REAL,
	JSON_VALUE_STRING,
	JSON_VALUE_ARRAY,
	JSON_VALUE_OBJECT,
};

struct json_member;

struct json_value {
	enum json_value_type type;
	uint32_t num_items; /* of an array, members of an object */
	union {
		int64_t integer;
		double real;
		const char *string; /* UTF-8 */
		const struct json_value *items;
		struct {
			const struct json_member *members; /* in their order in the text */
			const struct json_member *const *members_by_name;
		};
	};
};

struct json_member {
	const char *name; /* UTF-8 */
	struct json_value value;
};

struct json_document {
	struct arena arena; /* holds the values */
	const struct json_value *root;
};

#define JSON_DOCUMENT_INIT \
	{                  \
	}

/**
 * @document: JSON_DOCUMENT_INIT; it owns the values, which do not refer to @data. After an error it
 *            has no root.
 * @name:     the beginning of errors: "a.json: line 3, column 7: expected ':', found '}'".
 *            Lines and columns begin with 1; columns are characters.
 * @data:     may be NULL if @size is 0.
 */
struct error *json_document_parse(struct json_document *document, const char *name,
				  const void *data, size_t size);
void json_document_deinit(struct json_document *document);

/** The member of that name; NULL if there is none, or if @value is NULL or not an object. */
const struct json_value *json_value_member(const struct json_value *value, const char *name);

/** Is there a value, and is it of that type? */
static inline bool json_value_is(const struct json_value *value, enum json_value_type type)
{
	return value && value->type == type;
}

#endif
