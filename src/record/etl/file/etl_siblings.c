// SPDX-License-Identifier: Apache-2.0

#include "record/etl/file/etl_siblings.h"

#include "base/container/array.h"
#include "base/file/file_name.h"
#include "base/file/folder.h"
#include "base/file/foreign_file.h"
#include "base/text/ascii.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Nobody named these files: they are opened as foreign ones. In a folder that everybody may write,
// such as /tmp, a stranger must not get events into a recording: hence the owner.

enum { MAX_SIBLINGS = 16 };

static const char suffix[] = ".etl";
enum { SUFFIX_LENGTH = sizeof(suffix) - 1 };

struct sibling_names {
	char **names;
	size_t num_names, cap_names;
};

static void sibling_names_deinit(struct sibling_names *list)
{
	for (size_t i = 0; i < list->num_names; i++)
		free(list->names[i]);
	free(list->names);
}

static bool has_same_start(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (ascii_lower(a[i]) != ascii_lower(b[i]))
			return false;
	return true;
}

/** Of "x.etl": "x.kernel.etl" and the like. */
static bool is_sibling_name(const char *name, const char *own)
{
	size_t length = strlen(name), stem = strlen(own) - SUFFIX_LENGTH;
	return length > stem + 1 + SUFFIX_LENGTH && has_same_start(name, own, stem) &&
	       name[stem] == '.' &&
	       has_same_start(name + length - SUFFIX_LENGTH, suffix, SUFFIX_LENGTH);
}

static struct error *find_names(const char *folder_path, const char *own,
				struct sibling_names *list)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	struct error *err = folder_open(folder_path, &folder);
	if (err)
		return err;
	for (const char *name; list->num_names < MAX_SIBLINGS && (name = folder_next(folder));) {
		if (!is_sibling_name(name, own))
			continue;
		err = array_reserve(&list->names, &list->cap_names, list->num_names + 1);
		if (err)
			return err;
		list->names[list->num_names] = strdup(name);
		if (!list->names[list->num_names])
			return &error_no_memory;
		list->num_names++;
	}
	return NULL;
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

// Dates, in 100 ns. A file without an end may go on for ever.
static bool was_written_with(const struct etl_file *file, const struct etl_file *other)
{
	const struct etl_log_header *a = &file->header, *b = &other->header;
	return (!a->end || b->start <= a->end) && (!b->end || a->start <= b->end) &&
	       etl_file_has_same_counter(file, other);
}

static struct error *open_sibling(const char *path, uint32_t owner, struct etl_file **ret)
{
	static const struct foreign_file_rules rules = {
		.max_size = UINT64_MAX,
		.may_be_remote = true, // its folder is the user's word
	};
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = foreign_file_open(&map, path, &rules);
	if (err)
		return err;
	if (map.owner != owner)
		return error_create(ERROR_FAILED, "'%s' belongs to another user", path);
	return etl_file_of_map(path, &map, ret);
}

static struct error *add_sibling(struct etl_file_set *set, const char *path)
{
	const struct etl_file *first = set->files[0];
	struct etl_file *file = NULL;
	struct error *err = open_sibling(path, first->map.owner, &file);
	if (err == &error_no_memory)
		return err;
	if (err || !file) {
		error_destroy(err);
		return NULL;
	}
	if (was_written_with(first, file))
		return etl_file_set_add(set, file);
	etl_file_destroy(file);
	return NULL;
}

struct error *etl_siblings_add(struct etl_file_set *set, const char *path)
{
	const char *own = file_name_of(path);
	size_t length = strlen(own), folder_length = (size_t)(own - path);
	if (set->num_files != 1 || set->files[0]->header.is_joined || length <= SUFFIX_LENGTH ||
	    !has_same_start(own + length - SUFFIX_LENGTH, suffix, SUFFIX_LENGTH))
		return NULL;
	_cleanup_free_ char *folder = folder_length ? strndup(path, folder_length) : strdup(".");
	if (!folder)
		return &error_no_memory;
	_cleanup_(sibling_names_deinit) struct sibling_names list = {};
	struct error *err = find_names(folder, own, &list);
	if (err && err != &error_no_memory) {
		error_destroy(err); // a folder that may not be listed
		return NULL;
	}
	if (list.num_names)
		qsort(list.names, list.num_names, sizeof(*list.names), compare_names);
	for (size_t i = 0; i < list.num_names && !err; i++) {
		char *whole = NULL;
		if (asprintf(&whole, "%.*s%s", (int)folder_length, path, list.names[i]) < 0)
			return &error_no_memory;
		err = add_sibling(set, whole);
		free(whole);
	}
	return err;
}
