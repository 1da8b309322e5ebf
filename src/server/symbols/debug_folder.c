// SPDX-License-Identifier: Apache-2.0
// A file is complete or not there: it is written beside its place, synced and renamed. Another file
// of the same build does not replace it, unless it knows lines and the first one does not: a
// program that was stripped of its debug information only, and then its .debug file. Two writers of
// one build at a time are fine, as each rename is whole; two of different builds may exceed the
// limit by one file, since nothing is locked while files are written.

#include "server/symbols/debug_folder.h"

#include "base/file/file_draft.h"
#include "base/file/file_path.h"
#include "base/file/folder.h"
#include "base/file/foreign_file.h"
#include "record/build_id.h"

#include <errno.h>
#include <string.h>

static const char debug_folder_suffix[] = ".debug";

void debug_folder_path(const char *folder, const struct record_build_id *id,
		       struct string_builder *ret)
{
	char digits[BUILD_ID_DIGITS + 1];
	build_id_format(id, digits);
	string_builder_appendf(ret, "%s/%.2s/%s%s", folder, digits, digits + 2,
			       debug_folder_suffix);
}

/** @ret: empty if there is no such file. */
static struct error *debug_folder_open(const char *path, struct file_map *ret)
{
	const struct foreign_file_rules rules = {.max_size = DEBUG_FOLDER_MAX_FILE};
	struct error *err = foreign_file_open(ret, path, &rules);
	if (!err || err->code != ERROR_ABSENT)
		return err;
	error_destroy(err);
	return NULL;
}

struct error *debug_folder_find(const char *folder, const struct record_build_id *id,
				struct debug_facts *ret, bool *ret_found)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	*ret_found = false;
	debug_folder_path(folder, id, &path);
	if (path.failed)
		return &error_no_memory;
	struct error *err = debug_folder_open(path.text, &map);
	if (err || !map.size)
		return err;
	struct debug_facts facts;
	err = debug_facts_read(map.data, map.size, path.text, &facts);
	if (err && err->code != ERROR_NO_MEMORY) {
		error_destroy(err); // a damaged file names nothing
		return NULL;
	}
	if (err)
		return err;
	*ret = facts;
	*ret_found = facts.build_id.size == id->size &&
		     memcmp(facts.build_id.bytes, id->bytes, id->size) == 0;
	return NULL;
}

/** Bytes of the files in one of the folders. */
static struct error *debug_folder_add_sizes(const char *path, uint64_t *total)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	_cleanup_(string_builder_deinit) struct string_builder file = STRING_BUILDER_INIT;
	struct error *err = folder_open(path, &folder);
	if (err)
		return err;
	for (const char *name; !err && (name = folder_next(folder));) {
		_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
		if (name[0] == '.')
			continue;
		string_builder_clear(&file);
		string_builder_appendf(&file, "%s/%s", path, name);
		err = file.failed ? &error_no_memory : debug_folder_open(file.text, &map);
		*total += map.size;
	}
	return err;
}

struct error *debug_folder_total(const char *path, uint64_t *ret)
{
	_cleanup_(folder_closep) struct folder *folder = NULL;
	_cleanup_(string_builder_deinit) struct string_builder part = STRING_BUILDER_INIT;
	*ret = 0;
	if (file_path_kind(path) == FILE_PATH_ABSENT)
		return NULL;
	struct error *err = folder_open(path, &folder);
	for (const char *name; !err && (name = folder_next(folder));) {
		if (name[0] == '.' || strlen(name) != 2)
			continue;
		string_builder_clear(&part);
		string_builder_appendf(&part, "%s/%s", path, name);
		err = part.failed ? &error_no_memory : debug_folder_add_sizes(part.text, ret);
	}
	return err;
}

static struct error *debug_folder_write(const char *path, const void *bytes, size_t size)
{
	_cleanup_(file_draft_deinit) struct file_draft draft = FILE_DRAFT_INIT;
	if (!file_draft_open(&draft, path))
		return error_create_errno(errno, "cannot write '%s'", path);
	if (fwrite(bytes, 1, size, draft.stream) != size || !file_path_sync(draft.stream))
		return error_create_errno(errno, "cannot write '%s'", path);
	return file_draft_close(&draft, path);
}

struct error *debug_folder_put(const char *folder, const struct debug_facts *facts,
			       const void *bytes, size_t size, uint64_t max_total,
			       enum debug_folder_result *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	struct debug_facts known = {0};
	bool is_there = false;
	uint64_t total;
	debug_folder_path(folder, &facts->build_id, &path);
	if (path.failed)
		return &error_no_memory;
	struct error *err = debug_folder_find(folder, &facts->build_id, &known, &is_there);
	if (err)
		return err;
	// Profiles have the GUID alone, and would get the names of the other build.
	if (is_there && known.age != facts->age) {
		*ret = DEBUG_FOLDER_OTHER;
		return NULL;
	}
	if (is_there && (known.has_lines || !facts->has_lines)) {
		*ret = DEBUG_FOLDER_KNOWN;
		return NULL;
	}
	err = debug_folder_total(folder, &total);
	if (!err && (total > max_total || size > max_total - total)) {
		*ret = DEBUG_FOLDER_FULL;
		return NULL;
	}
	if (!err && !file_path_make_folders(path.text))
		err = error_create_errno(errno, "cannot make the folder of '%s'", path.text);
	if (!err)
		err = debug_folder_write(path.text, bytes, size);
	if (!err)
		*ret = is_there ? DEBUG_FOLDER_REPLACED : DEBUG_FOLDER_STORED;
	return err;
}
