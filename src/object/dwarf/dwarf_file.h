/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_FILE_H
#define WPERF_OBJECT_DWARF_DWARF_FILE_H

/**
 * A file with DWARF: its sections, the headers of its units, and the tables that units share.
 */

#include "base/container/arena.h"
#include "base/container/hash_table.h"
#include "object/dwarf/dwarf_abbreviations.h"
#include "object/dwarf/dwarf_header.h"
#include "object/dwarf/dwarf_lines.h"
#include "object/dwarf/dwarf_sections.h"

struct dwarf_file {
	struct dwarf_sections sections;
	struct dwarf_file *common;    /* parts that several files have in common, or NULL */
	struct dwarf_header *headers; /* by offset; they stay where they are */
	size_t num_headers, cap_headers;
	/* private */
	struct arena arena;
	struct dwarf_abbreviations **abbreviations;
	size_t num_abbreviations, cap_abbreviations;
	struct hash_table abbreviations_index;
	struct dwarf_lines **lines;
	size_t num_lines, cap_lines;
	struct hash_table lines_index;
	size_t abbreviations_budget, lines_budget, ranges_budget; /* bytes that may be read */
	struct read_budget own_budget;                            /* of a file that is alone */
	struct read_allowance rows_allowance, units_allowance;    /* for what is made of them */
};

#define DWARF_FILE_INIT \
	{               \
	}

/** @image: must outlive it; the file stays where it is. @is_split: it is a .dwo file. */
struct error *dwarf_file_init(struct dwarf_file *file, const struct elf_image *image,
			      bool is_split);
void dwarf_file_deinit(struct dwarf_file *file);

/** The unit around an offset in .debug_info, or NULL. */
struct dwarf_header *dwarf_file_find_header(struct dwarf_file *file, uint64_t offset);

/** Of a unit; several may share them. */
struct error *dwarf_file_need_abbreviations(struct dwarf_header *header);

#endif
