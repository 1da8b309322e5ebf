// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_lines.h"

#include "base/container/array.h"
#include "object/dwarf/dwarf_file.h"
#include "object/dwarf/dwarf_lines_table.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { CODE = 0x1000, CODE_SIZE = 0x1000 };

static const struct elf_segment segment = {
	.address = CODE, .memory_size = CODE_SIZE, .is_code = true};
static const struct elf_image code = {.segments = (struct elf_segment *)&segment,
				      .num_segments = 1};

struct table {
	uint8_t bytes[400];
	size_t size;
	struct dwarf_file file;
	struct dwarf_lines *lines;
	struct string_table paths;
};

static void put(struct table *table, const void *bytes, size_t size)
{
	assert_true(size <= sizeof(table->bytes) - table->size);
	memcpy(table->bytes + table->size, bytes, size);
	table->size += size;
}

#define PUT(table, ...) \
	put(table, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_text(struct table *table, const char *text)
{
	put(table, text, strlen(text) + 1);
}

static void set_u32(struct table *table, size_t offset, uint32_t value)
{
	memcpy(table->bytes + offset, &value, sizeof(value));
}

// Special opcodes begin at 13: lines move by -3 to 8, 12 lines to an address.
#define CONSTANTS              1, (uint8_t)-3, 12, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
#define SPECIAL(line, address) (uint8_t)((line) + 3 + 12 * (address) + 13)
#define SET_ADDRESS(low, high) 0, 9, DW_LNE_set_address, low, high, 0, 0, 0, 0, 0, 0
#define END_SEQUENCE           0, 1, DW_LNE_end_sequence

/** @bundle: instructions in one, of which each has 4 bytes; 1: it has one byte. */
static void begin_old(struct table *table, uint8_t bundle)
{
	*table = (struct table){0};
	PUT(table, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, bundle > 1 ? 4 : 1, bundle, CONSTANTS);
	put_text(table, "sub");
	put_text(table, "/usr/include");
	PUT(table, 0);
	static const char *const names[] = {"a.c", "b.h", "c.h", "C:\\d.h"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		put_text(table, names[i]);
		PUT(table, (uint8_t)i, 0, 0);
	}
	PUT(table, 0);
	set_u32(table, 6, (uint32_t)(table->size - 10));
}

/** @folder: of the unit. */
static void read(struct table *table, const char *folder)
{
	set_u32(table, 0, (uint32_t)(table->size - 4));
	table->file.lines_budget = 1000;
	table->file.rows_allowance = read_allowance_of(&table->file.own_budget, table->size);
	table->file.sections.bytes[DWARF_SECTION_LINE] =
		(struct object_bytes){.data = table->bytes, .size = table->size};
	const struct dwarf_header header = {
		.file = &table->file,
		.encoding = {.version = 4, .address_size = 8, .offset_size = 4},
		.folder = folder,
	};
	assert_no_error(dwarf_lines_table_create(&header, 0, &table->lines));
	assert_no_error(dwarf_lines_need_rows(table->lines, &code, &table->file.lines_budget,
					      &table->file.rows_allowance));
}

static void end(struct table *table)
{
	dwarf_lines_destroy(table->lines);
	string_table_deinit(&table->paths);
}

/** @line: 0 if it has none. */
static void check_line(struct table *table, uint64_t address, uint32_t line, uint32_t column)
{
	uint32_t row = dwarf_lines_find(table->lines, address);
	assert_int_equal(row == DWARF_LINES_NONE ? 0 : table->lines->rows[row].line, line);
	assert_int_equal(row == DWARF_LINES_NONE ? 0 : table->lines->rows[row].column, column);
}

static void check_path(struct table *table, uint64_t file, const char *expected)
{
	const char *path;
	assert_no_error(dwarf_lines_path(table->lines, file, &table->paths, &path));
	if (expected)
		assert_string_equal(path, expected);
	else
		assert_null(path);
}

static void it_runs_every_instruction(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 1);
	PUT(&table, SET_ADDRESS(0, 0x10), DW_LNS_advance_line, 9, DW_LNS_set_column, 3,
	    DW_LNS_copy); // line 10
	PUT(&table, SPECIAL(5, 2), DW_LNS_negate_stmt, DW_LNS_set_basic_block);
	PUT(&table, DW_LNS_const_add_pc, DW_LNS_set_isa, 7, SPECIAL(-3, 0)); // by 20
	PUT(&table, 0, 2, DW_LNE_set_discriminator, 4, DW_LNS_fixed_advance_pc, 0, 1,
	    DW_LNS_set_column, 0x81, 1, DW_LNS_copy);
	PUT(&table, 0, 3, DW_LNE_lo_user, 1, 2, DW_LNS_advance_pc, 16, END_SEQUENCE);
	read(&table, "/work");
	check_line(&table, 0xfff, 0, 0);
	check_line(&table, 0x1000, 10, 3);
	check_line(&table, 0x1001, 10, 3);
	check_line(&table, 0x1002, 15, 3);
	check_line(&table, 0x1015, 15, 3);
	check_line(&table, 0x1016, 12, 3);
	check_line(&table, 0x1116, 12, 129);
	check_line(&table, 0x1125, 12, 129);
	check_line(&table, 0x1126, 0, 0);
	end(&table);
}

