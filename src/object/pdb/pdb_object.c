// SPDX-License-Identifier: Apache-2.0

// A PDB without its image: names and lines are all there, code is not.

#include "object/object_ops.h"
#include "object/pdb/pdb_symbols.h"

#include <stdlib.h>
#include <string.h>

// Only adapts pdb_symbols.c to the interface of objects. There is neither code nor a table of
// sections with file offsets, so these operations are missing.

struct pdb_object {
	struct object object;
	struct pdb_symbols *symbols;
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
	return pdb_symbols_origin(symbols_of(object));
}

static const struct object_ops pdb_object_ops = {
	.is_windows = true,
	.destroy = pdb_object_destroy,
	.machine = pdb_object_machine,
	.build_id = pdb_object_build_id,
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
		pdb_symbols_create(input->data, input->size, input->name, &object->symbols);
	if (err)
		return err;
	*ret = take_ptr(base);
	return NULL;
}
