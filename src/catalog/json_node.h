/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_JSON_NODE_H
#define WPERF_CATALOG_JSON_NODE_H

/**
 * An object in a JSON file that nobody vouches for, and where in the file it stands, so that
 * every complaint names file and place: `neoverse-n1.json: events.SW_INCR.code: ...`.
 */

#include "base/arena.h"
#include "base/error.h"
#include "base/json_document.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	JSON_NODE_PATH_MAX = 256,
	JSON_NODE_NAME_MAX = 128, /* longest name of an event, a metric or a group */
	JSON_NODE_PRINTABLE_MAX = 80,
};

struct json_node {
	const char *file;
	char path[JSON_NODE_PATH_MAX];   /* "" for the whole file */
	const struct json_value *object; /* borrowed from the document */
};

/** The whole document; @object must be an object, @file and it must outlive the node. */
struct json_node json_node_root(const char *file, const struct json_value *object);

/** An error about the member @key of the node; about the node itself if @key is NULL. */
struct error *json_node_error(const struct json_node *node, const char *key, const char *format,
			      ...) __attribute__((format(printf, 3, 4)));

/** The member @key, which must be an object. */
struct error *json_node_object(const struct json_node *node, const char *key,
			       struct json_node *ret);

/** May the member be passed over: is it missing, or null? */
bool json_node_lacks(const struct json_node *node, const char *key);

/** The member @key, a line of text; a copy in @arena. Control characters are an error. */
struct error *json_node_line(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret);

/** The same, but of many lines. */
struct error *json_node_text(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret);

/** The member @key, a number of 16 bits: an integer, or a string `0x11` or `17`. */
struct error *json_node_u16(const struct json_node *node, const char *key, uint16_t *ret);

/** Is this a name: letters, digits and underscores, 1 to JSON_NODE_NAME_MAX of them? */
bool json_node_is_name(const char *text);

/** @text for a message: no control characters, cut if it is long. Returns @buffer. */
const char *json_node_printable(const char *text, char buffer[JSON_NODE_PRINTABLE_MAX]);

#endif
