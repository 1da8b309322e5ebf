// SPDX-License-Identifier: Apache-2.0

// A Windows image, with its PDB if that is found, else with the names and the DWARF within it.

#include "base/text/string_builder.h"
#include "object/dwarf/line_finder.h"
#include "object/object_ops.h"
#include "object/pdb/pdb_search.h"
#include "object/pe/pe_dwarf.h"
#include "object/pe/pe_functions.h"
#include "object/pe/pe_hybrid.h"
#include "object/pe/pe_image.h"
#include "object/pe/pe_symbols.h"

#include <stdlib.h>
#include <string.h>

// Adapts the readers of Windows images to the interface of objects. Everything is read on demand,
// as most images of a profile are asked for one or two functions: the PDB and .pdata, and only
// without a PDB the exports, COFF symbols and DWARF. Addresses of the interface are RVAs; only the
// DWARF reader needs the image base.

struct pe_object {
	struct object object;
	char *name;
	bool is_file; // the name is its path
	struct debug_search search;
	struct symbol_path *symbol_path;
	struct read_budget *budget; // or NULL
	struct pe_image image;
	struct pe_hybrid hybrid;

	bool pdb_searched;
	struct pdb_search pdb;

	bool symbols_read; // without a PDB
	struct pe_functions functions;
	struct symbol_table symbols;
	struct pe_symbols_found found;
	char *origin;

	struct pe_dwarf dwarf;
	struct line_finder *lines; // NULL before the first question for one without a PDB
};

static const struct pe_image *image_of(const struct object *object)
{
	return &((const struct pe_object *)object)->image;
}

static void pe_object_destroy(struct object *base)
{
	struct pe_object *object = (struct pe_object *)base;
	line_finder_destroy(object->lines);
	pe_dwarf_deinit(&object->dwarf);
	symbol_table_deinit(&object->symbols);
	pe_functions_deinit(&object->functions);
	pdb_search_deinit(&object->pdb);
	pe_hybrid_deinit(&object->hybrid);
	pe_image_deinit(&object->image);
	free(object->origin);
	debug_search_deinit(&object->search);
	free(object->name);
	free(object);
}

static enum object_machine pe_object_machine(const struct object *object)
{
	static const enum object_machine machines[] = {
		[PE_KIND_OTHER] = OBJECT_MACHINE_OTHER,
		[PE_KIND_X64] = OBJECT_MACHINE_X86_64,
		[PE_KIND_ARM64] = OBJECT_MACHINE_AARCH64,
		[PE_KIND_ARM64EC] = OBJECT_MACHINE_AARCH64,
		[PE_KIND_ARM64X] = OBJECT_MACHINE_AARCH64,
	};
	return machines[image_of(object)->kind];
}

static enum object_machine pe_object_machine_at(const struct object *object, uint64_t address)
{
	const struct pe_hybrid *hybrid = &((const struct pe_object *)object)->hybrid;
	return pe_hybrid_machine_at(hybrid, address, pe_object_machine(object));
}

static const struct object_code_range *code_ranges(const struct object *object, size_t *ret_num)
{
	const struct pe_hybrid *hybrid = &((const struct pe_object *)object)->hybrid;
	*ret_num = hybrid->num_ranges;
	return hybrid->ranges;
}

static struct object_bytes function_table(const struct object *object, enum object_machine machine)
{
	const struct pe_hybrid *hybrid = &((const struct pe_object *)object)->hybrid;
	return machine == OBJECT_MACHINE_X86_64 ? hybrid->x64_functions : hybrid->arm64_functions;
}

static uint64_t pe_object_entry(const struct object *object)
{
	return image_of(object)->entry;
}

static size_t pe_object_build_id(const struct object *object, uint8_t ret[20])
{
	const struct pe_image *image = image_of(object);
	return image->has_pdb ? pe_pdb_id_bytes(&image->pdb_id, ret) : 0;
}

static bool pe_object_find_pdb(const struct object *object, struct object_pdb *ret)
{
	const struct pe_image *image = image_of(object);
	struct object_pdb pdb = {.image_time = image->time, .image_size = image->memory_size};
	pdb.build_id_size = (uint8_t)pe_object_build_id(object, pdb.build_id);
	if (image->has_pdb && image->pdb_path) {
		pdb.age = image->pdb_id.age;
		pdb.name = pdb_search_name(image->pdb_path);
	}
	*ret = pdb;
	return true;
}

static bool pe_object_offset_to_address(const struct object *object, uint64_t file_offset,
					uint64_t *ret)
{
	return pe_image_offset_to_address(image_of(object), file_offset, ret);
}

