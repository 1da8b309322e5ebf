// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_rows.h"

#include "base/container/array.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

// The line number program of DWARF 5, 6.2.5, on the registers of 6.2.2. dwarf_rows_run() takes
// opcodes: special ones advance address and line together and add a row, standard ones change a
// register, extended ones have a length and can be skipped. Registers that do not change which line
// an address has (is_stmt, basic_block, isa) are not kept; their opcodes are skipped by the number
// of arguments in the header.
//
// Rows end up in one array sorted by address, for binary search. A sequence is one contiguous
// piece of code; sequences come in the order of the source, which the linker may have changed.
// Sequences that are not in code are dropped: these are functions that the linker removed, left at
// address 0 or at a tombstone. dwarf_rows_sort() sorts whole sequences and copies them, since rows
// inside of one are ordered already; only damaged or overlapping sequences need the sort of single
// rows.
//
// Rows that repeat the line of the one before are left out (is_needed()). The allowance bounds
// memory: one byte of a program can make a row of 32 bytes.

/** The rows of one piece of code. */
struct sequence {
	uint64_t start;
	size_t first_row, num_rows;
};

struct machine {
	struct dwarf_lines *lines;
	const struct dwarf_lines_program *program;
	const struct elf_image *code;
	struct read_allowance *allowance;
	struct reader reader;
	struct error *err;
	// The registers. Lines wrap at 32 bits, as additions to them may be negative.
	uint64_t address;
	uint32_t bundle_index; // of the instruction in its bundle
	uint64_t file, column;
	uint32_t line, discriminator;

	size_t first_row; // of the sequence
	struct sequence *sequences;
	size_t num_sequences, cap_sequences;
};

static void begin_sequence(struct machine *machine)
{
	machine->address = 0;
	machine->bundle_index = 0;
	machine->file = machine->line = 1;
	machine->column = 0;
	machine->discriminator = 0;
	machine->first_row = machine->lines->num_rows;
}

static void advance_address(struct machine *machine, uint64_t operations)
{
	const struct dwarf_lines_program *program = machine->program;
	if (program->instructions_in_bundle > 1) {
		uint64_t index = machine->bundle_index + operations;
		machine->bundle_index = (uint32_t)(index % program->instructions_in_bundle);
		operations = index / program->instructions_in_bundle;
	}
	machine->address += program->instruction_size * operations;
}

/**
 * Rows that say nothing new are left out, and the last word on an address counts: the one before
 * is taken back.
 */
static bool is_needed(struct machine *machine, const struct dwarf_row *row)
{
	struct dwarf_lines *lines = machine->lines;
	const struct dwarf_row *rows = lines->rows;
	if (lines->num_rows > machine->first_row &&
	    rows[lines->num_rows - 1].address == row->address)
		lines->num_rows--;
	if (lines->num_rows == machine->first_row)
		return true;
	const struct dwarf_row *last = &rows[lines->num_rows - 1];
	return row->is_end || last->address > row->address || row->file != last->file ||
	       row->line != last->line || row->column != last->column ||
	       row->discriminator != last->discriminator;
}

static void dwarf_rows_add_row(struct machine *machine, bool is_end)
{
	struct dwarf_lines *lines = machine->lines;
	const struct dwarf_row row = {
		.address = machine->address,
		.file = machine->file <= UINT32_MAX ? (uint32_t)machine->file : UINT32_MAX,
		.line = machine->line,
		.column = machine->column <= UINT32_MAX ? (uint32_t)machine->column : 0,
		.discriminator = machine->discriminator,
		.is_end = is_end,
	};
	machine->discriminator = 0; // of this row alone, unlike the other registers
	if (!is_needed(machine, &row))
		return;
	if (!read_allowance_take(machine->allowance, sizeof(row))) {
		machine->reader.failed = true;
		return;
	}
	machine->err = array_reserve(&lines->rows, &lines->cap_rows, lines->num_rows + 1);
	if (!machine->err)
		lines->rows[lines->num_rows++] = row;
}

static void end_sequence(struct machine *machine)
{
	struct dwarf_lines *lines = machine->lines;
	dwarf_rows_add_row(machine, true);
	size_t first = machine->first_row;
	if (machine->err || first == lines->num_rows)
		return;
	const struct elf_segment *segment =
		elf_image_find_segment(machine->code, lines->rows[first].address);
	if (!segment || !segment->is_code) {
		lines->num_rows = first;
		return;
	}
	machine->err = array_reserve(&machine->sequences, &machine->cap_sequences,
				     machine->num_sequences + 1);
	if (!machine->err)
		machine->sequences[machine->num_sequences++] = (struct sequence){
			.start = lines->rows[first].address,
			.first_row = first,
			.num_rows = lines->num_rows - first,
		};
}

/** What has a length in front of it. */
static void run_extended(struct machine *machine)
{
	uint64_t length = reader_uleb128(&machine->reader);
	struct reader reader = reader_sub(&machine->reader, length);
	switch (reader_u8(&reader)) {
	case DW_LNE_end_sequence:
		end_sequence(machine);
		begin_sequence(machine);
		break;
	case DW_LNE_set_address:
		machine->address =
			reader_left(&reader) >= 8 ? reader_u64(&reader) : reader_u32(&reader);
		machine->bundle_index = 0;
		break;
	case DW_LNE_set_discriminator: {
		uint64_t discriminator = reader_uleb128(&reader);
		machine->discriminator = discriminator <= UINT32_MAX ? (uint32_t)discriminator : 0;
		break;
	}
	default: // files that nobody defines there, and what vendors added
		break;
	}
}

