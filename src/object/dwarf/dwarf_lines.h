/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_DWARF_LINES_H
#define WPERF_OBJECT_DWARF_DWARF_LINES_H

/**
 * A table of .debug_line: source files, and rows that say which line the code from an address on
 * is of. The list of files is read at once, the rows when they are asked for.
 */

#include "base/container/string_table.h"
#include "object/dwarf/dwarf_header.h"
#include "object/elf/elf_image.h"

struct dwarf_row {
	uint64_t address;
	uint32_t file, line, column, discriminator;
	uint32_t is_end : 1,
		order : 31; /* end: from here on no row is known; order: of the table */
};

struct dwarf_lines_file {
	const char *name;
	uint64_t folder;  /* its number */
	const char *path; /* NULL before somebody asked */
};

/** The constants of the program that makes the rows. */
struct dwarf_lines_program {
	uint8_t version, address_size;
	uint8_t instruction_size, instructions_in_bundle;
	int8_t line_base;
	uint8_t line_range, first_special;
	const uint8_t *num_arguments; /* of the opcodes before the special ones, from 1 on */
	struct reader reader;
};

struct dwarf_lines {
	uint64_t offset;    /* in .debug_line */
	const char *folder; /* where the compiler ran, or NULL */
	const char **folders;
	size_t num_folders, cap_folders;
	struct dwarf_lines_file *files; /* by number: before DWARF 5 the first one is nothing */
	size_t num_files, cap_files;
	bool rows_are_read;
	struct dwarf_row *rows; /* by address */
	size_t num_rows, cap_rows;
	struct dwarf_lines_program program; /* private */
};

void dwarf_lines_destroy(struct dwarf_lines *lines); /* NULL is fine */

/** @code: rows of functions that the linker removed are elsewhere, and are left out.
 * @budget: how many bytes all tables of the file may still read.
 * @allowance: of the rows. */
struct error *dwarf_lines_need_rows(struct dwarf_lines *lines, const struct elf_image *code,
				    size_t *budget, struct read_allowance *allowance);

enum { DWARF_LINES_NONE = UINT32_MAX };

/** The number of the row around an address, or DWARF_LINES_NONE. */
uint32_t dwarf_lines_find(const struct dwarf_lines *lines, uint64_t address);

/** The whole path of a file by its number, kept in @paths. @ret: NULL if there is none. */
struct error *dwarf_lines_path(struct dwarf_lines *lines, uint64_t file, struct string_table *paths,
			       const char **ret);

#endif
