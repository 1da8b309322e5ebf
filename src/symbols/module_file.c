// SPDX-License-Identifier: Apache-2.0

#include "symbols/module_file.h"

#include "symbols/module_search.h"

#include "base/file/file_name.h"
#include "base/file/file_path.h"
#include "base/text/string_builder.h"
#include "object/fetch/symbol_path.h"

#include <errno.h>
#include <string.h>

// Candidates are tried in order: sysroots of the user, for Windows images the folders of the symbol
// path, then the places of the system
// (module_search_places). Each is opened, and taken only if it is the file of the recording: the
// same build id, or, without one, the same inode as the mapping or a copy that the user offers. So
// a file that was replaced never gives wrong names. The first reason for a refusal is kept for the
// error. Files are opened with the rights, and from the root folder, of the process's user.
//
// The build id 0123abcd... below a sysroot DIR, as debug folders and perf's cache have it:
//
//	DIR/.build-id/01/23abcd...
//	DIR/.build-id/01/23abcd.../elf

static void module_file_search_deinit(struct module_search *search)
{
	free(search->path);
	object_destroy(search->object);
	error_destroy(search->refusal);
}

/** Of size 0 if none is known. */
static struct record_build_id module_search_build_id(const struct module_search *search)
{
	const struct object_pdb *image = search->wanted->image;
	struct record_build_id id = search->module->build_id;
	if (!id.size && image && image->build_id_size <= RECORD_BUILD_ID_MAX) {
		id.size = image->build_id_size;
		memcpy(id.bytes, image->build_id, id.size);
	}
	return id;
}

static bool is_same_file(const struct module_search *search,
			 const struct module_candidate *candidate, const struct object *object)
{
	const struct record_build_id wanted = module_search_build_id(search);
	const struct object_pdb *image = search->wanted->image;
	struct object_pdb found;
	if (!wanted.size && image && image->image_time)
		return object_find_pdb(object, &found) && found.image_time == image->image_time &&
		       found.image_size == image->image_size;
	if (!wanted.size)
		return candidate->is_copy || module_search_is_mapped(search, object);
	uint8_t build_id[RECORD_BUILD_ID_MAX];
	size_t size = object_build_id(object, build_id);
	return size == wanted.size && !memcmp(build_id, wanted.bytes, size);
}

struct error *module_search_try(struct module_search *search,
				const struct module_candidate *candidate)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	const struct object_places places = {
		.debug_root = candidate->debug_root,
		.symbol_path = search->wanted->symbol_path,
		.is_below_users_folder = candidate->is_copy,
		.is_kernels_link = candidate->is_kernels_link,
		.rights = candidate->rights,
		.budget = search->wanted->budget,
	};
	struct error *err = object_open_with(candidate->path, &places, &object);
	if (err && err->code == ERROR_NO_MEMORY)
		return err;
	if (err) {
		// The first reason is kept, as places are tried in order of preference; that there
		// is no such file is none.
		if (err->code == ERROR_ABSENT || search->refusal)
			error_destroy(err);
		else
			search->refusal = err;
		return NULL;
	}
	if (is_same_file(search, candidate, object))
		search->object = take_ptr(object);
	else
		search->has_changed = true;
	return NULL;
}

static struct error *try_build_id(struct module_search *search, const char *root,
				  const char *suffix)
{
	const struct record_build_id *id = &search->module->build_id;
	// The first byte of the build id is the folder, and the rest is the name, as for gdb and
	// perf.
	if (id->size < 2)
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/.build-id/%02x/", root, id->bytes[0]);
	for (size_t i = 1; i < id->size; i++)
		string_builder_appendf(&path, "%02x", id->bytes[i]);
	string_builder_append(&path, suffix);
	if (path.failed)
		return &error_no_memory;
	return module_search_try(
		search, &(struct module_candidate){path.text, root, .is_copy = true,
						   .rights = module_search_rights(search)});
}

static struct error *try_below(struct module_search *search, const char *root, const char *name)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "%s/%s", root, name);
	if (path.failed)
		return &error_no_memory;
	for (char *at = path.text + strlen(root); search->is_windows && *at; at++)
		*at = *at == '\\' ? '/' : *at;
	return module_search_try(
		search, &(struct module_candidate){path.text, root, .is_copy = true,
						   .rights = module_search_rights(search)});
}

/** Of Windows without the letter of the drive; there one folder may hold all files, too. */
static struct error *try_sysroot(struct module_search *search, const char *root)
{
	const char *path = search->path + (search->is_windows ? strlen("C:") : 0);
	struct error *err = try_below(search, root, path);
	const char *last = strrchr(path, '\\');
	if (!err && !search->object && search->is_windows && last)
		err = try_below(search, root, last + 1);
	if (!err && !search->object)
		err = try_build_id(search, root, "");
	if (!err && !search->object) // the layout of perf's own cache
		err = try_build_id(search, root, "/elf");
	return err;
}

