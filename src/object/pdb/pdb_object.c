// SPDX-License-Identifier: Apache-2.0

// A PDB without its image: names and lines are all there, code is not.

#include "object/pdb/pdb_object.h"

#include "base/text/string_builder.h"
#include "object/object_ops.h"
#include "object/pdb/pdb_search.h"
#include "object/pdb/pdb_symbols.h"

#include <stdlib.h>
#include <string.h>

// Only adapts pdb_symbols.c to the interface of objects. There is no code, so these operations are
// missing. Offsets in the image's file are converted by the section headers that the linker put
// into the PDB; without these, only addresses in memory are known.

struct pdb_object {
	struct object object;
	struct pdb_symbols *symbols;
	char *origin; // of one that was found by its GUID; NULL: the user named it
};

static struct pdb_symbols *symbols_of(struct object *object)
{
	return ((struct pdb_object *)object)->symbols;
}

static const struct pdb_file *pdb_object_file_of(const struct object *object)
{
	return pdb_symbols_file(((const struct pdb_object *)object)->symbols);
}

static void pdb_object_destroy(struct object *object)
{
	pdb_symbols_destroy(symbols_of(object));
	free(((struct pdb_object *)object)->origin);
	free(object);
}

static enum object_machine pdb_object_machine(const struct object *object)
{
	return pdb_object_file_of(object)->machine;
}

static size_t pdb_object_build_id(const struct object *object, uint8_t ret[20])
{
	// The GUID alone; the age counts how often the linker has written into the same PDB.
	return pe_pdb_id_bytes(&pdb_object_file_of(object)->id, ret);
}

static bool pdb_object_offset_to_address(const struct object *object, uint64_t file_offset,
					 uint64_t *ret)
{
	return pdb_file_offset_to_image(pdb_object_file_of(object), file_offset, ret);
}

static struct error *pdb_object_symbols(struct object *object, const struct object_symbol **ret,
					size_t *ret_num)
{
	return pdb_symbols_all(symbols_of(object), ret, ret_num);
}

static struct error *pdb_object_find_symbol(struct object *object, uint64_t address,
					    const struct object_symbol **ret)
{
	return pdb_symbols_find(symbols_of(object), address, ret);
}

static struct error *pdb_object_find_lines(struct object *object, uint64_t address,
					   const struct object_line **ret, size_t *ret_num)
{
	return pdb_symbols_find_lines(symbols_of(object), address, ret, ret_num);
}

static const char *pdb_object_symbol_origin(struct object *object)
{
	const struct pdb_object *pdb = (struct pdb_object *)object;
	return pdb->origin ? pdb->origin : pdb_symbols_origin(pdb->symbols);
}

static const struct object_ops pdb_object_ops = {
	.is_windows = true,
	.destroy = pdb_object_destroy,
	.machine = pdb_object_machine,
	.build_id = pdb_object_build_id,
	.offset_to_address = pdb_object_offset_to_address,
	.symbols = pdb_object_symbols,
	.find_symbol = pdb_object_find_symbol,
	.find_lines = pdb_object_find_lines,
	.symbol_origin = pdb_object_symbol_origin,
};

struct error *pdb_object_create(const struct object_input *input, struct object **ret)
{
	struct pdb_object *object = calloc(1, sizeof(*object));
	if (!object)
		return &error_no_memory;
	object->object.ops = &pdb_object_ops;
	_cleanup_(object_destroyp) struct object *base = &object->object;
	struct error *err =
		pdb_symbols_create(NULL, input->data, input->size, input->name, &object->symbols);
	if (err)
		return err;
	*ret = take_ptr(base);
	return NULL;
}

static struct error *pdb_object_create_found(struct pdb_search *found, struct object **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder origin = STRING_BUILDER_INIT;
	struct pdb_object *object = calloc(1, sizeof(*object));
	if (!object)
		return &error_no_memory;
	object->object.ops = &pdb_object_ops;
	_cleanup_(object_destroyp) struct object *base = &object->object;
	string_builder_appendf(&origin, "%s %s", pdb_symbols_origin(found->symbols), found->path);
	struct error *err = string_builder_finish(&origin, &object->origin);
	if (err)
		return err;
	object->symbols = take_ptr(found->symbols);
	base->map = found->map;
	found->map = (struct file_map)FILE_MAP_INIT;
	*ret = take_ptr(base);
	return NULL;
}

/** Without its name, so that a note can be about many images at once. */
static struct error *pdb_not_found(const struct pdb_search *search)
{
	if (search->other_build)
		return error_with_hint(error_create(ERROR_ABSENT, "PDB %s is of a different build",
						    search->other_build),
				       "give the folder of the right one with --symbol-path");
	return error_with_hint(error_create(ERROR_ABSENT, "its PDB was not found"),
			       "give its folder or a server: --symbol-path "
			       "srv*https://msdl.microsoft.com/download/symbols");
}

/** NGEN or crossgen2 made it, and the lengths of its sections do not say where these are. */
static struct error *pdb_not_placed(void)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "its PDB does not say where the sections of the image are"),
		"give a folder with the image: --sysroot DIR or --symbol-path DIR");
}

struct error *pdb_object_open(const struct object_pdb *pdb, struct symbol_path *path,
			      struct object **ret)
{
	_cleanup_(pdb_search_deinit) struct pdb_search search = PDB_SEARCH_INIT;
	struct pe_pdb_id id = {.age = pdb->age};
	if (pdb->build_id_size != PE_GUID_SIZE || !pdb->name)
		return error_create(ERROR_ABSENT, "the recording does not say which PDB it has");
	pe_pdb_id_set_bytes(&id, pdb->build_id);
	struct error *err = pdb_search_by_id(&search, &id, pdb, path);
	if (err)
		return err;
	if (search.path && pdb_symbols_refusal(search.symbols))
		return pdb_not_placed();
	return search.path ? pdb_object_create_found(&search, ret) : pdb_not_found(&search);
}
