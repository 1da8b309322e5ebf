/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_ABBREVIATIONS_H
#define WPERF_OBJECT_DWARF_DWARF_ABBREVIATIONS_H

/**
 * A table of .debug_abbrev: which attributes dies have, by their code. It is read as far as it is
 * asked for, as most units are never looked into.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "base/reader.h"
#include "object/dwarf/dwarf_form.h"

struct dwarf_specification {
	uint16_t attribute, form;
	int64_t implicit;
};

/** How long some values are together, of an encoding that is not known yet. */
struct dwarf_value_length {
	uint16_t num_bytes, num_addresses, num_offsets;
};

struct dwarf_abbreviation {
	uint64_t code;
	uint16_t tag;
	bool has_children;
	bool has_code;                    /* DW_AT_low_pc or DW_AT_ranges is among its attributes */
	bool has_length;                  /* its dies are all as long as what follows says */
	struct dwarf_value_length length; /* behind their code */
	uint16_t sibling_form;            /* of DW_AT_sibling; 0: it has none */
	struct dwarf_value_length sibling; /* where that is; if the dies have a length */
	uint16_t num_specifications;
	struct dwarf_specification specifications[];
};

struct dwarf_abbreviations {
	uint64_t offset; /* in .debug_abbrev */
	/* private */
	struct reader rest; /* what was not read yet */
	struct arena *arena;
	size_t *budget;
	struct dwarf_abbreviation **items;
	size_t num_items, cap_items;
	bool is_sorted; /* codes are not 1, 2, 3...: it was read whole and sorted */
	bool is_read;
};

/**
 * @reader: at the table. @arena: where it is kept. @budget: how many bytes all tables of the file
 * may still read: honest tables do not overlap. Both must outlive it.
 */
void dwarf_abbreviations_init(struct dwarf_abbreviations *table, struct reader reader,
			      struct arena *arena, size_t *budget);
void dwarf_abbreviations_deinit(struct dwarf_abbreviations *table);

/** As dwarf_abbreviations_find(), of what may have to be read first. */
struct error *dwarf_abbreviations_search(struct dwarf_abbreviations *table, uint64_t code,
					 const struct dwarf_abbreviation **ret);

/** @ret: NULL if there is none, also because the table is damaged before it. */
static inline struct error *dwarf_abbreviations_find(struct dwarf_abbreviations *table,
						     uint64_t code,
						     const struct dwarf_abbreviation **ret)
{
	if (table->is_sorted || code - 1 >= table->num_items)
		return dwarf_abbreviations_search(table, code, ret);
	*ret = table->items[code - 1];
	return NULL;
}

static inline size_t dwarf_value_length(const struct dwarf_value_length *length,
					const struct dwarf_encoding *encoding)
{
	return length->num_bytes + (size_t)length->num_addresses * encoding->address_size +
	       (size_t)length->num_offsets * encoding->offset_size;
}

#endif
