// SPDX-License-Identifier: Apache-2.0

#include "object/pdb/pdb_symbols.h"

#include "base/container/arena.h"
#include "base/container/array.h"
#include "base/container/hash_table.h"
#include "object/pdb/pdb_inlined.h"
#include "object/pdb/pdb_module.h"
#include "object/pdb/pdb_publics.h"
#include "object/pdb/pdb_types.h"
#include "object/symbol_table.h"

// Answers questions about an address, on top of the readers of the parts. find_spot(): the run of
// contributions gives the module, the module its function (both by binary search); the module is
// read at its first question. Without a function, the public names are the fallback, which are
// read as a whole. pdb_symbols_find_lines() goes on: rows of the module, inlined sites of the
// function (pdb_symbols_find_place()), then one line per site from the innermost outward and one
// for the function itself (fill_lines()).
//
// Three caches, because profiles repeat themselves: `last`, as a question for the name is mostly
// followed by one for the lines; `known`, the lines of each address; and `names`, since a name of
// an inlined function is put together from several type records.
//
// Functions that the linker folded (/OPT:ICF) are in several modules at one address. The module
// that contributed the code wins, also in the list of all functions (pdb_symbols_add_module()).

/** Lines that were asked for. */
struct known_lines {
	uint32_t address;
	uint32_t num_lines;
	const struct object_line *lines;
};

/** The name of a function whose calls are inlined. */
struct known_name {
	uint32_t id;
	const char *name;
};

/** What is known of an address, and of those around it: as much of the code of one function. */
struct spot {
	uint32_t start, size;
	bool has_piece;            // of some module
	struct pdb_module *module; // or NULL
	const struct pdb_module_header *header;
	struct pdb_function *function; // or NULL
};

struct pdb_symbols {
	struct pdb_file file;
	struct pdb_module *modules; // as many as the file has
	struct spot last;           // asked for; a function is mostly followed by its lines

	const struct pe_functions *functions; // of the image, or NULL
	bool publics_read;
	struct pdb_publics publics;
	struct symbol_table public_table;
	bool all_read;
	struct symbol_table all;

	bool types_read;
	struct pdb_types types;
	struct pdb_inlined_reader inlined;
	struct arena arena; // lines and names
	struct known_lines *known;
	size_t num_known, cap_known;
	struct hash_table known_index;
	struct known_name *names;
	size_t num_names, cap_names;
	struct hash_table names_index;
};

struct error *pdb_symbols_create(const struct pdb_image *image, const void *data, size_t size,
				 const char *name, struct pdb_symbols **ret)
{
	_cleanup_(pdb_symbols_destroyp) struct pdb_symbols *symbols = calloc(1, sizeof(*symbols));
	if (!symbols)
		return &error_no_memory;
	struct error *err = pdb_file_init(&symbols->file, image, data, size, name);
	if (err)
		return err;
	symbols->modules = calloc(symbols->file.num_modules + 1, sizeof(*symbols->modules));
	if (!symbols->modules)
		return &error_no_memory;
	*ret = take_ptr(symbols);
	return NULL;
}

void pdb_symbols_destroy(struct pdb_symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; symbols->modules && i < symbols->file.num_modules; i++)
		pdb_module_deinit(&symbols->modules[i]);
	free(symbols->modules);
	symbol_table_deinit(&symbols->public_table);
	symbol_table_deinit(&symbols->all);
	pdb_publics_deinit(&symbols->publics);
	free(symbols->known);
	hash_table_deinit(&symbols->known_index);
	free(symbols->names);
	hash_table_deinit(&symbols->names_index);
	pdb_inlined_reader_deinit(&symbols->inlined);
	arena_deinit(&symbols->arena);
	pdb_file_deinit(&symbols->file);
	free(symbols);
}

const struct pdb_file *pdb_symbols_file(const struct pdb_symbols *symbols)
{
	return &symbols->file;
}

const char *pdb_symbols_refusal(const struct pdb_symbols *symbols)
{
	if (symbols->file.layout == PDB_LAYOUT_REFUSED)
		return "none, because its PDB has no section headers, and lengths that do not "
		       "add up to the image";
	if (!symbols->file.sections.num_items)
		return "none, because its PDB has no section headers: names have no addresses";
	return NULL;
}

const char *pdb_symbols_origin(const struct pdb_symbols *symbols)
{
	const char *why = pdb_symbols_refusal(symbols);
	if (why)
		return why;
	if (symbols->file.layout == PDB_LAYOUT_FIRST)
		return "PDB without section headers: only the first section; give the image for "
		       "all";
	if (symbols->file.is_fastlink)
		return "PDB of /debug:fastlink, whose lines are in the object files of its build";
	if (symbols->file.is_stripped)
		return "stripped PDB, without lines and static functions";
	return "PDB";
}

