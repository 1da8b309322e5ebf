// SPDX-License-Identifier: Apache-2.0
// Pieces come in order, and each request opens the file, locks it, and appends its own: two senders
// of one build cannot mix their pieces, since one of them finds the end elsewhere than it left it.
// Files of senders that went away are removed when another one begins.

#include "server/symbols/debug_parts.h"

#include "base/file/file_path.h"
#include "base/file/folder.h"
#include "base/text/string_builder.h"
#include "record/build_id.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void debug_parts_folder(const char *folder, struct string_builder *ret)
{
	string_builder_appendf(ret, "%s/.parts", folder);
}

static void debug_parts_path(const char *folder, const struct record_build_id *id,
			     struct string_builder *ret)
{
	char digits[BUILD_ID_DIGITS + 1];
	build_id_format(id, digits);
	debug_parts_folder(folder, ret);
	string_builder_appendf(ret, "/%s", digits);
}

static void debug_parts_close(FILE **file)
{
	if (*file)
		fclose(*file);
}

/** Removes old files. @ret: how many others remain. */
static struct error *debug_parts_count(const char *folder, size_t *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	_cleanup_(folder_closep) struct folder *opened = NULL;
	*ret = 0;
	debug_parts_folder(folder, &path);
	struct error *err = path.failed ? &error_no_memory : folder_open(path.text, &opened);
	size_t length = path.length;
	for (const char *name; !err && (name = folder_next(opened));) {
		struct stat status;
		if (name[0] == '.')
			continue;
		path.length = length;
		string_builder_appendf(&path, "/%s", name);
		if (path.failed)
			return &error_no_memory;
		if (lstat(path.text, &status) < 0)
			continue; // it has become complete meanwhile
		if (time(NULL) - status.st_mtime > DEBUG_PARTS_MAX_AGE_S)
			file_path_remove(path.text);
		else
			(*ret)++;
	}
	return err;
}

/** With its lock. @ret: NULL: somebody else has it. */
static struct error *debug_parts_open(const char *path, FILE **ret)
{
	_cleanup_(debug_parts_close) FILE *file = NULL;
	*ret = NULL;
	if (!file_path_make_folders(path))
		return error_create_errno(errno, "cannot make the folder of '%s'", path);
	file = file_path_open(path, "a");
	if (!file)
		return error_create_errno(errno, "cannot write '%s'", path);
	if (flock(fileno(file), LOCK_EX | LOCK_NB) == 0)
		*ret = take_ptr(file);
	return NULL;
}

/** False: the end is elsewhere. */
static bool debug_parts_seek(FILE *file, uint64_t at)
{
	if (!at && ftruncate(fileno(file), 0) < 0)
		return false;
	return fseeko(file, 0, SEEK_END) == 0 && (uint64_t)ftello(file) == at;
}

static struct error *debug_parts_append(const char *path, const struct debug_part *part,
					struct file_map *map, enum debug_parts_result *ret)
{
	_cleanup_(debug_parts_close) FILE *file = NULL;
	struct error *err = debug_parts_open(path, &file);
	if (err)
		return err;
	*ret = DEBUG_PARTS_GAP;
	if (!file || !debug_parts_seek(file, part->at) || part->at > part->size ||
	    part->num_bytes > part->size - part->at)
		return NULL;
	if (fwrite(part->bytes, 1, part->num_bytes, file) != part->num_bytes || fflush(file))
		return error_create_errno(errno, "cannot write '%s'", path);
	*ret = DEBUG_PARTS_MORE;
	if (part->at + part->num_bytes < part->size)
		return NULL;
	_cleanup_(debug_parts_close) FILE *whole = file_path_open(path, "r");
	if (!whole)
		return error_create_errno(errno, "cannot read '%s'", path);
	*ret = DEBUG_PARTS_COMPLETE;
	return file_map_of_stream(map, whole, path);
}

struct error *debug_parts_add(const char *folder, const struct debug_part *part,
			      struct file_map *map, enum debug_parts_result *ret)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	debug_parts_path(folder, &part->build_id, &path);
	if (path.failed)
		return &error_no_memory;
	bool is_there = file_path_kind(path.text) == FILE_PATH_FILE;
	if (!part->at && !is_there) {
		size_t num_files = 0;
		struct error *err =
			file_path_make_folders(path.text)
				? debug_parts_count(folder, &num_files)
				: error_create_errno(errno, "cannot write '%s'", path.text);
		if (!err && num_files >= DEBUG_PARTS_MAX_FILES)
			*ret = DEBUG_PARTS_MANY;
		if (err || num_files >= DEBUG_PARTS_MAX_FILES)
			return err;
	}
	return debug_parts_append(path.text, part, map, ret);
}

void debug_parts_remove(const char *folder, const struct record_build_id *id)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	debug_parts_path(folder, id, &path);
	if (!path.failed)
		file_path_remove(path.text);
}
