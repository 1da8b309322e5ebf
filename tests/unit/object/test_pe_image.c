// SPDX-License-Identifier: Apache-2.0

#include "object/pe/pe_image.h"

#include "object/pe/pe_functions.h"
#include "object/pe/pe_symbols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/pe_bytes.h"

static struct pe_image read_image(const struct file *file)
{
	struct pe_image image = PE_IMAGE_INIT;
	assert_no_error(pe_image_init(&image, file, sizeof(*file), "a.dll"));
	return image;
}

static void it_tells_machines_apart(void **state)
{
	(void)state;
	static const struct {
		uint16_t machine;
		bool is_hybrid;
		enum pe_kind kind;
	} cases[] = {
		{0x8664, false, PE_KIND_X64},     {0x8664, true, PE_KIND_ARM64EC},
		{0xaa64, false, PE_KIND_ARM64},   {0xaa64, true, PE_KIND_ARM64X},
		{0xa641, false, PE_KIND_ARM64EC}, {0xa64e, false, PE_KIND_ARM64X},
		{0x5064, false, PE_KIND_OTHER},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct file file = make(cases[i].machine);
		put_directory(&file, PE_DIRECTORY_LOAD_CONFIG, CONFIG, 64);
		put_data(&file, CONFIG, (uint32_t[]){cases[i].is_hybrid ? 208 : 112}, 1);
		put_data(&file, CONFIG + 200, (uint32_t[]){0x40003000, 1}, 2);
		_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
		assert_int_equal(image.kind, cases[i].kind);
	}
}

static void it_reads_headers_and_sections(void **state)
{
	(void)state;
	struct file file = make(0x8664);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	assert_int_equal(image.base, 0x140000000);
	assert_int_equal(image.entry, CODE);
	assert_int_equal(image.num_sections, 2);
	assert_ptr_equal(pe_image_find_section(&image, ".rdata"), &image.sections[1]);
	assert_null(pe_image_find_section(&image, ".data"));
	uint64_t address;
	assert_true(pe_image_offset_to_address(&image, CODE_OFFSET + 5, &address));
	assert_int_equal(address, CODE + 5);
	assert_true(pe_image_offset_to_address(&image, 5, &address));
	assert_int_equal(address, 5);
	assert_false(pe_image_offset_to_address(&image, SIZE, &address));
	struct object_bytes bytes = pe_image_bytes_at(&image, DATA + 16);
	assert_ptr_equal(bytes.data, file.bytes + DATA_OFFSET + 16);
	assert_int_equal(bytes.size, SIZE - DATA_OFFSET - 16);
	assert_int_equal(pe_image_bytes_at(&image, CODE - 1).size, 0);
}

static void it_reads_names_that_are_long(void **state)
{
	(void)state;
	struct file file = make(0x8664);
	put(&file, PE + 12, (uint32_t[]){0xf00, 1}, 2);
	memcpy(file.bytes + SECTIONS + 40, "/4\0\0\0\0", 7);
	memcpy(file.bytes + 0xf00 + 18 + 4, ".debug_info", 12);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	assert_non_null(pe_image_find_section(&image, ".debug_info"));
}

static void it_reads_which_pdb_belongs_to_it(void **state)
{
	(void)state;
	struct file file = make(0x8664);
	put_directory(&file, PE_DIRECTORY_DEBUG, DEBUG_PLACE, 2 * 28);
	put_data(&file, DEBUG_PLACE + 12, (uint32_t[]){16}, 1);
	put_data(&file, DEBUG_PLACE + 28 + 12,
		 (uint32_t[]){2, 64, CODEVIEW, CODEVIEW - DATA + DATA_OFFSET}, 4);
	put_data(&file, CODEVIEW,
		 (uint32_t[]){0x53445352, 0x00112233, 0x66774455, 0xbbaa9988, 0xffeeddcc, 3}, 6);
	strcpy((char *)file.bytes + CODEVIEW - DATA + DATA_OFFSET + 24, "C:\\build\\a.pdb");
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	assert_true(image.has_pdb);
	assert_string_equal(image.pdb_path, "C:\\build\\a.pdb");
	assert_int_equal(image.pdb_id.age, 3);
	uint8_t guid[PE_GUID_SIZE];
	assert_int_equal(pe_pdb_id_bytes(&image.pdb_id, guid), sizeof(guid));
	static const uint8_t expected[] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
					   0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
	assert_memory_equal(guid, expected, sizeof(guid));
}

