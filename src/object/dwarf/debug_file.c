// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/debug_file.h"

#include "base/file/file_name.h"
#include "base/file/remote_path.h"
#include "base/reader.h"
#include "base/text/string_builder.h"
#include "object/fetch/debuginfod.h"

#include <string.h>
#include <zlib.h>

// The search order is GDB's ("Debugging Information in Separate Files" of its manual): by build-id
// below /usr/lib/debug, then by the name in .gnu_debuglink in three places, then from debuginfod
// servers. A file by build-id must have this build-id; one by name must have the CRC-32 that the
// link says, for which it is read as a whole, so its size is limited.
//
// Names of files come from objects that may be made up. So each path is opened with the rights of
// the object's user (debug_search_rules()), and may lead to another machine only where its
// beginning is the user's word or our own (enum beginning). A name in .gnu_debuglink has no
// folder.

static const char debug_folder[] = "/usr/lib/debug";

enum { MIN_BUILD_ID = 2, MAX_BUILD_ID = 64 };

// Files that are found by a checksum are read as a whole; a sparse one may have any size.
static const size_t MAX_CHECKED = 1 << 30;

/** Whose word the beginning of a path is. */
enum beginning {
	OF_FILE,  /* the object's or its debug information's */
	OF_USER,  /* the user's or our own */
	OF_CACHE, /* our own, where fetched files are kept */
};

/** What is beside the object is on the same machine, wherever that is. */
static enum beginning debug_file_beside(const char *object_path)
{
	return object_path && path_is_remote(object_path) ? OF_USER : OF_FILE;
}

/** Opens @path; no file, or one that is none, leaves @file empty. */
static struct error *try_open(struct debug_file *file, const char *path, enum beginning beginning,
			      const struct debug_search *search)
{
	struct foreign_file_rules rules = debug_search_rules(search, path);
	rules.may_be_remote = beginning != OF_FILE;
	if (beginning == OF_CACHE)
		rules.rights = NULL;
	struct error *err = foreign_file_open(&file->map, path, &rules);
	if (!err)
		err = elf_image_init(&file->image, file->map.data, file->map.size, path);
	if (!err) {
		file->path = strdup(path);
		err = file->path ? NULL : &error_no_memory;
	}
	if (!err)
		return NULL;
	debug_file_close(file);
	if (err->code == ERROR_NO_MEMORY)
		return err;
	error_destroy(err); // a damaged debug file is as good as none: the object itself is fine
	return NULL;
}

static struct error *find_by_build_id(struct debug_file *file, struct object_bytes build_id,
				      const struct debug_search *search)
{
	if (build_id.size < MIN_BUILD_ID || build_id.size > MAX_BUILD_ID)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s%s/.build-id/%02x/", search->root, debug_folder,
			       build_id.data[0]);
	for (size_t i = 1; i < build_id.size; i++)
		string_builder_appendf(&path, "%02x", build_id.data[i]);
	string_builder_append(&path, ".debug");
	if (path.failed)
		return &error_no_memory;
	struct error *err = try_open(file, path.text, OF_USER, search);
	struct object_bytes found = file->image.build_id;
	if (!err && file->path &&
	    (found.size != build_id.size || memcmp(found.data, build_id.data, found.size) != 0))
		debug_file_close(file);
	return err;
}

/** What .gnu_debuglink says. */
struct debug_link {
	const char *name; /* of a file, without a folder; NULL if there is no link */
	uint32_t checksum;
};

static struct debug_link debug_file_read_link(const struct elf_image *image)
{
	const struct elf_section *section = elf_image_find_section(image, ".gnu_debuglink");
	if (!section)
		return (struct debug_link){0};
	struct object_bytes bytes = elf_image_bytes(image, section);
	struct reader reader = reader_create(bytes.data, bytes.size);
	const char *name = reader_string(&reader);
	reader_align(&reader, 4);
	struct debug_link link = {.name = name, .checksum = reader_u32(&reader)};
	bool usable = !reader.failed && name[0] && !strpbrk(name, "/\\");
	return usable ? link : (struct debug_link){0};
}

static struct error *try_link(struct debug_file *file, const struct debug_link *link,
			      const char *folder, const char *between, enum beginning beginning,
			      const struct debug_search *search)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s%s/%s", folder, between, link->name);
	if (path.failed)
		return &error_no_memory;
	struct error *err = try_open(file, path.text, beginning, search);
	bool is_small = file->map.size <= MAX_CHECKED;
	if (!err && file->path &&
	    (!is_small || crc32_z(0, file->map.data, file->map.size) != link->checksum))
		debug_file_close(file);
	return err;
}

