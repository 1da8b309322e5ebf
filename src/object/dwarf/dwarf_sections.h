/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_SECTIONS_H
#define WPERF_OBJECT_DWARF_DWARF_SECTIONS_H

/** The sections of a file from which lines are read, unpacked. */

#include "base/reader.h"
#include "object/elf/elf_image.h"

enum dwarf_section {
	DWARF_SECTION_ABBREV,
	DWARF_SECTION_ADDR,
	DWARF_SECTION_INFO,
	DWARF_SECTION_LINE,
	DWARF_SECTION_LINE_STR,
	DWARF_SECTION_RANGES,
	DWARF_SECTION_RNGLISTS,
	DWARF_SECTION_STR,
	DWARF_SECTION_STR_OFFSETS,
	DWARF_NUM_SECTIONS,
};

struct dwarf_sections {
	struct object_bytes bytes[DWARF_NUM_SECTIONS];
	uint8_t *unpacked[DWARF_NUM_SECTIONS]; /* NULL: in place */
	size_t sizes_in_file[DWARF_NUM_SECTIONS];
};

#define DWARF_SECTIONS_INIT \
	{                   \
	}

/**
 * @image: must outlive them. @is_split: it is a .dwo file.
 * A section that is not there is empty; one that cannot be unpacked is an error.
 */
struct error *dwarf_sections_init(struct dwarf_sections *sections, const struct elf_image *image,
				  bool is_split);
void dwarf_sections_deinit(struct dwarf_sections *sections);

/** A reader over the section from @offset on; failed if that is not in it. */
struct reader dwarf_sections_reader(const struct dwarf_sections *sections,
				    enum dwarf_section section, uint64_t offset);

/** The string at @offset of a section of strings, in place, or NULL. */
const char *dwarf_sections_string(const struct dwarf_sections *sections, enum dwarf_section section,
				  uint64_t offset);

#endif
