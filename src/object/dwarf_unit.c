// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf_unit.h"

#include "base/array.h"
#include "base/string_builder.h"

#include <dwarf.h>
#include <string.h>

enum {
	// Blocks in blocks; the deepest of real programs have some dozens.
	MAX_DEPTH = 256,
	MAX_INLINED = 256,
};

/** A function, or a call that was inlined. */
struct dwarf_scope {
	Dwarf_Die die;
	uint32_t parent; // RANGE_MAP_NONE for a function
	bool is_named;   // what follows is known
	const char *function, *definition_file, *call_file;
	uint32_t definition_line, call_line, call_column;
};

/** The part of a range that is in one segment of code; else it is empty. */
static void clip_to_code(const struct elf_image *code, uint64_t start, uint64_t *end)
{
	const struct elf_segment *segment = elf_image_find_segment(code, start);
	uint64_t limit = start;
	if (segment && segment->is_code)
		limit = segment->memory_size <= UINT64_MAX - segment->address
				? segment->address + segment->memory_size
				: UINT64_MAX;
	if (*end > limit)
		*end = limit;
}

struct error *dwarf_unit_add_ranges(const struct dwarf_library *library,
				    const struct elf_image *code, Dwarf_Die *die, uint32_t depth,
				    uint32_t value, struct range_map *map)
{
	// Many dies may name one list of ranges. Honest ones do not, and have a byte per range.
	size_t most = code->size + MAX_DEPTH;
	ptrdiff_t next = 0;
	Dwarf_Addr base, start, end;
	while ((next = library->dwarf_ranges(die, next, &base, &start, &end)) > 0) {
		clip_to_code(code, start, &end);
		struct error *err = map->num_ranges < most
					    ? range_map_add(map, start, end, depth, value)
					    : NULL;
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_scope(struct dwarf_unit *unit, const Dwarf_Die *die, uint32_t parent,
			       uint32_t *ret)
{
	struct error *err = array_reserve(&unit->scopes, &unit->cap_scopes, unit->num_scopes + 1);
	if (err)
		return err;
	*ret = (uint32_t)unit->num_scopes;
	unit->scopes[unit->num_scopes++] = (struct dwarf_scope){.die = *die, .parent = parent};
	return NULL;
}

/** A walk over the dies of a unit. */
struct walk {
	const struct dwarf_library *library;
	const struct elf_image *code;
	struct dwarf_unit *unit;
	const void *last; // the die that was visited last: the next ones are behind it
	size_t depth;
	Dwarf_Die dies[MAX_DEPTH];
	uint32_t parents[MAX_DEPTH];
};

/** @ret_inner: the scope, or @parent if it has no code of its own. */
static struct error *visit_scope(struct walk *walk, Dwarf_Die *die, uint32_t parent,
				 uint32_t *ret_inner)
{
	struct range_map *map = &walk->unit->map;
	uint32_t scope = (uint32_t)walk->unit->num_scopes;
	size_t before = map->num_ranges;
	struct error *err = dwarf_unit_add_ranges(walk->library, walk->code, die,
						  (uint32_t)walk->depth, scope, map);
	if (err || map->num_ranges == before)
		return err;
	return add_scope(walk->unit, die, parent, ret_inner);
}

static struct error *visit(struct walk *walk, uint32_t *ret_inner, bool *ret_descend)
{
	Dwarf_Die *die = &walk->dies[walk->depth];
	uint32_t parent = walk->parents[walk->depth];
	*ret_inner = parent;
	*ret_descend = true;
	switch (walk->library->dwarf_tag(die)) {
	case DW_TAG_subprogram:
		// The pattern of what is inlined elsewhere has no code, but a lambda in it may
		// have.
		*ret_inner = RANGE_MAP_NONE;
		return visit_scope(walk, die, RANGE_MAP_NONE, ret_inner);
	case DW_TAG_inlined_subroutine:
		return visit_scope(walk, die, parent, ret_inner);
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return NULL;
	default:
		*ret_descend = false;
		return NULL;
	}
}

/** Dies are visited in the order of the file: one before the last would be a loop. */
static bool accept(struct walk *walk, const Dwarf_Die *die)
{
	if ((uintptr_t)die->addr <= (uintptr_t)walk->last)
		return false;
	walk->last = die->addr;
	return true;
}

static bool enter_child(struct walk *walk, uint32_t inner)
{
	if (walk->depth + 1 == MAX_DEPTH)
		return false;
	Dwarf_Die child;
	if (walk->library->dwarf_child(&walk->dies[walk->depth], &child) != 0 ||
	    !accept(walk, &child))
		return false;
	walk->depth++;
	walk->dies[walk->depth] = child;
	walk->parents[walk->depth] = inner;
	return true;
}

/** The next die behind this one and what is within; false at the end. */
static bool advance(struct walk *walk)
{
	for (;; walk->depth--) {
		Dwarf_Die *die = &walk->dies[walk->depth];
		Dwarf_Die next;
		if (walk->depth && walk->library->dwarf_siblingof(die, &next) == 0 &&
		    accept(walk, &next)) {
			*die = next;
			return true;
		}
		if (!walk->depth)
			return false;
	}
}

static struct error *read_scopes(struct dwarf_unit *unit, const struct dwarf_library *library,
				 const struct elf_image *code)
{
	_cleanup_free_ struct walk *walk = calloc(1, sizeof(*walk));
	if (!walk)
		return &error_no_memory;
	walk->library = library;
	walk->code = code;
	walk->unit = unit;
	walk->dies[0] = unit->tree;
	walk->last = unit->tree.addr;
	bool more = enter_child(walk, RANGE_MAP_NONE);
	while (more) {
		uint32_t inner;
		bool descend;
		struct error *err = visit(walk, &inner, &descend);
		if (err)
			return err;
		more = (descend && enter_child(walk, inner)) || advance(walk);
	}
	return NULL;
}

struct error *dwarf_unit_read(struct dwarf_unit *unit, const struct dwarf_library *library,
			      const struct elf_image *code)
{
	if (unit->is_read)
		return NULL;
	if (library->dwarf_getsrclines(&unit->die, &unit->lines, &unit->num_lines) != 0)
		unit->num_lines = 0;
	if (library->dwarf_getsrcfiles(&unit->tree, &unit->files, &unit->num_files) != 0)
		unit->num_files = 0;
	Dwarf_Attribute folder;
	if (library->dwarf_attr(&unit->die, DW_AT_comp_dir, &folder))
		unit->folder = library->dwarf_formstring(&folder);
	struct error *err = read_scopes(unit, library, code);
	if (err)
		return err;
	unit->is_read = true;
	err = range_map_build(&unit->map);
	range_map_trim(&unit->map);
	return err;
}

static Dwarf_Line *line_at(const struct dwarf_unit *unit, const struct dwarf_library *library,
			   size_t index, uint64_t *ret_address)
{
	Dwarf_Line *line = library->dwarf_onesrcline(unit->lines, index);
	Dwarf_Addr address = 0;
	if (line)
		library->dwarf_lineaddr(line, &address);
	*ret_address = address;
	return line;
}

uint32_t dwarf_unit_find_row(const struct dwarf_unit *unit, const struct dwarf_library *library,
			     uint64_t address)
{
	size_t first = 0;
	size_t count = unit->num_lines;
	while (count) { // the last row that begins at the address or before it
		size_t half = count / 2;
		uint64_t start;
		line_at(unit, library, first + half, &start);
		first = start <= address ? first + half + 1 : first;
		count = start <= address ? count - half - 1 : half;
	}
	if (!first || first > UINT32_MAX)
		return DWARF_UNIT_NO_ROW;
	uint64_t start;
	Dwarf_Line *line = line_at(unit, library, first - 1, &start);
	bool is_end = true;
	if (line)
		library->dwarf_lineendsequence(line, &is_end);
	return is_end ? DWARF_UNIT_NO_ROW : (uint32_t)first - 1;
}

/**
 * libdw gives paths from the folder of the compiler on if that is not absolute itself (builds
 * that can be repeated do so), with or without it in front.
 */
static struct error *full_path(const struct dwarf_unit *unit, struct dwarf_texts *texts,
			       const char *path, const char **ret)
{
	*ret = path;
	size_t length = unit->folder ? strlen(unit->folder) : 0;
	if (!path || path[0] == '/' || !length ||
	    (!strncmp(path, unit->folder, length) && path[length] == '/'))
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder joined = STRING_BUILDER_INIT;
	string_builder_appendf(&joined, "%s/%s", unit->folder, path);
	if (joined.failed)
		return &error_no_memory;
	uint32_t id;
	struct error *err = string_table_intern(&texts->paths, joined.text, &id);
	if (!err)
		*ret = string_table_get(&texts->paths, id);
	return err;
}

static uint32_t number_of(const struct dwarf_library *library, Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word value;
	if (!library->dwarf_attr(die, attribute, &found) ||
	    library->dwarf_formudata(&found, &value) != 0 || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

static const char *name_of(const struct dwarf_library *library, Dwarf_Die *die)
{
	static const unsigned attributes[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name,
					      DW_AT_name};
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		Dwarf_Attribute found;
		const char *name = NULL;
		if (library->dwarf_attr_integrate(die, attributes[i], &found))
			name = library->dwarf_formstring(&found);
		if (name)
			return name;
	}
	return NULL;
}

static struct error *read_call(struct dwarf_unit *unit, const struct dwarf_library *library,
			       struct dwarf_texts *texts, struct dwarf_scope *scope)
{
	// File 0 is the first one since DWARF 5; before, libdw calls it "???".
	uint32_t file = number_of(library, &scope->die, DW_AT_call_file);
	const char *path = NULL;
	if (file < unit->num_files)
		path = library->dwarf_filesrc(unit->files, file, NULL, NULL);
	if (path && !strcmp(path, "???"))
		path = NULL;
	scope->call_line = number_of(library, &scope->die, DW_AT_call_line);
	scope->call_column = number_of(library, &scope->die, DW_AT_call_column);
	return full_path(unit, texts, path, &scope->call_file);
}

static struct error *name_scope(struct dwarf_unit *unit, const struct dwarf_library *library,
				struct dwarf_texts *texts, struct dwarf_scope *scope)
{
	if (scope->is_named)
		return NULL;
	scope->function = name_of(library, &scope->die);
	int line = 0;
	if (library->dwarf_decl_line(&scope->die, &line) == 0 && line > 0)
		scope->definition_line = (uint32_t)line;
	struct error *err = full_path(unit, texts, library->dwarf_decl_file(&scope->die),
				      &scope->definition_file);
	if (!err)
		err = read_call(unit, library, texts, scope);
	scope->is_named = !err;
	return err;
}

static struct error *fill_from_row(const struct dwarf_unit *unit,
				   const struct dwarf_library *library, struct dwarf_texts *texts,
				   uint32_t row, struct object_line *line)
{
	if (row == DWARF_UNIT_NO_ROW)
		return NULL;
	Dwarf_Line *found = library->dwarf_onesrcline(unit->lines, row);
	int number = 0, column = 0;
	library->dwarf_lineno(found, &number);
	library->dwarf_linecol(found, &column);
	line->line = number > 0 ? (uint32_t)number : 0;
	line->column = column > 0 ? (uint32_t)column : 0;
	return full_path(unit, texts, library->dwarf_linesrc(found, NULL, NULL), &line->file);
}

static size_t count_scopes(const struct dwarf_unit *unit, uint32_t scope)
{
	size_t count = 0;
	for (; scope != RANGE_MAP_NONE && count < MAX_INLINED; count++)
		scope = unit->scopes[scope].parent;
	return count;
}

/** Each function, and where it calls the one before. */
static struct error *fill_from_scopes(struct dwarf_unit *unit, const struct dwarf_library *library,
				      struct dwarf_texts *texts, uint32_t index,
				      struct object_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct dwarf_scope *scope = &unit->scopes[index];
		struct error *err = name_scope(unit, library, texts, scope);
		if (err)
			return err;
		lines[i].function = scope->function;
		lines[i].definition_file = scope->definition_file;
		lines[i].definition_line = scope->definition_line;
		if (i + 1 < count) {
			lines[i + 1].file = scope->call_file;
			lines[i + 1].line = scope->call_line;
			lines[i + 1].column = scope->call_column;
		}
		index = scope->parent;
	}
	return NULL;
}

struct error *dwarf_unit_lines(struct dwarf_unit *unit, const struct dwarf_library *library,
			       uint32_t row, uint32_t scope, struct dwarf_texts *texts,
			       const struct object_line **ret, size_t *ret_num)
{
	size_t num_scopes = count_scopes(unit, scope);
	size_t count = num_scopes || row == DWARF_UNIT_NO_ROW ? num_scopes : 1;
	struct object_line *lines = arena_alloc_array(&texts->lines, count, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	struct error *err = count ? fill_from_row(unit, library, texts, row, &lines[0]) : NULL;
	if (!err)
		err = fill_from_scopes(unit, library, texts, scope, lines, num_scopes);
	if (err)
		return err;
	*ret = lines;
	*ret_num = count;
	return NULL;
}

void dwarf_unit_deinit(struct dwarf_unit *unit)
{
	free(unit->scopes);
	range_map_deinit(&unit->map);
}