static struct error *search_sysroots(struct module_search *search)
{
	const char *root = search->wanted->sysroots;
	struct error *err = NULL;
	while (root && !err && !search->object) {
		const char *end = strchrnul(root, file_path_list_separator);
		_cleanup_free_ char *copy = strndup(root, (size_t)(end - root));
		if (!copy)
			return &error_no_memory;
		if (*copy)
			err = try_sysroot(search, copy);
		root = *end ? end + 1 : NULL;
	}
	return err;
}

/** In the folders for PDBs: beside these, and as symbol servers store images. */
static struct error *search_symbol_folder(struct module_search *search, const char *folder)
{
	const struct object_pdb *image = search->wanted->image;
	const char *name = file_name_of(search->path);
	struct error *err = try_below(search, folder, name);
	if (err || search->object || !image || !image->image_time)
		return err;
	_cleanup_(string_builder_deinit) struct string_builder place = STRING_BUILDER_INIT;
	string_builder_appendf(&place, "%s/%08X%x/%s", name, image->image_time, image->image_size,
			       name);
	return place.failed ? &error_no_memory : try_below(search, folder, place.text);
}

/** Only what is identified: a name alone says little there. */
static struct error *search_symbol_path(struct module_search *search)
{
	const struct symbol_path *path = search->wanted->symbol_path;
	const struct object_pdb *image = search->wanted->image;
	bool is_identified = module_search_build_id(search).size || (image && image->image_time);
	struct error *err = NULL;
	if (!path || !search->is_windows || !is_identified)
		return NULL;
	for (size_t i = 0; !err && !search->object && i < path->num_places; i++)
		if (path->places[i].folder)
			err = search_symbol_folder(search, path->places[i].folder);
	return err;
}

static struct error *module_file_explain(struct module_search *search)
{
	// A file that is there but is another one says more than one that could not be opened,
	// unless the name begins in another root folder, where we were refused.
	bool is_elsewhere = search->rights.root && search->refusal;
	if (search->has_changed && !is_elsewhere)
		return error_with_hint(
			error_create(ERROR_FAILED, "the file has changed since the recording"),
			"record again, or give a folder with the old file: --sysroot DIR");
	if (search->refusal)
		return take_ptr(search->refusal);
	return error_with_hint(error_create(ERROR_FAILED, "cannot open: %s", strerror(ENOENT)),
			       "give a folder that has it: --sysroot DIR");
}

const struct file_rights *module_search_rights(const struct module_search *search)
{
	return search->has_rights ? &search->rights : NULL;
}

static void cut_deleted_mark(struct module_search *search)
{
	size_t length = strlen(search->path), mark_length = strlen(MODULE_SEARCH_DELETED);
	search->was_deleted = length > mark_length &&
			      !strcmp(search->path + length - mark_length, MODULE_SEARCH_DELETED);
	if (search->was_deleted)
		search->path[length - mark_length] = '\0';
}

struct error *module_file_open(const struct module_file_search *wanted, const struct module *module,
			       struct object **ret)
{
	bool is_windows = file_name_has_drive(module->path);
	// The kernel tells whole paths; others could lead anywhere.
	if (module->path[0] != '/' && !is_windows)
		return error_create(ERROR_FAILED, "cannot open: not an absolute path");
	_cleanup_(module_file_search_deinit) struct module_search search = {
		.wanted = wanted, .module = module, .is_windows = is_windows};
	search.path = strdup(module->path);
	if (!search.path)
		return &error_no_memory;
	cut_deleted_mark(&search);
	search.has_rights = wanted->users || wanted->rights;
	if (wanted->users)
		search.rights = process_users_find_code(wanted->users, module->pid);
	else if (wanted->rights)
		search.rights = *wanted->rights;
	struct error *err = search_sysroots(&search);
	if (!err && !search.object)
		err = search_symbol_path(&search);
	const struct module_search_place *place = module_search_places;
	for (; !err && !search.object && place->search; place++)
		if (!place->needs_process || wanted->are_processes_here)
			err = place->search(&search);
	if (err)
		return err;
	if (!search.object)
		return module_file_explain(&search);
	*ret = take_ptr(search.object);
	return NULL;
}

bool module_file_address(const struct module *module, const struct object *object, uint64_t place,
			 uint64_t *ret)
{
	if (!module->has_addresses && (!module->is_image || !object_is_windows(object)))
		return object_offset_to_address(object, place, ret);
	*ret = place;
	return true;
}
