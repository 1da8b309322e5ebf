// SPDX-License-Identifier: Apache-2.0

#include "session/build_id_cache.h"

#include "base/file/file_path.h"
#include "base/text/string_builder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The layout of perf's cache (tools/perf/util/build-id.c): the object is
// ~/.debug/PATH/BUILD_ID/elf, and ~/.debug/.build-id/XX/REST is a link to that folder, where XX is
// the first byte. Files are written as a draft and renamed, so that a reader never finds half of
// one. Drafts and targets are not followed if they are links.
//
// For the recording /home/anna/x.data with the build id 12ab34...:
//
//	~/.debug/home/anna/x.data.python.so/12ab34.../elf
//	~/.debug/.build-id/12/ab34... -> ../../home/anna/x.data.python.so/12ab34...
//
// The link's target is relative, so that the folder can be moved or copied as a whole.

static void build_id_cache_append_hex(struct string_builder *text, const uint8_t *bytes,
				      size_t size)
{
	for (size_t i = 0; i < size; i++)
		string_builder_appendf(text, "%02x", bytes[i]);
}

static struct error *make_folders(const char *path)
{
	return file_path_make_folders(path)
		       ? NULL
		       : error_create_errno(errno, "cannot make the folder of '%s'", path);
}

/** It is there as a whole or not at all, whatever ends us. A link at @path is replaced. */
static struct error *build_id_cache_write_file(const char *path, const struct build_id_file *file)
{
	_cleanup_(string_builder_deinit) struct string_builder draft = STRING_BUILDER_INIT;
	string_builder_appendf(&draft, "%s.new", path);
	if (draft.failed)
		return &error_no_memory;
	// A draft that was left behind is removed, as is a link: nothing is written through one.
	file_path_remove(draft.text);
	FILE *stream = file_path_create(draft.text);
	if (!stream)
		return error_create_errno(errno, "cannot write '%s'", path);
	bool is_whole = fwrite(file->bytes, 1, file->size, stream) == file->size;
	is_whole &= fclose(stream) == 0;
	if (is_whole && file_path_rename(draft.text, path))
		return NULL;
	file_path_remove(draft.text);
	return error_create(ERROR_FAILED, "cannot write '%s'", path);
}

/** The object stands below its path; a link by its build id leads there. */
static struct error *add_to(const char *store, const struct build_id_file *file)
{
	_cleanup_(string_builder_deinit) struct string_builder object = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder link = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder target = STRING_BUILDER_INIT;
	const struct record_build_id *id = &file->build_id;
	string_builder_appendf(&object, "%s%s/", store, file->path);
	build_id_cache_append_hex(&object, id->bytes, id->size);
	string_builder_append(&object, "/elf");
	string_builder_appendf(&link, "%s/.build-id/%02x/", store, id->bytes[0]);
	build_id_cache_append_hex(&link, id->bytes + 1, id->size - 1U);
	string_builder_appendf(&target, "../..%s/", file->path);
	build_id_cache_append_hex(&target, id->bytes, id->size);
	if (object.failed || link.failed || target.failed)
		return &error_no_memory;
	struct error *err = make_folders(object.text);
	if (!err)
		err = build_id_cache_write_file(object.text, file);
	if (!err)
		err = make_folders(link.text);
	if (!err && symlink(target.text, link.text) < 0 && errno != EEXIST)
		err = error_create_errno(errno, "cannot make '%s'", link.text);
	return err;
}

struct error *build_id_cache_add(const struct build_id_file *file)
{
	_cleanup_(string_builder_deinit) struct string_builder store = STRING_BUILDER_INIT;
	const char *home = getenv("HOME");
	struct error *err = NULL;
	if (home && home[0] == '/') {
		string_builder_appendf(&store, "%s/.debug", home);
		err = store.failed ? &error_no_memory : add_to(store.text, file);
		if (!err)
			return NULL;
	}
	// Without a home folder, or a full one: beside the recording, under the name in its
	// records.
	error_destroy(err);
	return build_id_cache_write_file(file->path, file);
}
