/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_ATTRIBUTE_H
#define WPERF_OBJECT_DWARF_DWARF_ATTRIBUTE_H

/**
 * What the value of an attribute means: a string, an address, a number, another die. Each false,
 * or NULL, for a value that is none or points to nothing.
 */

#include "object/dwarf/dwarf_header.h"

/** In place. */
const char *dwarf_attribute_string(const struct dwarf_header *header,
				   const struct dwarf_value *value);

bool dwarf_attribute_address(const struct dwarf_header *header, const struct dwarf_value *value,
			     uint64_t *ret);

/** Of .debug_addr, by its number. */
bool dwarf_attribute_indexed_address(const struct dwarf_header *header, uint64_t index,
				     uint64_t *ret);

/** A constant that is not negative, or an offset. */
bool dwarf_attribute_number(const struct dwarf_value *value, uint64_t *ret);

/** @ret_offset: in .debug_info of @ret_header's file. */
bool dwarf_attribute_reference(const struct dwarf_header *header, const struct dwarf_value *value,
			       struct dwarf_header **ret_header, uint64_t *ret_offset);

#endif
