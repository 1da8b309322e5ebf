// SPDX-License-Identifier: Apache-2.0

#include "base/text/json_document.h"

#include "base/container/array.h"
#include "base/text/json_scanner.h"

#include <stdlib.h>
#include <string.h>

// Recursive descent with a limit of depth. How many items an array has is known only at its end:
// values are collected on one stack (`pending`), and copied into arena memory of the right size
// when their container ends. Members are sorted by name for look-ups and for finding a name that
// occurs twice, which the RFC leaves open and parsers treat differently.

/** A value of an array or an object that has not come to its end. */
struct pending {
	const char *place; /* of a member's name */
	struct json_member member;
};

struct parser {
	struct json_scanner scanner;
	unsigned depth;
	struct pending *pending; /* of the outermost array or object first */
	size_t num_pending, cap_pending;
};

static void json_document_parser_deinit(struct parser *parser)
{
	free(parser->pending);
}

static struct error *json_document_parse_value(struct parser *parser, struct json_value *ret);

static struct error *parse_pending(struct parser *parser, struct pending item)
{
	struct error *err = json_document_parse_value(parser, &item.member.value);
	if (!err)
		err = array_reserve(&parser->pending, &parser->cap_pending,
				    parser->num_pending + 1);
	if (err)
		return err;
	parser->pending[parser->num_pending++] = item;
	return NULL;
}

static struct error *json_document_parse_item(struct parser *parser)
{
	return parse_pending(parser, (struct pending){});
}

static struct error *json_document_parse_member(struct parser *parser)
{
	if (json_scanner_peek(&parser->scanner) != '"')
		return json_scanner_unexpected(&parser->scanner, "a name in quotes");
	struct pending member = {.place = parser->scanner.next};
	struct error *err = json_scanner_string(&parser->scanner, &member.member.name);
	if (err)
		return err;
	if (!json_scanner_accept(&parser->scanner, ':'))
		return json_scanner_unexpected(&parser->scanner, "':'");
	return parse_pending(parser, member);
}

static struct error *finish_array(const struct parser *parser, const struct pending *first,
				  struct json_value *ret)
{
	struct json_value *items =
		arena_alloc_array(parser->scanner.arena, ret->num_items, sizeof(*items));
	if (!items)
		return &error_no_memory;
	for (uint32_t i = 0; i < ret->num_items; i++)
		items[i] = first[i].member.value;
	ret->items = items;
	return NULL;
}

// Members of the same name stay in their order.
static int compare_members(const void *a, const void *b)
{
	const struct json_member *left = *(const struct json_member *const *)a;
	const struct json_member *right = *(const struct json_member *const *)b;
	int order = strcmp(left->name, right->name);
	return order ? order : (left > right) - (left < right);
}

static struct error *check_names(const struct parser *parser, const struct pending *first,
				 const struct json_value *object)
{
	// Of several, the one that comes first in the text is reported: neighbours in order of
	// names are not neighbours in the text.
	const struct json_member *twice = NULL;
	for (uint32_t i = 1; i < object->num_items; i++) {
		const struct json_member *member = object->members_by_name[i];
		if (!strcmp(object->members_by_name[i - 1]->name, member->name) &&
		    (!twice || member < twice))
			twice = member;
	}
	if (!twice)
		return NULL;
	return json_scanner_error(&parser->scanner, first[twice - object->members].place,
				  "this name occurs twice in its object");
}

static struct error *finish_object(const struct parser *parser, const struct pending *first,
				   struct json_value *ret)
{
	struct json_member *members =
		arena_alloc_array(parser->scanner.arena, ret->num_items, sizeof(*members));
	const struct json_member **by_name =
		arena_alloc_array(parser->scanner.arena, ret->num_items, sizeof(*by_name));
	if (!members || !by_name)
		return &error_no_memory;
	for (uint32_t i = 0; i < ret->num_items; i++) {
		members[i] = first[i].member;
		by_name[i] = &members[i];
	}
	qsort(by_name, ret->num_items, sizeof(*by_name), compare_members);
	ret->members = members;
	ret->members_by_name = by_name;
	return check_names(parser, first, ret);
}

