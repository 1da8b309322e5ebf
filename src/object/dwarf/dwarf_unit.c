// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_unit.h"
#include "object/dwarf/dwarf_lines_table.h"

// Joins the two answers to an address: the row of the line table says the source line of the
// instruction, and the scopes say in which function, and through which inlined calls, it is. The
// scope tree may come from the .dwo file, the rows always from the file with the skeleton.
//
// dwarf_unit_lines() lists the frames innermost first. The line of the innermost one is that of
// the row; the line of each frame around it is the place of the call in the scope inside it
// (DW_AT_call_file, DW_AT_call_line). So fill_from_scopes() fills the name of frame i and the
// place of frame i + 1 from the same DIE. Without scopes a row alone makes one frame without a
// name. MAX_INLINED bounds the frames of one address.

enum { MAX_INLINED = 256 };

struct error *dwarf_unit_add_ranges(const struct dwarf_unit *unit, const struct elf_image *code,
				    uint32_t value, struct range_map *map)
{
	const struct dwarf_header *header = unit->header;
	return dwarf_scopes_add_ranges(dwarf_ranges_create(header, &header->low_pc,
							   &header->high_pc, &header->ranges),
				       code, 0, value, map);
}

struct error *dwarf_unit_need(struct dwarf_unit *unit, const struct elf_image *code,
			      const struct dwarf_places *places)
{
	if (unit->is_read)
		return NULL;
	struct dwarf_file *file = unit->header->file;
	struct error *err = dwarf_lines_table_need(unit->header, &unit->lines);
	if (!err && unit->lines)
		err = dwarf_lines_need_rows(unit->lines, code, &file->lines_budget,
					    &file->rows_allowance);
	if (!err && unit->header->split_name)
		err = dwarf_split_open(&unit->split, unit->header, places->path, places->search);
	// Without its .dwo file a skeleton has no functions, but its rows still give lines.
	struct dwarf_header *tree = unit->split.header ? unit->split.header : unit->header;
	if (!err)
		err = dwarf_scopes_read(&unit->scopes, tree, code);
	unit->is_read = !err;
	return err;
}

uint32_t dwarf_unit_find_row(const struct dwarf_unit *unit, uint64_t address)
{
	return unit->lines ? dwarf_lines_find(unit->lines, address) : DWARF_LINES_NONE;
}

/** Each function, and where it calls the one before. */
static struct error *fill_from_scopes(struct dwarf_unit *unit, struct dwarf_texts *texts,
				      uint32_t index, struct object_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct dwarf_scope *scope = &unit->scopes.items[index];
		if (!scope->function) {
			struct dwarf_function *read = arena_alloc(&texts->lines, sizeof(*read));
			if (!read)
				return &error_no_memory;
			struct error *err = dwarf_function_read(unit->scopes.header, scope->die,
								&texts->paths, read);
			if (err)
				return err;
			scope->function = read;
		}
		const struct dwarf_function *function = scope->function;
		lines[i].function = function->name;
		lines[i].definition_file = function->definition_file;
		lines[i].definition_line = function->definition_line;
		if (i + 1 < count) {
			lines[i + 1].file = function->call_file;
			lines[i + 1].line = function->call_line;
			lines[i + 1].column = function->call_column;
			lines[i + 1].discriminator = function->call_discriminator;
		}
		index = scope->parent;
	}
	return NULL;
}

struct error *dwarf_unit_lines(struct dwarf_unit *unit, uint32_t row, uint32_t scope,
			       struct dwarf_texts *texts, const struct object_line **ret,
			       size_t *ret_num)
{
	// Without any scope the row is still a line; without both there is nothing to say.
	size_t num_scopes = 0;
	for (uint32_t around = scope; around != RANGE_MAP_NONE && num_scopes < MAX_INLINED;
	     num_scopes++)
		around = unit->scopes.items[around].parent;
	size_t count = num_scopes || row == DWARF_LINES_NONE ? num_scopes : 1;
	struct object_line *lines = arena_alloc_array(&texts->lines, count, sizeof(*lines));
	if (!lines)
		return &error_no_memory;
	struct error *err = NULL;
	if (count && row != DWARF_LINES_NONE) {
		const struct dwarf_row *found = &unit->lines->rows[row];
		lines[0].line = found->line;
		lines[0].column = found->column;
		lines[0].discriminator = found->discriminator;
		err = dwarf_lines_path(unit->lines, found->file, &texts->paths, &lines[0].file);
	}
	if (!err)
		err = fill_from_scopes(unit, texts, scope, lines, num_scopes);
	if (err)
		return err;
	*ret = lines;
	*ret_num = count;
	return NULL;
}

void dwarf_unit_deinit(struct dwarf_unit *unit)
{
	dwarf_scopes_deinit(&unit->scopes);
	dwarf_split_close(&unit->split);
}