static void it_reads_functions_of_x64(void **state)
{
	(void)state;
	struct file file = make(0x8664);
	put_directory(&file, PE_DIRECTORY_FUNCTIONS, FUNCTIONS, 3 * 12);
	put_data(&file, FUNCTIONS, (uint32_t[]){CODE, CODE + 16, UNWIND}, 3);
	put_data(&file, FUNCTIONS + 12, (uint32_t[]){CODE + 16, CODE + 40, UNWIND + 4}, 3);
	put_data(&file, FUNCTIONS + 24, (uint32_t[]){CODE + 48, CODE + 64, UNWIND}, 3);
	put_data(&file, UNWIND, (uint32_t[]){1, 1 | 4 << 3}, 2); // the second goes on with another
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	_cleanup_(pe_functions_deinit) struct pe_functions functions = PE_FUNCTIONS_INIT;
	_cleanup_(pe_hybrid_deinit) struct pe_hybrid hybrid = PE_HYBRID_INIT;
	assert_no_error(pe_hybrid_read(&image, &hybrid));
	assert_no_error(pe_functions_read(&image, &hybrid, &functions));
	assert_int_equal(functions.num_items, 3);
	const struct pe_function *first = pe_functions_find(&functions, CODE + 15);
	assert_ptr_equal(first, functions.items);
	assert_int_equal(pe_functions_end(&functions, first), CODE + 40);
	assert_null(pe_functions_find(&functions, CODE + 40));
	assert_null(pe_functions_find(&functions, CODE - 1));
	assert_int_equal(pe_functions_next(&functions, CODE + 16), CODE + 48);
	assert_int_equal(pe_functions_next(&functions, CODE + 48), UINT32_MAX);
	const struct pe_function *items = functions.items;
	assert_ptr_equal(pe_functions_first_part(&functions, &items[1]), items);
	assert_ptr_equal(pe_functions_first_part(&functions, &items[2]), &items[2]);
	assert_ptr_equal(pe_functions_from(&functions, 0), items);
	assert_ptr_equal(pe_functions_from(&functions, CODE), items);
	assert_ptr_equal(pe_functions_from(&functions, CODE + 1), &items[2]);
	assert_ptr_equal(pe_functions_from(&functions, CODE + 48), &items[2]);
	assert_null(pe_functions_from(&functions, CODE + 49));
}

static void it_reads_functions_of_arm64(void **state)
{
	(void)state;
	struct file file = make(0xaa64);
	put_directory(&file, PE_DIRECTORY_FUNCTIONS, FUNCTIONS, 3 * 8);
	put_data(&file, FUNCTIONS, (uint32_t[]){CODE, UNWIND, CODE + 64, 1 | 10 << 2}, 4);
	put_data(&file, FUNCTIONS + 16, (uint32_t[]){CODE + 104, 2 | 3 << 2}, 2);
	put_data(&file, UNWIND, (uint32_t[]){16 | 5U << 27}, 1);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	_cleanup_(pe_functions_deinit) struct pe_functions functions = PE_FUNCTIONS_INIT;
	_cleanup_(pe_hybrid_deinit) struct pe_hybrid hybrid = PE_HYBRID_INIT;
	assert_no_error(pe_hybrid_read(&image, &hybrid));
	assert_no_error(pe_functions_read(&image, &hybrid, &functions));
	assert_int_equal(functions.num_items, 3);
	assert_int_equal(functions.items[0].end, CODE + 64);
	assert_int_equal(functions.items[1].end, CODE + 104);
	assert_true(functions.items[2].is_part);
	assert_int_equal(pe_functions_end(&functions, &functions.items[1]), CODE + 116);
}

/** An image of Arm64EC with a code map of three pieces at @map, and a table of functions of Arm64.
 */