static const struct container {
	enum json_value_type type;
	char close;
	const char *expected;
	struct error *(*parse)(struct parser *parser);
	struct error *(*finish)(const struct parser *parser, const struct pending *first,
				struct json_value *ret);
} array = {JSON_VALUE_ARRAY, ']', "',' or ']'", json_document_parse_item, finish_array},
  object = {JSON_VALUE_OBJECT, '}', "',' or '}'", json_document_parse_member, finish_object};

static struct error *parse_items(struct parser *parser, const struct container *container)
{
	parser->scanner.next++;
	if (json_scanner_accept(&parser->scanner, container->close))
		return NULL;
	for (;;) {
		struct error *err = container->parse(parser);
		if (err || json_scanner_accept(&parser->scanner, container->close))
			return err;
		if (!json_scanner_accept(&parser->scanner, ','))
			return json_scanner_unexpected(&parser->scanner, container->expected);
	}
}

static struct error *parse_container(struct parser *parser, const struct container *container,
				     struct json_value *ret)
{
	if (parser->depth == JSON_DOCUMENT_MAX_DEPTH)
		return json_scanner_error(&parser->scanner, parser->scanner.next,
					  "arrays and objects are nested more than %d deep",
					  JSON_DOCUMENT_MAX_DEPTH);
	// Items of this container are on the stack from here on.
	size_t base = parser->num_pending;
	parser->depth++;
	struct error *err = parse_items(parser, container);
	parser->depth--;
	if (err)
		return err;
	ret->type = container->type;
	ret->num_items = (uint32_t)(parser->num_pending - base);
	parser->num_pending = base;
	// No item at all may mean no memory for items, either.
	return container->finish(parser, ret->num_items ? parser->pending + base : NULL, ret);
}

static struct error *json_document_parse_value(struct parser *parser, struct json_value *ret)
{
	switch (json_scanner_peek(&parser->scanner)) {
	case '{':
		return parse_container(parser, &object, ret);
	case '[':
		return parse_container(parser, &array, ret);
	case '"':
		ret->type = JSON_VALUE_STRING;
		return json_scanner_string(&parser->scanner, &ret->string);
	case '-':
	case '0' ... '9':
		return json_scanner_number(&parser->scanner, ret);
	default:
		return json_scanner_word(&parser->scanner, ret);
	}
}

struct error *json_document_parse(struct json_document *document, const char *name,
				  const void *data, size_t size)
{
	if (size > JSON_DOCUMENT_MAX_BYTES)
		return error_create(ERROR_FAILED, "%s: larger than %d MB", name,
				    JSON_DOCUMENT_MAX_BYTES >> 20);
	struct json_value *root = arena_alloc(&document->arena, sizeof(*root));
	if (!root)
		return &error_no_memory;
	// A byte order mark may be ignored (RFC 8259, section 8.1). Editors of Windows write it.
	static const char mark[] = {'\xef', '\xbb', '\xbf'};
	const char *start = size ? data : "", *end = start + size;
	if (size >= sizeof(mark) && !memcmp(start, mark, sizeof(mark)))
		start += sizeof(mark);
	_cleanup_(json_document_parser_deinit) struct parser parser = {
		.scanner = {name, start, end, start, &document->arena},
	};
	struct error *err = json_document_parse_value(&parser, root);
	if (err)
		return err;
	json_scanner_skip_blanks(&parser.scanner);
	if (parser.scanner.next < end)
		return json_scanner_unexpected(&parser.scanner, "the end of the file");
	document->root = root;
	return NULL;
}

void json_document_deinit(struct json_document *document)
{
	arena_deinit(&document->arena);
	*document = (struct json_document)JSON_DOCUMENT_INIT;
}

static int compare_name(const void *name, const void *member)
{
	return strcmp(name, (*(const struct json_member *const *)member)->name);
}

const struct json_value *json_value_member(const struct json_value *value, const char *name)
{
	if (!json_value_is(value, JSON_VALUE_OBJECT))
		return NULL;
	const struct json_member *const *found =
		bsearch(name, value->members_by_name, value->num_items,
			sizeof(*value->members_by_name), compare_name);
	return found ? &(*found)->value : NULL;
}
