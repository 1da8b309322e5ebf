/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_JSON_NODE_H
#define WPERF_CATALOG_FILE_JSON_NODE_H

/**
 * An object in an untrusted JSON file, with its path in the file, so that all errors have both:
 * `neoverse-n1.json: events.SW_INCR.code: ...`.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "base/text/json_document.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	JSON_NODE_PATH_MAX = 256,
	JSON_NODE_NAME_MAX = 128, /* of an event, a metric or a group */
	JSON_NODE_PRINTABLE_MAX = 80,
};

struct json_node {
	const char *file;
	char path[JSON_NODE_PATH_MAX];   /* "" for the whole file */
	const struct json_value *object; /* owned by the document */
};

/** The whole document. @object: of type object. Both must outlive the node. */
struct json_node json_node_root(const char *file, const struct json_value *object);

/** An error about the member @key of the node; about the node itself if @key is NULL. */
struct error *json_node_error(const struct json_node *node, const char *key, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));

/** The member @key, which must be an object. */
struct error *json_node_object(const struct json_node *node, const char *key,
			       struct json_node *ret);

/** Is the member missing or null? */
bool json_node_lacks(const struct json_node *node, const char *key);

/** The member @key: one line of text, copied to @arena. Control characters are an error. */
struct error *json_node_line(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret);

/** The same with any number of lines. */
struct error *json_node_text(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret);

/** The member @key: a 16-bit number, as an integer or a string `0x11` or `17`. */
struct error *json_node_u16(const struct json_node *node, const char *key, uint16_t *ret);

/** Is this a name: letters, digits and underscores, 1 to JSON_NODE_NAME_MAX of them? */
bool json_node_is_name(const char *text);

/** @text for a message: without control characters, shortened. Returns @buffer. */
const char *json_node_printable(const char *text, char buffer[JSON_NODE_PRINTABLE_MAX]);

#endif