static void a_discriminator_is_of_one_row(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 1);
	PUT(&table, SET_ADDRESS(0, 0x10), SPECIAL(1, 0));
	PUT(&table, 0, 3, DW_LNE_set_discriminator, 0x84, 1, SPECIAL(0, 1), SPECIAL(0, 1));
	PUT(&table, 0, 7, DW_LNE_set_discriminator, 0xff, 0xff, 0xff, 0xff, 0x7f, 0, SPECIAL(0, 1));
	PUT(&table, DW_LNS_advance_pc, 16, END_SEQUENCE);
	read(&table, "/work");
	static const uint32_t expected[] = {0, 0x84, 0, 0}; // more than 32 bits is none
	for (uint32_t i = 0; i < ARRAY_SIZE(expected); i++) {
		uint32_t row = dwarf_lines_find(table.lines, 0x1000 + i);
		assert_int_equal(table.lines->rows[row].line, 2);
		assert_int_equal(table.lines->rows[row].discriminator, expected[i]);
	}
	end(&table);
}

static void instructions_may_be_in_bundles(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 3);
	PUT(&table, SET_ADDRESS(0, 0x10), SPECIAL(1, 0), SPECIAL(1, 2), SPECIAL(1, 1),
	    DW_LNS_advance_pc, 3, END_SEQUENCE);
	read(&table, "/work");
	check_line(&table, 0x1000, 3, 0); // the second one is in the same bundle
	check_line(&table, 0x1004, 4, 0);
	check_line(&table, 0x1008, 0, 0);
	end(&table);
}

static void pieces_of_code_may_be_in_any_order(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 1);
	PUT(&table, SET_ADDRESS(0x20, 0x10), SPECIAL(2, 0), DW_LNS_advance_pc, 16, END_SEQUENCE);
	PUT(&table, SET_ADDRESS(0, 0), SPECIAL(7, 0), DW_LNS_advance_pc, 127, END_SEQUENCE);
	PUT(&table, SET_ADDRESS(0x10, 0x10), SPECIAL(1, 0), DW_LNS_advance_pc, 16, END_SEQUENCE);
	PUT(&table, SET_ADDRESS(0x80, 0x10), SPECIAL(8, 0)); // does not end
	read(&table, "/work");
	check_line(&table, 1, 0, 0); // was left out by the linker
	check_line(&table, 0x100f, 0, 0);
	check_line(&table, 0x1010, 2, 0);
	check_line(&table, 0x101f, 2, 0);
	check_line(&table, 0x1020, 3, 0);
	check_line(&table, 0x1030, 0, 0);
	check_line(&table, 0x1080, 0, 0);
	end(&table);
}