void pdb_symbols_set_functions(struct pdb_symbols *symbols, const struct pe_functions *functions)
{
	symbols->functions = functions;
}

static struct error *pdb_symbols_find_function(struct pdb_symbols *symbols,
					       const struct pdb_run *run, uint32_t address,
					       struct spot *spot)
{
	struct pdb_file *file = &symbols->file;
	struct pdb_module *module = &symbols->modules[run->module];
	spot->header = &file->modules[run->module];
	struct error *err = pdb_module_read_functions(module, file, spot->header);
	if (err)
		return err;
	spot->function = pdb_module_find_function(module, address);
	spot->has_piece = spot->function || pdb_file_contribution(file, address);
	spot->module = spot->has_piece ? module : NULL;
	if (!spot->function)
		return NULL;
	// The answer holds for the function, but only as far as the run of its module goes.
	uint32_t start = pdb_module_function_start(module, spot->function);
	uint32_t end = pdb_module_function_limit(module, spot->function);
	spot->start = start > run->start ? start : run->start;
	spot->size = (end < run[1].start ? end : run[1].start) - spot->start;
	return NULL;
}

static struct error *find_spot(struct pdb_symbols *symbols, uint32_t address, struct spot *ret)
{
	if (address - symbols->last.start < symbols->last.size) {
		*ret = symbols->last;
		return NULL;
	}
	struct spot spot = {.start = address, .size = 1};
	const struct pdb_run *run = pdb_file_run(&symbols->file, address);
	struct error *err = NULL;
	if (run && run->module < symbols->file.num_modules)
		err = pdb_symbols_find_function(symbols, run, address, &spot);
	else
		spot.has_piece = pdb_file_contribution(&symbols->file, address);
	if (!err)
		*ret = symbols->last = spot;
	return err;
}

/** Names without sizes end where their piece of code does at the latest. */
static struct error *add_public(struct pdb_symbols *symbols, const struct pdb_public *item,
				struct symbol_table *table)
{
	struct object_symbol symbol = {.name = item->name};
	uint32_t address;
	if (!pdb_file_to_image(&symbols->file, item->address, &address))
		return NULL;
	symbol.address = address;
	const struct pdb_contribution *piece = pdb_file_contribution(&symbols->file, item->address);
	uint64_t limit = UINT64_MAX;
	for (size_t i = 0; !piece && i < symbols->file.sections.num_items; i++) {
		const struct pdb_section *section = &symbols->file.sections.items[i];
		if (item->address - section->address < section->size)
			limit = (uint64_t)section->address + section->size;
	}
	if (piece)
		limit = symbol.address + (piece->end - item->address);
	const struct pe_function *function =
		symbols->functions ? pe_functions_find(symbols->functions, address) : NULL;
	if (function && pe_functions_end(symbols->functions, function) < limit)
		limit = pe_functions_end(symbols->functions, function);
	return symbol_table_add_function(table, &symbol, limit);
}

static struct error *read_publics(struct pdb_symbols *symbols)
{
	if (symbols->publics_read)
		return NULL;
	struct error *err = NULL;
	if (!symbols->publics.items)
		err = pdb_publics_read(&symbols->file, &symbols->publics);
	for (size_t i = 0; !err && i < symbols->publics.num_items; i++)
		err = add_public(symbols, &symbols->publics.items[i], &symbols->public_table);
	if (!err)
		err = symbol_table_build(&symbols->public_table);
	if (err)
		symbol_table_deinit(&symbols->public_table);
	symbols->publics_read = !err;
	return err;
}

struct error *pdb_symbols_find(struct pdb_symbols *symbols, uint64_t address,
			       const struct object_symbol **ret)
{
	uint32_t linked;
	*ret = NULL;
	if (address > UINT32_MAX ||
	    !pdb_file_from_image(&symbols->file, (uint32_t)address, &linked))
		return NULL;
	struct spot spot;
	struct error *err = find_spot(symbols, linked, &spot);
	if (err)
		return err;
	if (spot.function) {
		*ret = &spot.function->symbol;
		return NULL;
	}
	// Public names are those of pieces, too: between these there is nothing.
	if (symbols->file.num_contributions && !spot.has_piece)
		return NULL;
	err = read_publics(symbols);
	if (!err)
		*ret = symbol_table_find(&symbols->public_table, address);
	return err;
}

