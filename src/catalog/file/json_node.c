// SPDX-License-Identifier: Apache-2.0

#include "catalog/file/json_node.h"

#include "base/text/ascii.h"
#include "base/text/number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// A node is an object of the document with the path to it, which grows as the reader descends
// (join_path()). Names in the file are untrusted: on their way into a message they are shortened,
// and other characters than printable ASCII become '?'. Texts that are kept are shown on terminals
// later. One with control characters is refused and not cleaned, as no honest file has any.

struct json_node json_node_root(const char *file, const struct json_value *object)
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

static struct error *wrong_type(const struct json_node *node, const char *key, const char *expected)
{
	static const char *const type_names[] = {
		[JSON_VALUE_OBJECT] = "an object",    [JSON_VALUE_ARRAY] = "an array",
		[JSON_VALUE_STRING] = "a string",     [JSON_VALUE_INTEGER] = "a number",
		[JSON_VALUE_REAL] = "a fraction",     [JSON_VALUE_TRUE] = "a truth value",
		[JSON_VALUE_FALSE] = "a truth value", [JSON_VALUE_NULL] = "null",
	};
	const struct json_value *value = json_value_member(node->object, key);
	if (!value)
		return json_node_error(node, key, "is missing");
	return json_node_error(node, key, "must be %s, not %s", expected, type_names[value->type]);
}

struct error *json_node_object(const struct json_node *node, const char *key, struct json_node *ret)
{
	const struct json_value *value = json_value_member(node->object, key);
	if (!json_value_is(value, JSON_VALUE_OBJECT))
		return wrong_type(node, key, "an object");
	*ret = (struct json_node){.file = node->file, .object = value};
	join_path(node, key, ret->path);
	return NULL;
}

bool json_node_lacks(const struct json_node *node, const char *key)
{
	const struct json_value *value = json_value_member(node->object, key);
	return !value || json_value_is(value, JSON_VALUE_NULL);
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
	const struct json_value *value = json_value_member(node->object, key);
	if (!json_value_is(value, JSON_VALUE_STRING))
		return wrong_type(node, key, "a string");
	const char *text = value->string;
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

static bool json_node_parse_number(const struct json_value *value, uint64_t *ret)
{
	if (json_value_is(value, JSON_VALUE_INTEGER)) {
		if (value->integer < 0)
			return false;
		*ret = (uint64_t)value->integer;
		return true;
	}
	const char *text = value->string;
	size_t length = strlen(text);
	// Not C's base 0: a code is padded with zeros, and that does not make it octal.
	if (text[0] == '0' && ascii_lower(text[1]) == 'x')
		return number_parse_hex(text, length, true, ret) == NUMBER_OK;
	return number_parse_decimal(text, length, ret) == NUMBER_OK;
}

struct error *json_node_u16(const struct json_node *node, const char *key, uint16_t *ret)
{
	const struct json_value *value = json_value_member(node->object, key);
	if (!json_value_is(value, JSON_VALUE_INTEGER) && !json_value_is(value, JSON_VALUE_STRING))
		return wrong_type(node, key, "a number");
	uint64_t number;
	if (json_node_parse_number(value, &number) && number <= UINT16_MAX) {
		*ret = (uint16_t)number;
		return NULL;
	}
	if (json_value_is(value, JSON_VALUE_INTEGER))
		return json_node_error(node, key, "%" PRId64 " is not a 16-bit number",
				       value->integer);
	char printable[JSON_NODE_PRINTABLE_MAX];
	return json_node_error(node, key, "'%s' is not a 16-bit number",
			       json_node_printable(value->string, printable));
}

bool json_node_is_name(const char *text)
{
	static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
					 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t length = strspn(text, characters);
	return length && length <= JSON_NODE_NAME_MAX && !text[length];
}
