/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_JSON_DOCUMENT_H
#define WPERF_BASE_JSON_DOCUMENT_H

/**
 * A JSON text (RFC 8259) from anywhere, read into a tree of values:
 *
 *	_cleanup_(json_document_deinit) struct json_document document = JSON_DOCUMENT_INIT;
 *	struct error *err = json_document_parse(&document, "a.json", map.data, map.size);
 *	...
 *	const struct json_value *title = json_value_member(document.root, "title");
 *
 * Stricter than the RFC where a reader may choose: a name that is twice in an object is an error,
 * so are U+0000 (texts end with NUL), halves of surrogate pairs, whole numbers of more than
 * 64 bits and fractions that no double can hold. A byte order mark is passed over.
 */

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	JSON_DOCUMENT_MAX_BYTES = 16 << 20,
	JSON_DOCUMENT_MAX_DEPTH = 256, /* arrays and objects within each other */
};

enum json_value_type {
	JSON_VALUE_NULL,
	JSON_VALUE_FALSE,
	JSON_VALUE_TRUE,
	JSON_VALUE_INTEGER, /* written without fraction and exponent */
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
			const struct json_member *members; /* as they are written */
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
 * @document: as JSON_DOCUMENT_INIT made it; its values live as long as it does, and do not need
 *            @data any more. Without root if the text is refused.
 * @name:     what errors begin with: "a.json: line 3, column 7: expected ':', found '}'".
 *            Lines and columns count from 1, columns are characters.
 * @data:     may be NULL if @size is 0.
 */
struct error *json_document_parse(struct json_document *document, const char *name,
				  const void *data, size_t size);
void json_document_deinit(struct json_document *document);

/** The member of that name; NULL if there is none, or if @value is no object or NULL. */
const struct json_value *json_value_member(const struct json_value *value, const char *name);

/** Is there a value, and is it of that type? */
static inline bool json_value_is(const struct json_value *value, enum json_value_type type)
{
	return value && value->type == type;
}

#endif
