/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_FORM_H
#define WPERF_OBJECT_DWARF_DWARF_FORM_H

/** How values are written in DWARF 2 to 5 and by GNU's extensions: read as they are, or skipped. */

#include "base/reader.h"

/** What the sizes of values depend on, by the header of their unit. */
struct dwarf_encoding {
	uint8_t version;
	uint8_t address_size; /* 4 or 8 */
	uint8_t offset_size;  /* 4, or 8 in DWARF of 64 bits */
};

struct dwarf_value {
	uint16_t form; /* 0: there is none */
	bool is_negative;
	uint64_t number;      /* an offset, index or reference as well; the size of bytes */
	const uint8_t *bytes; /* of strings and blocks in place, else NULL */
};

/** How long values of a form are, where that is known without reading them. */
enum dwarf_length {
	DWARF_LENGTH_UNKNOWN,
	DWARF_LENGTH_BYTES,
	DWARF_LENGTH_ADDRESS,
	DWARF_LENGTH_OFFSET,
};

/** @ret_bytes: for DWARF_LENGTH_BYTES. */
enum dwarf_length dwarf_form_length(uint16_t form, uint8_t *ret_bytes);

/**
 * Move over a value; the reader fails where it does not fit or the form is not known.
 * @implicit: the value that DW_FORM_implicit_const has in the abbreviation.
 */
struct dwarf_value dwarf_form_read(uint16_t form, int64_t implicit,
				   const struct dwarf_encoding *encoding, struct reader *reader);

/**
 * The length in front of a unit or a table: in DWARF of 64 bits behind a mark.
 * @ret_offset_size: what dwarf_encoding.offset_size is for what follows.
 */
uint64_t dwarf_form_unit_length(struct reader *reader, uint8_t *ret_offset_size);

/** A number of @size bytes, 1 to 8. */
uint64_t dwarf_form_number(struct reader *reader, uint8_t size);

#endif