/** Of functions that were folded into one, only that of the module whose code was kept is there. */
static struct error *pdb_symbols_add_module(struct pdb_symbols *symbols, size_t index)
{
	struct pdb_module *module = &symbols->modules[index];
	struct error *err =
		pdb_module_read_functions(module, &symbols->file, &symbols->file.modules[index]);
	for (size_t i = 0; !err && i < module->num_functions; i++) {
		const struct pdb_function *function = &module->functions[i];
		const struct pdb_contribution *piece =
			pdb_file_contribution(&symbols->file, function->start);
		if (piece && piece->module == index && function->symbol.name[0])
			err = symbol_table_add_function(&symbols->all, &function->symbol,
							UINT64_MAX);
	}
	return err;
}

/** Those of code that no module describes. */
static struct error *add_other_publics(struct pdb_symbols *symbols)
{
	struct error *err = read_publics(symbols);
	const struct symbol_table *table = &symbols->public_table;
	for (size_t i = 0; !err && i < table->num_items; i++) {
		const struct object_symbol *symbol;
		err = pdb_symbols_find(symbols, table->items[i].address, &symbol);
		if (!err && symbol == &table->items[i])
			err = symbol_table_add_function(&symbols->all, symbol, UINT64_MAX);
	}
	return err;
}

struct error *pdb_symbols_all(struct pdb_symbols *symbols, const struct object_symbol **ret,
			      size_t *ret_num)
{
	if (!symbols->all_read) {
		struct error *err = NULL;
		for (size_t i = 0; !err && i < symbols->file.num_modules; i++)
			err = pdb_symbols_add_module(symbols, i);
		if (!err)
			err = add_other_publics(symbols);
		if (!err)
			err = symbol_table_build(&symbols->all);
		if (err) {
			symbol_table_deinit(&symbols->all);
			return err;
		}
		symbols->all_read = true;
	}
	*ret = symbols->all.items;
	*ret_num = symbols->all.num_items;
	return NULL;
}

static bool pdb_symbols_is_name(const void *owner, uint32_t index, const void *key)
{
	const struct pdb_symbols *symbols = owner;
	const uint32_t *id = key;
	return symbols->names[index].id == *id;
}

/** Made once, as it is put together from several records. @ret: NULL if it is not known. */
static struct error *pdb_symbols_name_of(struct pdb_symbols *symbols, uint32_t id, const char **ret)
{
	uint64_t hash = hash_bytes(&id, sizeof(id));
	uint32_t index =
		hash_table_find(&symbols->names_index, hash, pdb_symbols_is_name, symbols, &id);
	if (index != HASH_TABLE_NONE) {
		*ret = symbols->names[index].name;
		return NULL;
	}
	struct error *err = NULL;
	if (!symbols->types_read)
		err = pdb_types_init(&symbols->types, &symbols->file.msf);
	if (err)
		return err;
	symbols->types_read = true;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	pdb_types_append_function(&symbols->types, id, &name);
	if (name.failed)
		return &error_no_memory;
	*ret = name.length ? arena_strdup(&symbols->arena, name.text) : NULL;
	if (name.length && !*ret)
		return &error_no_memory;
	err = array_reserve(&symbols->names, &symbols->cap_names, symbols->num_names + 1);
	if (!err)
		err = hash_table_insert(&symbols->names_index, hash, (uint32_t)symbols->num_names);
	if (!err)
		symbols->names[symbols->num_names++] = (struct known_name){id, *ret};
	return err;
}

/** All that is known of an address, on the way to its lines. */
struct place {
	uint32_t address;
	struct pdb_module *module;
	struct pdb_function *function;     // or NULL
	const struct pdb_row *row;         // or NULL
	const struct pdb_inlined *inlined; // into the function; NULL without one
	uint32_t site;                     // the innermost one, or PDB_NO_SITE
};

static struct error *pdb_symbols_find_place(struct pdb_symbols *symbols, uint32_t address,
					    struct place *ret)
{
	struct spot spot;
	*ret = (struct place){.address = address, .site = PDB_NO_SITE};
	struct error *err = find_spot(symbols, address, &spot);
	if (err || !spot.module)
		return err;
	ret->module = spot.module;
	ret->function = spot.function;
	err = pdb_module_read_lines(spot.module, &symbols->file, spot.header);
	if (err)
		return err;
	if (ret->function)
		pdb_module_fetch(ret->module, ret->function);
	ret->row = pdb_module_find_row(ret->module, ret->function, address);
	if (!ret->function)
		return NULL;
	const struct pdb_inlined **known = pdb_module_inlined(ret->module, ret->function);
	if (!*known)
		err = pdb_inlined_read(&symbols->inlined, ret->module, ret->function, known);
	if (err)
		return err;
	ret->inlined = *known;
	ret->site = pdb_inlined_find_site(ret->inlined, address);
	return NULL;
}