static void run_special(struct machine *machine, uint8_t opcode)
{
	const struct dwarf_lines_program *program = machine->program;
	if (!program->line_range) {
		machine->reader.failed = true;
		return;
	}
	// Address and line in one byte (DWARF 5, 6.2.5.1): the opcodes are a table with line_range
	// columns, one for each distance in lines from line_base on, and a row for each in
	// addresses.
	uint8_t adjusted = (uint8_t)(opcode - program->first_special);
	advance_address(machine, adjusted / program->line_range);
	machine->line += (uint32_t)(program->line_base + adjusted % program->line_range);
	dwarf_rows_add_row(machine, false);
}

static void run_standard(struct machine *machine, uint8_t opcode)
{
	const struct dwarf_lines_program *program = machine->program;
	struct reader *reader = &machine->reader;
	switch (opcode) {
	case DW_LNS_copy:
		dwarf_rows_add_row(machine, false);
		break;
	case DW_LNS_advance_pc:
		advance_address(machine, reader_uleb128(reader));
		break;
	case DW_LNS_advance_line:
		machine->line += (uint32_t)reader_sleb128(reader);
		break;
	case DW_LNS_set_file:
		machine->file = reader_uleb128(reader);
		break;
	case DW_LNS_set_column:
		machine->column = reader_uleb128(reader);
		break;
	case DW_LNS_const_add_pc: // the address of special opcode 255, without its row
		if (program->line_range)
			advance_address(machine,
					(UINT8_MAX - program->first_special) / program->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->address += reader_u16(reader);
		machine->bundle_index = 0;
		break;
	default: // what does not change a row, and what is not known
		for (unsigned i = 0; i < program->num_arguments[opcode - 1]; i++)
			reader_uleb128(reader);
	}
}

static void dwarf_rows_run(struct machine *machine)
{
	begin_sequence(machine);
	while (!machine->err && reader_left(&machine->reader)) {
		uint8_t opcode = reader_u8(&machine->reader);
		if (opcode >= machine->program->first_special)
			run_special(machine, opcode);
		else if (opcode)
			run_standard(machine, opcode);
		else
			run_extended(machine);
	}
	// A sequence without an end has rows of which nobody knows how far they go.
	machine->lines->num_rows = machine->first_row;
}

static int compare_sequences(const void *left, const void *right)
{
	const struct sequence *a = left, *b = right;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->first_row > b->first_row) - (a->first_row < b->first_row);
}

/** At one address an end is before what begins there; else the last one of the table counts. */
static int dwarf_rows_compare(const void *left, const void *right)
{
	const struct dwarf_row *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->is_end != b->is_end)
		return a->is_end ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static bool dwarf_rows_are_sorted(const struct dwarf_lines *lines)
{
	for (size_t i = 1; i < lines->num_rows; i++)
		if (dwarf_rows_compare(&lines->rows[i - 1], &lines->rows[i]) > 0)
			return false;
	return true;
}

/** Pieces of code in another order than in the table are the rule, rows within one are not. */
static struct error *dwarf_rows_sort(struct dwarf_lines *lines, struct sequence *sequences,
				     size_t num_sequences)
{
	for (size_t i = 0; i < lines->num_rows; i++)
		lines->rows[i].order = i & INT32_MAX;
	if (dwarf_rows_are_sorted(lines))
		return NULL;
	qsort(sequences, num_sequences, sizeof(*sequences), compare_sequences);
	struct dwarf_row *rows = calloc(lines->num_rows, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	size_t num_rows = 0;
	for (size_t i = 0; i < num_sequences; i++) {
		memcpy(rows + num_rows, lines->rows + sequences[i].first_row,
		       sequences[i].num_rows * sizeof(*rows));
		num_rows += sequences[i].num_rows;
	}
	free(lines->rows);
	lines->rows = rows;
	lines->cap_rows = num_rows;
	if (!dwarf_rows_are_sorted(lines))
		qsort(rows, num_rows, sizeof(*rows), dwarf_rows_compare);
	return NULL;
}

struct error *dwarf_rows_read(struct dwarf_lines *lines, const struct elf_image *code,
			      struct read_allowance *allowance)
{
	struct machine machine = {
		.lines = lines,
		.program = &lines->program,
		.code = code,
		.allowance = allowance,
		.reader = lines->program.reader,
	};
	dwarf_rows_run(&machine);
	struct error *err = machine.err;
	if (!err)
		err = dwarf_rows_sort(lines, machine.sequences, machine.num_sequences);
	free(machine.sequences);
	// Tables stay as long as the file is open, and have grown by doubling.
	struct dwarf_row *fitting =
		!err && lines->num_rows ? realloc(lines->rows, lines->num_rows * sizeof(*fitting))
					: NULL;
	if (fitting) {
		lines->rows = fitting;
		lines->cap_rows = lines->num_rows;
	}
	return err;
}