static void rows_that_say_nothing_new_are_left_out(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 1);
	PUT(&table, SET_ADDRESS(0, 0x10), SPECIAL(1, 0), SPECIAL(0, 1), SPECIAL(4, 1),
	    SPECIAL(-4 + 1, 0), DW_LNS_advance_pc, 4, END_SEQUENCE);
	read(&table, "/work");
	check_line(&table, 0x1001, 2, 0);
	check_line(&table, 0x1002, 3, 0); // the last word on it
	assert_int_equal(table.lines->num_rows, 3);
	end(&table);
}

static void paths_are_whole(void **state)
{
	(void)state;
	struct table table;
	begin_old(&table, 1);
	read(&table, "/work");
	check_path(&table, 0, NULL);
	check_path(&table, 1, "/work/a.c");
	check_path(&table, 2, "/work/sub/b.h");
	check_path(&table, 3, "/usr/include/c.h");
	check_path(&table, 4, "C:\\d.h"); // in a folder that is not there, too
	check_path(&table, 5, NULL);
	end(&table);
}

static void folders_and_files_of_dwarf_5_have_forms(void **state)
{
	(void)state;
	struct table table = {0};
	PUT(&table, 0, 0, 0, 0, 5, 0, 8, 0, 0, 0, 0, 0, 1, 1, CONSTANTS);
	PUT(&table, 1, DW_LNCT_path, DW_FORM_string, 2);
	put_text(&table, "/work");
	put_text(&table, "sub");
	PUT(&table, 3, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index, DW_FORM_udata,
	    DW_LNCT_MD5, DW_FORM_data16, 2);
	put_text(&table, "a.c");
	PUT(&table, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	put_text(&table, "b.h");
	PUT(&table, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	set_u32(&table, 8, (uint32_t)(table.size - 12));
	PUT(&table, SET_ADDRESS(0, 0x10), SPECIAL(1, 0), DW_LNS_advance_pc, 4, END_SEQUENCE);
	read(&table, "/elsewhere");
	check_path(&table, 0, "/work/a.c");
	check_path(&table, 1, "/work/sub/b.h");
	check_path(&table, 2, NULL);
	check_line(&table, 0x1000, 2, 0);
	end(&table);
}

static void damaged_tables_have_less(void **state)
{
	(void)state;
	struct table whole;
	begin_old(&whole, 1);
	PUT(&whole, SET_ADDRESS(0, 0x10), SPECIAL(1, 0), DW_LNS_advance_pc, 4, END_SEQUENCE);
	// Whatever is cut off, and whichever byte is wrong: no more than that is checked, by
	// sanitizers.
	for (size_t i = 4; i < whole.size; i++) {
		struct table table = whole;
		table.size = i;
		read(&table, NULL);
		assert_int_equal(dwarf_lines_find(table.lines, 0x1000), DWARF_LINES_NONE);
		end(&table);
		table = whole;
		table.bytes[i] ^= 0xff;
		read(&table, NULL);
		dwarf_lines_find(table.lines, 0x1000);
		end(&table);
	}
}

int dwarf_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_runs_every_instruction),
		cmocka_unit_test(a_discriminator_is_of_one_row),
		cmocka_unit_test(instructions_may_be_in_bundles),
		cmocka_unit_test(pieces_of_code_may_be_in_any_order),
		cmocka_unit_test(rows_that_say_nothing_new_are_left_out),
		cmocka_unit_test(paths_are_whole),
		cmocka_unit_test(folders_and_files_of_dwarf_5_have_forms),
		cmocka_unit_test(damaged_tables_have_less),
	};
	return cmocka_run_group_tests_name("dwarf_lines", tests, NULL, NULL);
}