static uint64_t linked_base(const struct object *object)
{
	return image_of(object)->base;
}

static struct error *need_functions(struct pe_object *object)
{
	if (object->functions.items)
		return NULL;
	return pe_functions_read(&object->image, &object->hybrid, &object->functions);
}

/** A table that cannot be read has no functions. */
static bool have_functions(struct pe_object *object)
{
	struct error *err = need_functions(object);
	bool is_read = !err;
	error_destroy(err);
	return is_read;
}

static bool pe_object_find_function(struct object *base, uint64_t address, uint64_t *ret_start,
				    uint64_t *ret_end)
{
	struct pe_object *object = (struct pe_object *)base;
	const struct pe_function *found =
		address <= UINT32_MAX && have_functions(object)
			? pe_functions_find(&object->functions, (uint32_t)address)
			: NULL;
	if (!found)
		return false;
	// A function may have several entries in .pdata; those behind each other are one.
	found = pe_functions_first_part(&object->functions, found);
	*ret_start = found->start;
	*ret_end = pe_functions_end(&object->functions, found);
	return true;
}

static bool pe_object_next_function(struct object *base, uint64_t address, uint64_t *ret_start,
				    uint64_t *ret_end)
{
	struct pe_object *object = (struct pe_object *)base;
	const struct pe_function *found =
		address <= UINT32_MAX && have_functions(object)
			? pe_functions_from(&object->functions, (uint32_t)address)
			: NULL;
	if (!found)
		return false;
	*ret_start = found->start;
	*ret_end = pe_functions_end(&object->functions, found);
	return true;
}

/** @ret: of the image, or NULL if there is none. */
static struct error *need_pdb(struct object *base, struct pdb_symbols **ret)
{
	struct pe_object *object = (struct pe_object *)base;
	struct error *err = NULL;
	// Bytes that were not opened by a path may be a stranger's, who would choose by the path in
	// them which file of this machine is read.
	bool may_search = object->is_file || object->symbol_path;
	if (!object->pdb_searched && may_search) {
		err = pdb_search_find(&object->pdb, &object->image,
				      object->is_file ? object->name : NULL, &object->search,
				      object->symbol_path);
		if (!err)
			err = need_functions(object);
		if (!err && object->pdb.symbols)
			pdb_symbols_set_functions(object->pdb.symbols, &object->functions);
	}
	// After an error the next question searches again.
	if (err)
		pdb_search_deinit(&object->pdb);
	object->pdb_searched = !err;
	*ret = object->pdb.symbols;
	return err;
}

static struct error *pe_object_read_symbols(struct pe_object *object)
{
	if (object->symbols_read)
		return NULL;
	struct error *err = need_functions(object);
	if (!err)
		err = pe_symbols_add(&object->image, &object->functions, &object->symbols,
				     &object->found);
	if (!err)
		err = symbol_table_build(&object->symbols);
	if (err)
		symbol_table_deinit(&object->symbols);
	object->symbols_read = !err;
	return err;
}

static struct error *pe_object_symbols(struct object *base, const struct object_symbol **ret,
				       size_t *ret_num)
{
	struct pe_object *object = (struct pe_object *)base;
	struct pdb_symbols *pdb;
	struct error *err = need_pdb(base, &pdb);
	if (!err && pdb)
		return pdb_symbols_all(pdb, ret, ret_num);
	if (!err)
		err = pe_object_read_symbols(object);
	if (err)
		return err;
	*ret = object->symbols.items;
	*ret_num = object->symbols.num_items;
	return NULL;
}

static struct error *pe_object_find_symbol(struct object *base, uint64_t address,
					   const struct object_symbol **ret)
{
	struct pe_object *object = (struct pe_object *)base;
	struct pdb_symbols *pdb;
	struct error *err = need_pdb(base, &pdb);
	if (!err && pdb)
		return pdb_symbols_find(pdb, address, ret);
	if (!err)
		err = pe_object_read_symbols(object);
	if (!err)
		*ret = symbol_table_find(&object->symbols, address);
	return err;
}

static bool pe_object_find_variable(const struct object *object, const char *name,
				    struct object_variable *ret)
{
	// Exports first, which every image may have; COFF symbols are only in images of mingw.
	uint32_t address;
	if (!pe_symbols_find_export(image_of(object), name, &address) &&
	    !pe_symbols_find_variable(image_of(object), name, &address))
		return false;
	*ret = (struct object_variable){.address = address};
	return true;
}