static struct error *fill_inlined(struct pdb_symbols *symbols, const struct place *place,
				  uint32_t index, struct object_line *ret)
{
	const struct pdb_inlined *inlined = place->inlined;
	uint32_t id = inlined->sites[index].id;
	const struct pdb_site_row *row = pdb_inlined_find_row(inlined, index, place->address);
	const struct pdb_inlinee *inlinee = pdb_module_find_inlinee(place->module, id);
	const struct pdb_file *file = &symbols->file;
	if (row) {
		ret->file = pdb_module_file_name(place->module, file, row->file);
		ret->line = row->line;
	}
	if (inlinee) {
		ret->definition_file = pdb_module_file_name(place->module, file, inlinee->file);
		ret->definition_line = inlinee->line;
	}
	return pdb_symbols_name_of(symbols, id, &ret->function);
}

static void fill_outermost(struct pdb_symbols *symbols, const struct place *place,
			   struct object_line *ret)
{
	const struct pdb_file *file = &symbols->file;
	if (place->row) {
		ret->file = pdb_module_file_name(place->module, file, place->row->file);
		ret->line = place->row->line;
		ret->column = place->row->column;
	}
	if (!place->function)
		return;
	ret->function = place->function->symbol.name;
	// A PDB does not say where a function is defined: its first row is the nearest to that.
	const struct pdb_row *first = pdb_module_first_row(place->module, place->function);
	if (!first)
		return;
	ret->definition_file = pdb_module_file_name(place->module, file, first->file);
	ret->definition_line = first->line;
}

static struct error *fill_lines(struct pdb_symbols *symbols, const struct place *place,
				struct known_lines *ret)
{
	uint32_t num_lines = place->row != NULL;
	for (uint32_t site = place->site; site != PDB_NO_SITE;
	     site = place->inlined->sites[site].parent)
		num_lines++;
	// Inlined calls without a row still have a line for the function that they are in.
	if (num_lines && !place->row)
		num_lines++;
	*ret = (struct known_lines){.address = place->address, .num_lines = num_lines};
	if (!num_lines)
		return NULL;
	struct object_line *lines = arena_alloc_array(&symbols->arena, num_lines, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	struct object_line *line = lines;
	for (uint32_t site = place->site; site != PDB_NO_SITE;
	     site = place->inlined->sites[site].parent) {
		struct error *err = fill_inlined(symbols, place, site, line++);
		if (err)
			return err;
	}
	fill_outermost(symbols, place, line);
	ret->lines = lines;
	return NULL;
}

static struct error *pdb_symbols_add_known(struct pdb_symbols *symbols, uint32_t address,
					   uint64_t hash)
{
	struct place place;
	struct error *err = pdb_symbols_find_place(symbols, address, &place);
	if (!err)
		err = array_reserve(&symbols->known, &symbols->cap_known, symbols->num_known + 1);
	if (!err)
		err = fill_lines(symbols, &place, &symbols->known[symbols->num_known]);
	if (!err)
		err = hash_table_insert(&symbols->known_index, hash, (uint32_t)symbols->num_known);
	if (!err)
		symbols->num_known++;
	return err;
}

static bool pdb_symbols_is_known(const void *owner, uint32_t index, const void *key)
{
	const struct pdb_symbols *symbols = owner;
	const uint32_t *address = key;
	return symbols->known[index].address == *address;
}

struct error *pdb_symbols_find_lines(struct pdb_symbols *symbols, uint64_t address,
				     const struct object_line **ret, size_t *ret_num)
{
	uint32_t linked;
	*ret = NULL;
	*ret_num = 0;
	if (address > UINT32_MAX ||
	    !pdb_file_from_image(&symbols->file, (uint32_t)address, &linked))
		return NULL;
	uint64_t hash = hash_bytes(&linked, sizeof(linked));
	uint32_t index = hash_table_find(&symbols->known_index, hash, pdb_symbols_is_known, symbols,
					 &linked);
	if (index == HASH_TABLE_NONE) {
		struct error *err = pdb_symbols_add_known(symbols, linked, hash);
		if (err)
			return err;
		index = (uint32_t)symbols->num_known - 1;
	}
	*ret = symbols->known[index].lines;
	*ret_num = symbols->known[index].num_lines;
	return NULL;
}
