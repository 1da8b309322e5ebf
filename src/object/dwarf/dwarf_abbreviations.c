// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_abbreviations.h"

#include "base/container/array.h"

#include <dwarf.h>
#include <stdlib.h>

// Each DIE of .debug_info begins with a code; the abbreviation of that code lists its attributes
// and their forms (DWARF 5, 7.5.3). Compilers number abbreviations 1, 2, 3, ... in the order of
// the table, so item `code - 1` is the one to find. The table is therefore read only as far as the
// largest code asked for: a look-up often touches one unit of a file with thousands. The first
// number that breaks this order (is_sorted) makes us read the whole table, sort it by code, and
// search it from then on.
//
// While an abbreviation is read, the lengths of its forms are summed up. Where all are known, a
// DIE can be skipped by one addition (dwarf_die_skip()) instead of reading each attribute: this is
// what makes the pass over all DIEs of a unit fast. The same sum, taken just before DW_AT_sibling,
// finds that attribute directly.
//
// Damage: the budget is one for all tables of a file, since each unit may name a table of its own
// that overlaps the others. A damaged abbreviation ends the table.

// Honest ones have some dozens. As some need no byte in a die, many would cost much time.
enum { MAX_SPECIFICATIONS = 128 };

void dwarf_abbreviations_init(struct dwarf_abbreviations *table, struct reader reader,
			      struct arena *arena, size_t *budget)
{
	*table = (struct dwarf_abbreviations){
		.offset = reader.offset,
		.rest = reader,
		.arena = arena,
		.budget = budget,
	};
}

void dwarf_abbreviations_deinit(struct dwarf_abbreviations *table)
{
	free(table->items);
	*table = (struct dwarf_abbreviations){0};
}

/** False at the pair of zeros that ends the list. */
static bool read_specification(struct reader *reader, struct dwarf_specification *ret)
{
	uint64_t attribute = reader_uleb128(reader);
	uint64_t form = reader_uleb128(reader);
	int64_t implicit = form == DW_FORM_implicit_const ? reader_sleb128(reader) : 0;
	*ret = (struct dwarf_specification){
		.attribute = attribute <= UINT16_MAX ? (uint16_t)attribute : 0,
		.form = form <= UINT16_MAX ? (uint16_t)form : 0,
		.implicit = implicit,
	};
	return !reader->failed && (attribute || form);
}

static void add_length(struct dwarf_abbreviation *abbreviation, uint16_t form)
{
	struct dwarf_value_length *length = &abbreviation->length;
	uint8_t bytes;
	switch (dwarf_form_length(form, &bytes)) {
	case DWARF_LENGTH_BYTES:
		length->num_bytes = (uint16_t)(length->num_bytes + bytes);
		break;
	case DWARF_LENGTH_ADDRESS:
		length->num_addresses++;
		break;
	case DWARF_LENGTH_OFFSET:
		length->num_offsets++;
		break;
	default:
		abbreviation->has_length = false;
	}
}

static void read_specifications(struct dwarf_abbreviation *abbreviation, struct reader *reader)
{
	struct dwarf_specification *specification = abbreviation->specifications;
	abbreviation->has_length = true;
	for (size_t i = 0; i < abbreviation->num_specifications; i++, specification++) {
		read_specification(reader, specification);
		uint16_t attribute = specification->attribute;
		abbreviation->has_code |= attribute == DW_AT_low_pc || attribute == DW_AT_ranges;
		if (attribute == DW_AT_sibling) {
			abbreviation->sibling_form = specification->form;
			abbreviation->sibling = abbreviation->length;
		}
		add_length(abbreviation, specification->form);
	}
	struct dwarf_specification end;
	read_specification(reader, &end);
}

/** The next one of the table; @ret: NULL at its end, and where it is damaged. */
static struct error *dwarf_abbreviations_read_next(struct dwarf_abbreviations *table,
						   struct dwarf_abbreviation **ret)
{
	struct reader *reader = &table->rest;
	*ret = NULL;
	uint64_t code = reader_uleb128(reader);
	uint64_t tag = reader_uleb128(reader);
	bool has_children = reader_u8(reader);
	if (reader->failed || !code)
		return NULL;
	// Counted first, by a copy of the reader, as they stand in one piece of memory.
	struct reader ahead = *reader;
	struct dwarf_specification ignored;
	size_t count = 0;
	while (count <= MAX_SPECIFICATIONS && read_specification(&ahead, &ignored))
		count++;
	if (ahead.failed || count > MAX_SPECIFICATIONS)
		return NULL;
	struct dwarf_abbreviation *read =
		arena_alloc(table->arena, sizeof(*read) + count * sizeof(read->specifications[0]));
	if (!read)
		return &error_no_memory;
	read->code = code;
	read->tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
	read->has_children = has_children;
	read->num_specifications = (uint16_t)count;
	read_specifications(read, reader);
	*ret = read;
	return NULL;
}

static int compare_codes(const void *left, const void *right)
{
	const struct dwarf_abbreviation *const *a = left, *const *b = right;
	return ((*a)->code > (*b)->code) - ((*a)->code < (*b)->code);
}

static struct error *add_next(struct dwarf_abbreviations *table)
{
	// A code that is not the number of its place makes the table one to be sorted.
	struct dwarf_abbreviation *next = NULL;
	size_t before = table->rest.offset;
	struct error *err = array_reserve(&table->items, &table->cap_items, table->num_items + 1);
	if (!err)
		err = dwarf_abbreviations_read_next(table, &next);
	if (err)
		return err;
	size_t num_bytes = table->rest.offset - before;
	table->is_read = !next || num_bytes > *table->budget;
	if (table->is_read)
		return NULL;
	*table->budget -= num_bytes;
	table->items[table->num_items++] = next;
	table->is_sorted |= next->code != table->num_items;
	return NULL;
}

static struct error *sort_all(struct dwarf_abbreviations *table)
{
	while (!table->is_read) {
		struct error *err = add_next(table);
		if (err)
			return err;
	}
	qsort(table->items, table->num_items, sizeof(table->items[0]), compare_codes);
	return NULL;
}

struct error *dwarf_abbreviations_search(struct dwarf_abbreviations *table, uint64_t code,
					 const struct dwarf_abbreviation **ret)
{
	while (!table->is_sorted && !table->is_read && table->num_items < code) {
		struct error *err = add_next(table);
		if (!err && table->is_sorted)
			err = sort_all(table);
		if (err)
			return err;
	}
	if (!table->is_sorted) {
		*ret = code && code <= table->num_items ? table->items[code - 1] : NULL;
		return NULL;
	}
	const struct dwarf_abbreviation key = {.code = code};
	const struct dwarf_abbreviation *pointer = &key;
	struct dwarf_abbreviation **found = bsearch(&pointer, table->items, table->num_items,
						    sizeof(table->items[0]), compare_codes);
	*ret = found ? *found : NULL;
	return NULL;
}