static struct error *pe_object_find_lines(struct object *base, uint64_t address,
					  const struct object_line **ret, size_t *ret_num)
{
	struct pe_object *object = (struct pe_object *)base;
	struct pdb_symbols *pdb;
	struct error *err = need_pdb(base, &pdb);
	if (!err && pdb)
		return pdb_symbols_find_lines(pdb, address, ret, ret_num);
	if (!err && !object->lines) {
		// Without DWARF the ELF image stays empty, and the finder finds nothing in it.
		struct elf_image *image = &object->dwarf.image;
		if (!object->dwarf.bytes)
			err = pe_dwarf_init(&object->dwarf, &object->image, object->name);
		image->budget = object->budget;
		if (!err)
			err = line_finder_create(image, image, NULL, &object->search,
						 &object->lines);
	}
	return err ? err
		   : line_finder_find(object->lines, object->image.base + address, ret, ret_num);
}

static struct object_bytes pe_object_section(struct object *object, const char *name)
{
	const struct pe_image *image = image_of(object);
	const struct pe_section *found = pe_image_find_section(image, name);
	return found ? pe_image_section_bytes(image, found) : (struct object_bytes){0};
}

static struct object_bytes pe_object_code(struct object *object, uint64_t address, size_t size)
{
	// Addresses of an image are RVAs, which have 32 bits.
	if (address > UINT32_MAX)
		return (struct object_bytes){0};
	struct object_bytes bytes = pe_image_bytes_at(image_of(object), (uint32_t)address);
	if (bytes.size > size)
		bytes.size = size;
	return bytes;
}

static struct error *describe_origin(struct pe_object *object, struct string_builder *text)
{
	struct pdb_symbols *pdb;
	struct error *err = need_pdb(&object->object, &pdb);
	if (!err && !pdb)
		err = pe_object_read_symbols(object);
	if (err)
		return err;
	const struct pe_symbols_found *found = &object->found;
	if (pdb) {
		string_builder_appendf(text, "%s %s", pdb_symbols_origin(pdb), object->pdb.path);
		return NULL;
	}
	// Without a PDB the user is told which names there were instead, and why.
	string_builder_append(text, found->num_symbols   ? "symtab"
				    : found->num_exports ? "exports"
							 : "none");
	if (object->pdb.other_build)
		string_builder_appendf(text, ", because PDB %s is of a different build",
				       object->pdb.other_build);
	else if (object->image.has_pdb)
		string_builder_append(text, ", because its PDB was not found");
	return NULL;
}

static const char *pe_object_symbol_origin(struct object *base)
{
	struct pe_object *object = (struct pe_object *)base;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	if (object->origin)
		return object->origin;
	struct error *err = describe_origin(object, &text);
	if (!err)
		err = string_builder_finish(&text, &object->origin);
	error_destroy(err);
	return object->origin ? object->origin : "none";
}

static const struct object_ops pe_object_ops = {
	.is_windows = true,
	.destroy = pe_object_destroy,
	.machine = pe_object_machine,
	.machine_at = pe_object_machine_at,
	.code_ranges = code_ranges,
	.function_table = function_table,
	.find_function = pe_object_find_function,
	.next_function = pe_object_next_function,
	.base = linked_base,
	.entry = pe_object_entry,
	.build_id = pe_object_build_id,
	.find_pdb = pe_object_find_pdb,
	.offset_to_address = pe_object_offset_to_address,
	.symbols = pe_object_symbols,
	.find_symbol = pe_object_find_symbol,
	.find_variable = pe_object_find_variable,
	.find_lines = pe_object_find_lines,
	.section = pe_object_section,
	.code = pe_object_code,
	.symbol_origin = pe_object_symbol_origin,
};

struct error *pe_object_create(const struct object_input *input, struct object **ret)
{
	struct pe_object *object = calloc(1, sizeof(*object));
	if (!object)
		return &error_no_memory;
	object->object.ops = &pe_object_ops;
	_cleanup_(object_destroyp) struct object *base = &object->object;
	object->is_file = input->is_file;
	object->name = strdup(input->name);
	object->symbol_path = input->places->symbol_path;
	object->budget = input->places->budget;
	struct error *err = debug_search_init(&object->search, input->places);
	if (!object->name || err)
		return &error_no_memory;
	err = pe_image_init(&object->image, input->data, input->size, input->name);
	if (!err)
		err = pe_hybrid_read(&object->image, &object->hybrid);
	if (err)
		return err;
	*ret = take_ptr(base);
	return NULL;
}
