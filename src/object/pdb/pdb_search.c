// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_search.h"

#include "base/file/remote_path.h"
#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>

// The order is that of Microsoft's debuggers: beside the image, at the path that the linker wrote,
// then in each folder or server of the symbol path. The first PDB with the GUID and age of the
// image is the right one; a file of another build is only remembered for the message, and a
// damaged one is passed over.
//
// The path from the linker is untrusted: it is in the image. Opening a path on a network share
// ("\\host\share") would send the user's credentials to that host, so such a path is opened only
// if the user has named the folder, or the image was already there (may_be_remote).

/** What is looked for. */
struct wanted {
	const struct pe_pdb_id *id;
	const char *name; // without a folder
	const char *path; // of the image, or NULL
	struct pdb_image image;
	const struct debug_search *files;
	struct pdb_search *search;
};

const char *pdb_search_name(const char *path)
{
	const char *name = path;
	for (const char *at = path; *at; at++)
		if (*at == '/' || *at == '\\')
			name = at + 1;
	return name;
}

/** A file that is damaged is as good as none. */
static struct error *pdb_search_try_path(const struct wanted *wanted, const char *path,
					 const struct foreign_file_rules *rules)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(pdb_symbols_destroyp) struct pdb_symbols *symbols = NULL;
	struct error *err = foreign_file_open(&map, path, rules);
	if (!err)
		err = pdb_symbols_create(&wanted->image, map.data ? map.data : "", map.size, path,
					 &symbols);
	if (err && err->code != ERROR_NO_MEMORY) {
		error_destroy(err);
		return NULL;
	}
	if (err)
		return err;
	struct pdb_search *search = wanted->search;
	if (!pe_pdb_id_is_same(&pdb_symbols_file(symbols)->id, wanted->id)) {
		if (!search->other_build)
			search->other_build = strdup(path);
		return search->other_build ? NULL : &error_no_memory;
	}
	search->path = strdup(path);
	if (!search->path)
		return &error_no_memory;
	search->map = map;
	map = (struct file_map)FILE_MAP_INIT;
	search->symbols = take_ptr(symbols);
	return NULL;
}

/** The path begins with a folder of the user's or with our own. */
static struct error *try_ours(const struct wanted *wanted, const char *path)
{
	return pdb_search_try_path(wanted, path,
				   &(struct foreign_file_rules){.max_size = FOREIGN_FILE_MAX_CODE,
								.may_be_remote = true});
}

static struct error *try_below_folder(const struct wanted *wanted,
				      const struct string_builder *path)
{
	return path->failed ? &error_no_memory : try_ours(wanted, path->text);
}

static struct error *try_beside(const struct wanted *wanted, const struct string_builder *path)
{
	if (path->failed)
		return &error_no_memory;
	struct foreign_file_rules rules = debug_search_rules(wanted->files, path->text);
	rules.may_be_remote = path_is_remote(wanted->path); // so was the image, and it was opened
	return pdb_search_try_path(wanted, path->text, &rules);
}

/** By the name that the linker wrote, and by the image's own. */
static struct error *search_beside(const struct wanted *wanted)
{
	if (!wanted->path)
		return NULL;
	// Who renames an image renames its PDB with it: its own name is tried as well.
	const char *own_name = pdb_search_name(wanted->path);
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_append_n(&path, wanted->path, (size_t)(own_name - wanted->path));
	string_builder_append(&path, wanted->name);
	struct error *err = try_beside(wanted, &path);
	const char *dot = strrchr(own_name, '.');
	if (err || wanted->search->path || !dot)
		return err;
	string_builder_clear(&path);
	string_builder_append_n(&path, wanted->path, (size_t)(dot - wanted->path));
	string_builder_append(&path, ".pdb");
	return try_beside(wanted, &path);
}

/** "NAME.pdb/GUID AGE/NAME.pdb", as a symbol server keeps them, and "NAME.pdb". */
static struct error *search_folder(const struct wanted *wanted, const char *folder)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_append(&path, folder);
	struct error *err = try_below_folder(wanted, &path); // it may be the PDB itself
	string_builder_appendf(&path, "/%s", wanted->name);
	if (!err && !wanted->search->path)
		err = try_below_folder(wanted, &path);
	if (err || wanted->search->path)
		return err;
	string_builder_clear(&path);
	string_builder_appendf(&path, "%s/", folder);
	symbol_server_append_place(&path, wanted->name, wanted->id);
	return try_below_folder(wanted, &path);
}

static struct error *search_places(const struct wanted *wanted, const struct symbol_path *places)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && !wanted->search->path && i < places->num_places; i++) {
		const struct symbol_place *place = &places->places[i];
		if (!place->server) {
			err = search_folder(wanted, place->folder);
			continue;
		}
		_cleanup_free_ char *path = NULL;
		err = symbol_server_fetch(place->server, wanted->name, wanted->id, &path);
		if (!err && path)
			err = try_ours(wanted, path);
	}
	return err;
}

struct error *pdb_search_find(struct pdb_search *search, const struct pe_image *image,
			      const char *path, const struct debug_search *files,
			      struct symbol_path *symbol_path)
{
	struct wanted wanted = {
		.id = &image->pdb_id,
		.path = path,
		.image = {.headers = image},
		.files = files,
		.search = search,
	};
	if (!image->has_pdb || !image->pdb_path)
		return NULL;
	wanted.name = pdb_search_name(image->pdb_path);
	if (!wanted.name[0] || !strcmp(wanted.name, "."))
		return NULL;
	struct error *err = search_beside(&wanted);
	// A path of a network would send our name there; one without a folder was tried.
	if (!err && !search->path && wanted.name != image->pdb_path) {
		const struct foreign_file_rules rules = debug_search_rules(files, image->pdb_path);
		err = pdb_search_try_path(&wanted, image->pdb_path, &rules);
	}
	if (!err && !search->path && symbol_path)
		err = search_places(&wanted, symbol_path);
	return err;
}

struct error *pdb_search_by_id(struct pdb_search *search, const struct pe_pdb_id *id,
			       const struct object_pdb *pdb, struct symbol_path *symbol_path)
{
	// The name is a recording's: of a path only the last part is looked for.
	const struct wanted wanted = {
		.id = id,
		.name = pdb_search_name(pdb->name),
		.image = {.size = pdb->image_size},
		.search = search,
	};
	if (!symbol_path || !wanted.name[0] || !strcmp(wanted.name, ".") ||
	    !strcmp(wanted.name, ".."))
		return NULL;
	return search_places(&wanted, symbol_path);
}

void pdb_search_deinit(struct pdb_search *search)
{
	pdb_symbols_destroy(search->symbols);
	file_map_close(&search->map);
	free(search->path);
	free(search->other_build);
	*search = (struct pdb_search)PDB_SEARCH_INIT;
}