static struct file make_hybrid(uint32_t map, uint32_t count)
{
	enum { METADATA = DATA + 0x400, FUNCTIONS_SIZE = 8 };
	struct file file = make(0x8664);
	put_directory(&file, PE_DIRECTORY_LOAD_CONFIG, CONFIG, 64);
	put_data(&file, CONFIG, (uint32_t[]){208}, 1);
	put_data(&file, CONFIG + 200, (uint32_t[]){0x40000000 + METADATA, 1}, 2);
	put_data(&file, METADATA, (uint32_t[]){1, map, count}, 3);
	put_data(&file, METADATA + 64, (uint32_t[]){FUNCTIONS, FUNCTIONS_SIZE}, 2);
	put_data(&file, FUNCTIONS, (uint32_t[]){CODE, 1 | 10 << 2}, 2);
	put_data(&file, DATA + 0x500,
		 (uint32_t[]){CODE | 1, 0x40, (CODE + 0x40) | 2, 0x40, CODE + 0x20, 0x10}, 6);
	return file;
}

static void it_reads_which_code_is_for_which_machine(void **state)
{
	(void)state;
	struct file file = make_hybrid(DATA + 0x500, 3);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	_cleanup_(pe_hybrid_deinit) struct pe_hybrid hybrid = PE_HYBRID_INIT;
	assert_no_error(pe_hybrid_read(&image, &hybrid));
	assert_int_equal(hybrid.num_ranges, 2); // the third is within the first
	static const struct {
		uint32_t place;
		enum object_machine machine;
	} cases[] = {{0, OBJECT_MACHINE_AARCH64},
		     {0x3f, OBJECT_MACHINE_AARCH64},
		     {0x40, OBJECT_MACHINE_X86_64},
		     {0x7f, OBJECT_MACHINE_X86_64},
		     {0x80, OBJECT_MACHINE_OTHER}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(pe_hybrid_machine_at(&hybrid, CODE + cases[i].place,
						      OBJECT_MACHINE_OTHER),
				 cases[i].machine);
	assert_int_equal(hybrid.arm64_functions.size, 8);
	_cleanup_(pe_functions_deinit) struct pe_functions functions = PE_FUNCTIONS_INIT;
	assert_no_error(pe_functions_read(&image, &hybrid, &functions));
	assert_int_equal(functions.num_items, 1);
	assert_int_equal(functions.items[0].end, CODE + 40);
}

static void it_does_without_a_code_map_that_is_not_there(void **state)
{
	(void)state;
	const uint32_t maps[][2] = {{DATA + 0x500, 100000}, {0x9000, 3}};
	for (size_t i = 0; i < 2; i++) {
		struct file file = make_hybrid(maps[i][0], maps[i][1]);
		_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
		_cleanup_(pe_hybrid_deinit) struct pe_hybrid hybrid = PE_HYBRID_INIT;
		assert_no_error(pe_hybrid_read(&image, &hybrid));
		assert_int_equal(hybrid.num_ranges, 0);
		assert_int_equal(image.kind, PE_KIND_ARM64EC);
	}
}

static void it_finds_what_is_exported(void **state)
{
	(void)state;
	struct file file = make(0x8664);
	// A function, a variable, and one of another library.
	put_exports(&file, (const char *const[]){"run", "table", "other"},
		    (uint32_t[]){CODE + 8, DATA + 0x400, EXPORTS + 0x40});
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	_cleanup_(symbol_table_deinit) struct symbol_table table = SYMBOL_TABLE_INIT;
	struct pe_functions functions = PE_FUNCTIONS_INIT;
	struct pe_symbols_found found;
	assert_no_error(pe_symbols_add(&image, &functions, &table, &found));
	assert_no_error(symbol_table_build(&table));
	assert_int_equal(found.num_exports, 1);
	assert_int_equal(table.num_items, 1);
	assert_string_equal(table.items[0].name, "run");
	assert_int_equal(table.items[0].address, CODE + 8);
	assert_int_equal(table.items[0].size, DATA_OFFSET - CODE_OFFSET - 8);
	uint32_t address;
	assert_true(pe_symbols_find_export(&image, "table", &address));
	assert_int_equal(address, DATA + 0x400);
	assert_false(pe_symbols_find_export(&image, "other", &address));
}

static void it_finds_what_a_compiler_named(void **state)
{
	(void)state;
	enum { SYMBOLS = DATA + 0x500, STRINGS = SYMBOLS + 2 * 18, IN_FILE = DATA_OFFSET - DATA };
	struct file file = make(0x8664);
	put(&file, PE + 12, (uint32_t[]){SYMBOLS + IN_FILE, 2}, 2);
	// A function with the same name, of a file, then the variable.
	for (size_t i = 0; i < 2; i++) {
		size_t at = SYMBOLS + IN_FILE + 18 * i;
		put(&file, at, (uint32_t[]){0, 4, 0x20}, 3);
		put16(&file, at + 12, (uint16_t)(1 + i));
		put16(&file, at + 14, i == 0 ? 0x20 : 0);
	}
	put_data(&file, STRINGS, (uint32_t[]){32}, 1);
	memcpy(file.bytes + STRINGS + IN_FILE + 4, "a_long_name", 12);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	uint32_t address;
	assert_true(pe_symbols_find_variable(&image, "a_long_name", &address));
	assert_int_equal(address, DATA + 0x20);
	assert_false(pe_symbols_find_variable(&image, "another", &address));
}

/** The optional header of 32 bits has one field more and shorter ones: directories begin 16 bytes
 *  earlier. */
static void images_of_32_bits(void **state)
{
	(void)state;
	struct file file = make(0x14c);
	put16(&file, OPTIONAL_HEADER, 0x10b);
	put(&file, PE + 8, (uint32_t[]){0x5f123456}, 1);
	put(&file, OPTIONAL_HEADER + 28, (uint32_t[]){0x400000}, 1);
	put(&file, OPTIONAL_HEADER + 56, (uint32_t[]){0x3000, CODE_OFFSET}, 2);
	put_exports(&file, (const char *const[3]){"one", "two", "six"},
		    (const uint32_t[3]){CODE, CODE + 0x10, CODE + 0x20});
	memmove(file.bytes + DIRECTORIES - 16, file.bytes + DIRECTORIES, 16 * 8);
	put(&file, OPTIONAL_HEADER + 92, (uint32_t[]){16}, 1);
	_cleanup_(pe_image_deinit) struct pe_image image = read_image(&file);
	assert_int_equal(image.kind, PE_KIND_OTHER);
	assert_int_equal(image.base, 0x400000);
	assert_int_equal(image.time, 0x5f123456);
	assert_int_equal(image.memory_size, 0x3000);
	assert_int_equal(image.headers_size, CODE_OFFSET);
	uint32_t address;
	assert_true(pe_symbols_find_export(&image, "two", &address));
	assert_int_equal(address, CODE + 0x10);
}

static void it_says_what_is_wrong_with_a_file(void **state)
{
	(void)state;
	struct pe_image image = PE_IMAGE_INIT;
	struct file file = make(0x14c);
	put16(&file, OPTIONAL_HEADER, 0x107);
	assert_error(pe_image_init(&image, &file, sizeof(file), "a.dll"), ERROR_FAILED,
		     "cannot read 'a.dll': it is not a Windows program");
	file.bytes[PE] = 'L';
	assert_error(pe_image_init(&image, &file, sizeof(file), "a.dll"), ERROR_FAILED,
		     "cannot read 'a.dll': it is a DOS program, or not a program");
	file = make(0x8664);
	for (size_t size = PE + 4; size < SECTIONS + 80; size += 3)
		assert_error(pe_image_init(&image, &file, size, "a.dll"), ERROR_FAILED,
			     "cannot read 'a.dll': its header is incomplete");
}

int pe_image_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_machines_apart),
		cmocka_unit_test(it_reads_headers_and_sections),
		cmocka_unit_test(it_reads_names_that_are_long),
		cmocka_unit_test(it_reads_which_pdb_belongs_to_it),
		cmocka_unit_test(it_reads_functions_of_x64),
		cmocka_unit_test(it_reads_functions_of_arm64),
		cmocka_unit_test(it_reads_which_code_is_for_which_machine),
		cmocka_unit_test(it_does_without_a_code_map_that_is_not_there),
		cmocka_unit_test(it_finds_what_is_exported),
		cmocka_unit_test(it_finds_what_a_compiler_named),
		cmocka_unit_test(images_of_32_bits),
		cmocka_unit_test(it_says_what_is_wrong_with_a_file),
	};
	return cmocka_run_group_tests_name("pe_image", tests, NULL, NULL);
}