/** Of the folder in front of the name, with the slash. */
static size_t folder_length(const char *path)
{
	return (size_t)(file_name_of(path) - path);
}

/** Beside the object, in .debug beside it, and at the same place below the debug folder. */
static struct error *find_by_link(struct debug_file *file, const struct debug_link *link,
				  const char *path, const struct debug_search *search)
{
	size_t length = folder_length(path);
	_cleanup_free_ char *folder = length ? strndup(path, length - 1) : strdup(".");
	if (!folder)
		return &error_no_memory;
	struct error *err = try_link(file, link, folder, "", debug_file_beside(path), search);
	if (!err && !file->path)
		err = try_link(file, link, folder, "/.debug", debug_file_beside(path), search);
	if (err || file->path)
		return err;

	// /usr/lib/debug has the same folders as /: the debug file of /usr/bin/x is in its usr/bin.
	size_t root_length = strlen(search->root);
	bool below_root = !strncmp(folder, search->root, root_length);
	_cleanup_(string_builder_deinit) struct string_builder mirrored = STRING_BUILDER_INIT;
	string_builder_appendf(&mirrored, "%s%s%s", search->root, debug_folder,
			       below_root ? folder + root_length : folder);
	return mirrored.failed ? &error_no_memory
			       : try_link(file, link, mirrored.text, "", OF_USER, search);
}

struct error *debug_file_find(struct debug_file *file, const struct elf_image *image,
			      const char *path, const struct debug_search *search)
{
	struct error *err = find_by_build_id(file, image->build_id, search);
	if (err || file->path || !path)
		return err;
	struct debug_link link = debug_file_read_link(image);
	if (link.name)
		err = find_by_link(file, &link, path, search);
	if (err || file->path)
		return err;
	// From servers: an object with one of these sections was not stripped, or not of its
	// symbols.
	bool is_whole = elf_image_find_section(image, ".debug_info") ||
			elf_image_find_section(image, ".symtab");
	struct object_bytes id = image->build_id;
	if (is_whole || id.size < MIN_BUILD_ID || id.size > MAX_BUILD_ID)
		return NULL;
	_cleanup_free_ char *fetched = NULL;
	err = debuginfod_fetch(id.data, id.size, &fetched);
	return err || !fetched ? err : try_open(file, fetched, OF_CACHE, search);
}

struct error *debug_file_find_common(struct debug_file *file, const struct common_link *link,
				     const char *path, const struct debug_search *search)
{
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	if (link->name[0] == '/')
		string_builder_append(&place, search->root);
	else if (path)
		string_builder_append_n(&place, path, folder_length(path));
	string_builder_append(&place, link->name);
	if (place.failed)
		return &error_no_memory;
	enum beginning beginning = link->name[0] != '/' ? debug_file_beside(path)
				   : search->root[0]    ? OF_USER
							: OF_FILE;
	struct error *err = path ? try_open(file, place.text, beginning, search) : NULL;
	if (err)
		return err;
	if (file->path && common_link_matches(link, &file->image))
		return NULL;
	debug_file_close(file);
	return find_by_build_id(file, link->id, search);
}

/** @folder: with its slash. */
static struct error *try_place(struct debug_file *file, const char *root, const char *folder,
			       const char *name, enum beginning beginning,
			       const struct debug_search *search)
{
	if (file->path)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	string_builder_appendf(&place, "%s%s%s", root, folder, name);
	return place.failed ? &error_no_memory : try_open(file, place.text, beginning, search);
}

struct error *debug_file_find_split(struct debug_file *file, const char *name, const char *folder,
				    const char *path, const struct debug_search *search)
{
	bool is_whole = name[0] == '/';
	_cleanup_(string_builder_deinit) struct string_builder built = STRING_BUILDER_INIT;
	string_builder_append(&built, "");
	if (folder && !is_whole)
		string_builder_appendf(&built, "%s/", folder);
	_cleanup_free_ char *own_folder = strndup(path ? path : "", path ? folder_length(path) : 0);
	if (built.failed || !own_folder)
		return &error_no_memory;
	struct error *err = NULL;
	if (search->root[0])
		err = try_place(file, search->root, built.text, name, OF_USER, search);
	if (!err)
		err = try_place(file, "", built.text, name, OF_FILE, search);
	if (!err && path && !is_whole)
		err = try_place(file, "", own_folder, name, debug_file_beside(path), search);
	return err;
}

void debug_file_close(struct debug_file *file)
{
	free(file->path);
	elf_image_deinit(&file->image);
	file_map_close(&file->map);
	*file = (struct debug_file)DEBUG_FILE_INIT;
}
