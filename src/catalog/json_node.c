// SPDX-License-Identifier: Apache-2.0

#include "catalog/json_node.h"

#include "base/ascii.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct json_node json_node_root(const char *file, json_t *object)
{
	return (struct json_node){.file = file, .object = object};
}

const char *json_node_printable(const char *text, char buffer[JSON_NODE_PRINTABLE_MAX])
{
	size_t i = 0;
	for (; text[i] && i < JSON_NODE_PRINTABLE_MAX - 1; i++)
		buffer[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	buffer[i] = '\0';
	if (text[i])
		memcpy(buffer + i - 3, "...", 3);
	return buffer;
}

static void join_path(const struct json_node *node, const char *key, char path[JSON_NODE_PATH_MAX])
{
	char printable[JSON_NODE_PRINTABLE_MAX];
	snprintf(path, JSON_NODE_PATH_MAX, "%.160s%s%s", node->path,
		 key && node->path[0] ? "." : "", key ? json_node_printable(key, printable) : "");
}

struct error *json_node_error(const struct json_node *node, const char *key, const char *format,
			      ...)
{
	char words[512];
	va_list args;
	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	char path[JSON_NODE_PATH_MAX];
	join_path(node, key, path);
	return error_create(ERROR_FAILED, "%s: %s%s%s", node->file, path, path[0] ? ": " : "",
			    words);
}

static const char *type_name(const json_t *value)
{
	static const char *const names[] = {
		[JSON_OBJECT] = "an object",    [JSON_ARRAY] = "an array",
		[JSON_STRING] = "a string",     [JSON_INTEGER] = "a number",
		[JSON_REAL] = "a fraction",     [JSON_TRUE] = "a truth value",
		[JSON_FALSE] = "a truth value", [JSON_NULL] = "null",
	};
	return names[json_typeof(value)];
}

static struct error *wrong_type(const struct json_node *node, const char *key, const char *expected)
{
	const json_t *value = json_object_get(node->object, key);
	if (!value)
		return json_node_error(node, key, "is missing");
	return json_node_error(node, key, "must be %s, not %s", expected, type_name(value));
}

struct error *json_node_object(const struct json_node *node, const char *key, struct json_node *ret)
{
	json_t *value = json_object_get(node->object, key);
	if (!json_is_object(value))
		return wrong_type(node, key, "an object");
	*ret = (struct json_node){.file = node->file, .object = value};
	join_path(node, key, ret->path);
	return NULL;
}

bool json_node_lacks(const struct json_node *node, const char *key)
{
	const json_t *value = json_object_get(node->object, key);
	return !value || json_is_null(value);
}

// The text ends on somebody's terminal: no escape sequences, neither ESC nor the C1 controls,
// which are C2 80 to C2 9F in UTF-8.
static bool has_controls(const char *text, const char *allowed)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
		if (c == 0x7f || (c == 0xc2 && next >= 0x80 && next <= 0x9f))
			return true;
		if (c < ' ' && !strchr(allowed, c))
			return true;
	}
	return false;
}

static struct error *read_string(const struct json_node *node, const char *key, const char *allowed,
				 struct arena *arena, const char **ret)
{
	const json_t *value = json_object_get(node->object, key);
	if (!json_is_string(value))
		return wrong_type(node, key, "a string");
	const char *text = json_string_value(value);
	if (has_controls(text, allowed))
		return json_node_error(node, key, "has control characters");
	const char *copy = arena_strdup(arena, text);
	if (!copy)
		return &error_no_memory;
	*ret = copy;
	return NULL;
}

struct error *json_node_line(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret)
{
	return read_string(node, key, "", arena, ret);
}

struct error *json_node_text(const struct json_node *node, const char *key, struct arena *arena,
			     const char **ret)
{
	return read_string(node, key, "\n\r\t", arena, ret);
}

static bool parse_number(const json_t *value, uint64_t *ret)
{
	if (json_is_integer(value)) {
		if (json_integer_value(value) < 0)
			return false;
		*ret = (uint64_t)json_integer_value(value);
		return true;
	}
	const char *text = json_string_value(value);
	size_t length = strlen(text);
	// Not C's base 0: a code is padded with zeros, and that does not make it octal.
	if (text[0] == '0' && ascii_lower(text[1]) == 'x')
		return number_parse_hex(text, length, true, ret) == NUMBER_OK;
	return number_parse_decimal(text, length, ret) == NUMBER_OK;
}

struct error *json_node_u16(const struct json_node *node, const char *key, uint16_t *ret)
{
	const json_t *value = json_object_get(node->object, key);
	if (!json_is_integer(value) && !json_is_string(value))
		return wrong_type(node, key, "a number");
	uint64_t number;
	if (parse_number(value, &number) && number <= UINT16_MAX) {
		*ret = (uint16_t)number;
		return NULL;
	}
	if (json_is_integer(value))
		return json_node_error(node, key,
				       "%" JSON_INTEGER_FORMAT " is no number of 16 bits",
				       json_integer_value(value));
	char printable[JSON_NODE_PRINTABLE_MAX];
	return json_node_error(node, key, "'%s' is no number of 16 bits",
			       json_node_printable(json_string_value(value), printable));
}

bool json_node_is_name(const char *text)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t length = strspn(text, characters);
	return length && length <= JSON_NODE_NAME_MAX && !text[length];
}
