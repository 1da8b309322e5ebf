// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_scopes.h"

#include "base/container/array.h"
#include "object/dwarf/dwarf_attribute.h"
#include "object/dwarf/dwarf_die.h"

#include <dwarf.h>
#include <string.h>

// One pass over the DIEs of a unit, in the order of the file, collects functions and inlined calls
// (DW_TAG_subprogram, DW_TAG_inlined_subroutine) with their ranges. DIEs form a tree without any
// pointers (DWARF 5, 2.3): a DIE with children is followed by them, and a null entry ends the
// list. So the pass keeps its depth and, by depth, the scope around.
//
// Types and variables are most of the tree. Below a DIE that can contain no code (is_entered())
// the pass jumps to DW_AT_sibling if there is one, else it skips DIE by DIE until the depth is
// back (passed_depth). A sibling must lie ahead, so each byte is read once and the pass always
// ends. The stack of parents is an array and not recursion, as depth comes from the file; what is
// deeper than MAX_DEPTH is skipped like a type.
//
// The ranges go into a range map with their depth. Names are not read here: most functions of a
// unit are never asked for (dwarf_function.c reads one when its first address is).

// Blocks in blocks; the deepest of real programs have some dozens.
enum { MAX_DEPTH = 256 };

// It, its ranges and their pieces.
enum { BYTES_OF_SCOPE = 128 };

struct error *dwarf_scopes_add_ranges(struct dwarf_ranges ranges, const struct elf_image *code,
				      uint32_t depth, uint32_t value, struct range_map *map)
{
	uint64_t start, end;
	while (dwarf_ranges_next(&ranges, &start, &end)) {
		// The part that is in one segment of code; else it is empty.
		const struct elf_segment *segment = elf_image_find_segment(code, start);
		uint64_t limit = start;
		if (segment && segment->is_code)
			limit = segment->memory_size <= UINT64_MAX - segment->address
					? segment->address + segment->memory_size
					: UINT64_MAX;
		if (end > limit)
			end = limit;
		struct error *err = range_map_add(map, start, end, depth, value);
		if (err)
			return err;
	}
	return NULL;
}

/** A walk over the dies of a unit, in the order of the file. */
struct walk {
	struct dwarf_scopes *scopes;
	const struct elf_image *code;
	struct dwarf_die die;        // the present one
	size_t depth;                // of it; the root has 0
	size_t passed_depth;         // dies below this one are passed over; SIZE_MAX: none are
	uint32_t parents[MAX_DEPTH]; // by depth
};

/** May code be below such a die? */
static bool is_entered(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/** @ret_inner: the scope, or that around it if it has no code of its own. */
static struct error *dwarf_scopes_visit(struct walk *walk, uint64_t offset, uint32_t *ret_inner)
{
	const struct dwarf_abbreviation *abbreviation = walk->die.abbreviation;
	bool is_function = abbreviation->tag == DW_TAG_subprogram;
	uint32_t parent = walk->parents[walk->depth];
	// The pattern of what is inlined elsewhere has no code, but a lambda in it may have.
	*ret_inner = is_function ? RANGE_MAP_NONE : parent;
	if (!abbreviation->has_code ||
	    (!is_function && abbreviation->tag != DW_TAG_inlined_subroutine))
		return NULL;
	struct dwarf_scopes *scopes = walk->scopes;
	static const uint16_t attributes[] = {DW_AT_low_pc, DW_AT_high_pc, DW_AT_ranges};
	struct dwarf_value values[ARRAY_SIZE(attributes)];
	dwarf_die_values(&walk->die, attributes, ARRAY_SIZE(attributes), values);
	size_t before = scopes->map.num_ranges;
	struct error *err = dwarf_scopes_add_ranges(
		dwarf_ranges_create(scopes->header, &values[0], &values[1], &values[2]), walk->code,
		(uint32_t)walk->depth, (uint32_t)scopes->num_items, &scopes->map);
	if (err || scopes->map.num_ranges == before)
		return err;
	if (!read_allowance_take(&scopes->header->file->units_allowance, BYTES_OF_SCOPE)) {
		walk->die.reader.failed = true;
		return NULL;
	}
	err = array_reserve(&scopes->items, &scopes->cap_items, scopes->num_items + 1);
	if (err)
		return err;
	scopes->items[scopes->num_items] =
		(struct dwarf_scope){.die = offset, .parent = *ret_inner};
	*ret_inner = (uint32_t)scopes->num_items++;
	return NULL;
}

/** Behind the die: what is next is its first child, or its sibling. */
static void move_on(struct walk *walk, uint32_t inner, bool is_passed)
{
	bool has_children = walk->die.abbreviation->has_children;
	bool is_entered_now = !is_passed && is_entered(walk->die.abbreviation->tag) &&
			      walk->depth + 1 < MAX_DEPTH;
	struct dwarf_value sibling;
	dwarf_die_skip(&walk->die, &sibling);
	if (!has_children)
		return;
	// Over all dies below this one at once, if it says where they end.
	struct dwarf_header *own = walk->scopes->header, *header = own;
	uint64_t offset;
	if (!is_entered_now && sibling.form &&
	    dwarf_attribute_reference(own, &sibling, &header, &offset) && header == own &&
	    offset >= walk->die.reader.offset) {
		walk->die.reader.offset = offset;
		return;
	}
	if (!is_entered_now && !is_passed)
		walk->passed_depth = walk->depth;
	walk->depth++;
	if (is_entered_now)
		walk->parents[walk->depth] = inner;
}

/** One die, or one end of children. */
static struct error *dwarf_scopes_step(struct walk *walk)
{
	struct reader *reader = &walk->die.reader;
	uint64_t offset = reader->offset;
	uint64_t code = reader_uleb128(reader);
	if (!code) {
		// The end of a list of children.
		walk->depth--;
		if (walk->depth == walk->passed_depth)
			walk->passed_depth = SIZE_MAX;
		return NULL;
	}
	struct error *err = dwarf_abbreviations_find(walk->scopes->header->abbreviations, code,
						     &walk->die.abbreviation);
	if (err)
		return err;
	if (!walk->die.abbreviation) {
		reader->failed = true;
		return NULL;
	}
	uint32_t inner = RANGE_MAP_NONE;
	bool is_passed = walk->depth > walk->passed_depth;
	if (!is_passed)
		err = dwarf_scopes_visit(walk, offset, &inner);
	if (!err)
		move_on(walk, inner, is_passed);
	return err;
}

struct error *dwarf_scopes_read(struct dwarf_scopes *scopes, struct dwarf_header *header,
				const struct elf_image *code)
{
	*scopes = (struct dwarf_scopes){.header = header};
	struct walk walk = {.scopes = scopes, .code = code, .passed_depth = SIZE_MAX};
	struct error *err = dwarf_die_read(header, header->root, &walk.die);
	if (!err && walk.die.abbreviation && walk.die.abbreviation->has_children) {
		struct dwarf_value sibling;
		dwarf_die_skip(&walk.die, &sibling);
		walk.depth = 1;
		walk.parents[1] = RANGE_MAP_NONE;
	}
	while (!err && walk.depth && reader_left(&walk.die.reader))
		err = dwarf_scopes_step(&walk);
	if (!err)
		err = range_map_build(&scopes->map);
	range_map_trim(&scopes->map);
	return err;
}

void dwarf_scopes_deinit(struct dwarf_scopes *scopes)
{
	free(scopes->items);
	range_map_deinit(&scopes->map);
	*scopes = (struct dwarf_scopes){0};
}
