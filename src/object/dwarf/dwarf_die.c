// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_die.h"

#include "object/dwarf/dwarf_file.h"

#include <dwarf.h>
#include <string.h>

// A DIE (debugging information entry, DWARF 5, 2.1 and 7.5.2) is a code and then attribute values
// without any tags or lengths between them: only the abbreviation tells where one ends and the
// next begins. To read one attribute, all before it must be read, so dwarf_die_values() takes the
// wanted attributes together and makes one pass.
//
// dwarf_die_skip() needs no values, and uses the length that dwarf_abbreviations.c has computed;
// only abbreviations with forms of variable length (strings, LEB128, blocks) are read value by
// value. The reader of a DIE ends with its unit, so that damage cannot run into the next one.

struct error *dwarf_die_read(struct dwarf_header *header, uint64_t offset, struct dwarf_die *ret)
{
	struct dwarf_die die = {
		.header = header,
		.reader =
			dwarf_sections_reader(&header->file->sections, DWARF_SECTION_INFO, offset),
	};
	die.reader.size = header->end;
	die.reader.failed |= offset > header->end;
	struct error *err = dwarf_file_need_abbreviations(header);
	uint64_t code = reader_uleb128(&die.reader);
	if (!err && !die.reader.failed)
		err = dwarf_abbreviations_find(header->abbreviations, code, &die.abbreviation);
	if (!err)
		*ret = die;
	return err;
}

void dwarf_die_values(const struct dwarf_die *die, const uint16_t *attributes, size_t num,
		      struct dwarf_value *ret)
{
	struct reader reader = die->reader;
	const struct dwarf_abbreviation *abbreviation = die->abbreviation;
	memset(ret, 0, num * sizeof(*ret));
	for (size_t i = 0; i < abbreviation->num_specifications && !reader.failed; i++) {
		const struct dwarf_specification *specification = &abbreviation->specifications[i];
		struct dwarf_value value =
			dwarf_form_read(specification->form, specification->implicit,
					&die->header->encoding, &reader);
		for (size_t wanted = 0; wanted < num; wanted++)
			if (attributes[wanted] == specification->attribute)
				ret[wanted] = value;
	}
}

void dwarf_die_skip(struct dwarf_die *die, struct dwarf_value *ret_sibling)
{
	const struct dwarf_encoding *encoding = &die->header->encoding;
	const struct dwarf_abbreviation *abbreviation = die->abbreviation;
	*ret_sibling = (struct dwarf_value){0};
	if (abbreviation->has_length) {
		if (abbreviation->sibling_form) {
			struct reader reader = die->reader;
			reader_skip(&reader, dwarf_value_length(&abbreviation->sibling, encoding));
			*ret_sibling =
				dwarf_form_read(abbreviation->sibling_form, 0, encoding, &reader);
		}
		reader_skip(&die->reader, dwarf_value_length(&abbreviation->length, encoding));
		return;
	}
	for (size_t i = 0; i < abbreviation->num_specifications; i++) {
		const struct dwarf_specification *specification = &abbreviation->specifications[i];
		struct dwarf_value value = dwarf_form_read(
			specification->form, specification->implicit, encoding, &die->reader);
		if (specification->attribute == DW_AT_sibling)
			*ret_sibling = value;
	}
}
