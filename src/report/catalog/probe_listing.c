// SPDX-License-Identifier: Apache-2.0
// Static probes come first: they are few, and made to be found. A probe that is in several places
// has one row. Of a function with several names the table of symbols keeps one, which -e takes as
// it takes the others.

#include "report/catalog/probe_listing.h"

#include "base/container/array.h"
#include "base/file/file_path.h"
#include "base/text/name_pattern.h"
#include "base/text/string_builder.h"
#include "object/object.h"
#include "object/probe_notes.h"
#include "view/layout/table.h"

#include <stdlib.h>
#include <string.h>

static const struct table_column probe_columns[] = {
	{"probe", TABLE_LEFT},
	{"places", TABLE_RIGHT},
	{"arguments", TABLE_LEFT},
};

struct note_list {
	struct probe_note *items;
	size_t num_items, cap_items;
};

static void note_list_deinit(struct note_list *list)
{
	free(list->items);
}

static int compare_notes(const void *a, const void *b)
{
	const struct probe_note *left = a, *right = b;
	int order = strcmp(left->provider, right->provider);
	if (!order)
		order = strcmp(left->name, right->name);
	return order ? order : (left->address > right->address) - (left->address < right->address);
}

static struct error *list_notes(struct object *object, struct note_list *list)
{
	struct probe_notes notes = probe_notes_of(object);
	struct error *err = NULL;
	for (struct probe_note note; !err && probe_notes_next(&notes, &note);) {
		err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
		if (!err)
			list->items[list->num_items++] = note;
	}
	if (list->num_items)
		qsort(list->items, list->num_items, sizeof(*list->items), compare_notes);
	return err;
}

static bool is_same_probe(const struct probe_note *left, const struct probe_note *right)
{
	return strcmp(left->provider, right->provider) == 0 && strcmp(left->name, right->name) == 0;
}

/** -e wants a path with a slash. */
static const char *probe_listing_folder(const struct probe_listing_request *request)
{
	return strchr(request->path, '/') ? "" : "./";
}

static void probe_listing_add_row(struct table *table, const struct probe_listing_request *request,
				  const char *name, size_t num_places, const char *arguments)
{
	if (request->pattern && !name_pattern_match_glob(request->pattern, name))
		return;
	table_add_string(table, name);
	table_add_u64(table, num_places);
	table_add_string(table, arguments);
}

static struct error *probe_listing_add_static(struct table *table,
					      const struct probe_listing_request *request,
					      struct object *object)
{
	_cleanup_(note_list_deinit) struct note_list list = {0};
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	struct error *err = list_notes(object, &list);
	for (size_t i = 0, next; !err && i < list.num_items; i = next) {
		const struct probe_note *note = &list.items[i];
		next = i + 1;
		while (next < list.num_items && is_same_probe(note, &list.items[next]))
			next++;
		string_builder_clear(&name);
		string_builder_appendf(&name, "usdt:%s%s:%s:%s", probe_listing_folder(request),
				       request->path, note->provider, note->name);
		probe_listing_add_row(table, request, string_builder_peek(&name), next - i,
				      note->arguments);
	}
	return err;
}

/** -e cannot take names with its own punctuation; "memcpy@plt" is no function of this file. */
static bool can_be_probed(const char *name)
{
	return !strpbrk(name, ":,{}( @");
}

static struct error *probe_listing_add_functions(struct table *table,
						 const struct probe_listing_request *request,
						 struct object *object)
{
	const struct object_symbol *symbols;
	size_t num;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	struct error *err = object_symbols(object, &symbols, &num);
	for (size_t i = 0; !err && i < num; i++) {
		if (!can_be_probed(symbols[i].name))
			continue;
		string_builder_clear(&name);
		string_builder_appendf(&name, "u:%s%s:%s", probe_listing_folder(request),
				       request->path, symbols[i].name);
		probe_listing_add_row(table, request, string_builder_peek(&name), 1, "");
	}
	return err;
}

static struct error *check_rows(const struct table *table,
				const struct probe_listing_request *request)
{
	struct error *err = table_check(table);
	if (err || table_num_rows(table))
		return err;
	if (request->pattern)
		return error_with_hint(error_create(ERROR_FAILED, "no probe of '%s' matches '%s'",
						    request->path, request->pattern),
				       "give a part of a name, or a pattern with * and ?");
	return error_with_hint(error_create(ERROR_FAILED,
					    "'%s' has neither static probes nor functions",
					    request->path),
			       "it is stripped: install its debug symbols");
}

struct error *probe_listing_write(const struct probe_listing_request *request)
{
	const struct object_places places = {.debug_root = "", .is_named_by_user = true};
	_cleanup_(object_destroyp) struct object *object = NULL;
	_cleanup_(table_destroyp) struct table *table = NULL;
	// A pipe would wait for its writer: nobody probes one.
	if (file_path_kind(request->path) == FILE_PATH_OTHER)
		return error_with_hint(error_create(ERROR_FAILED, "'%s' is not a regular file",
						    request->path),
				       "name a program or a library");
	struct error *err = object_open_with(request->path, &places, &object);
	if (!err)
		err = table_create(probe_columns, ARRAY_SIZE(probe_columns), &table);
	if (!err)
		err = probe_listing_add_static(table, request, object);
	if (!err)
		err = probe_listing_add_functions(table, request, object);
	if (!err)
		err = check_rows(table, request);
	return err ? err : output_write_table(request->output, "probes", table);
}
