// SPDX-License-Identifier: Apache-2.0

#include "process/loaded_image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "process/memory/memory_pieces.h"

enum {
	BASE = 0x40000000,
	IMAGE_SIZE = 0x10000,
	PE = 64,
	OPTIONAL_SIZE = 240,
	SECTIONS = PE + 24 + OPTIONAL_SIZE,
	SECTION_SIZE = 40,
	CODE = 0x60000020,
	DATA = (int)0xc0000040,
};

static void put(uint8_t *to, uint64_t value, size_t size)
{
	memcpy(to, &value, size);
}

static void put_section(uint8_t *image, size_t index, const uint32_t *numbers, uint32_t flags)
{
	uint8_t *section = image + SECTIONS + index * SECTION_SIZE;
	memcpy(section + 8, numbers, 4 * sizeof(*numbers));
	put(section + 36, flags, 4);
}

static void put_headers(uint8_t *image, unsigned num_sections)
{
	put(image, 0x5a4d, 2);
	put(image + 0x3c, PE, 4);
	put(image + PE, 0x4550, 4);
	put(image + PE + 6, num_sections, 2);
	put(image + PE + 20, OPTIONAL_SIZE, 2);
}

static size_t find_code(const uint8_t *image, size_t size,
			struct loaded_code ret[LOADED_IMAGE_MAX_CODE])
{
	const struct memory_piece piece = {BASE, image, size};
	struct memory_pieces pieces = {&piece, 1};
	struct process_memory memory = memory_pieces_memory(&pieces);
	return loaded_image_code(&memory, BASE, IMAGE_SIZE, ret);
}

static void sections_with_code_are_told(void **state)
{
	uint8_t image[1024] = "";
	struct loaded_code code[LOADED_IMAGE_MAX_CODE];
	put_headers(image, 3);
	put_section(image, 0, (uint32_t[]){0x1234, 0x1000, 0x1400, 0x400}, CODE);
	put_section(image, 1, (uint32_t[]){0x200, 0x3000, 0x200, 0x1800}, (uint32_t)DATA);
	put_section(image, 2, (uint32_t[]){0, 0x4000, 0x200, 0x1a00}, CODE);
	assert_int_equal(find_code(image, sizeof(image), code), 2);
	assert_true(code[0].start == BASE + 0x1000 && code[0].length == 0x1234);
	assert_int_equal(code[0].file_offset, 0x400);
	assert_true(code[1].start == BASE + 0x4000 && code[1].length == 0x200);
	assert_int_equal(code[1].file_offset, 0x1a00);
}

static void what_leaves_the_image_is_left_out(void **state)
{
	static const uint32_t rows[][4] = {
		{0x1000, IMAGE_SIZE, 0x200, 0x400},
		{0x1001, IMAGE_SIZE - 0x1000, 0x200, 0x400},
		{0xffffffff, 0x1000, 0x200, 0x400},
		{0x1000, 0xffffffff, 0x200, 0x400},
		{0x1000, 0x1000, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t image[1024] = "";
		struct loaded_code code[LOADED_IMAGE_MAX_CODE];
		put_headers(image, 1);
		put_section(image, 0, rows[i], CODE);
		assert_int_equal(find_code(image, sizeof(image), code), 0);
	}
}

static void headers_may_be_anything(void **state)
{
	uint8_t image[1024] = "";
	struct loaded_code code[LOADED_IMAGE_MAX_CODE];
	assert_int_equal(find_code(image, sizeof(image), code), 0);
	put_headers(image, 0xffff);
	for (size_t i = 0; i < 17; i++)
		put_section(image, i, (uint32_t[]){0x10, 0x1000, 0x10, 0x400}, CODE);
	// As many as are there, of those that it says it has.
	assert_int_equal(find_code(image, sizeof(image), code), 17);
	assert_int_equal(find_code(image, SECTIONS + SECTION_SIZE, code), 1);
	assert_int_equal(find_code(image, SECTIONS + SECTION_SIZE - 1, code), 0);
	put(image + 0x3c, 0xfffffff0, 4);
	assert_int_equal(find_code(image, sizeof(image), code), 0);
}

int loaded_image_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_with_code_are_told),
		cmocka_unit_test(what_leaves_the_image_is_left_out),
		cmocka_unit_test(headers_may_be_anything),
	};
	return cmocka_run_group_tests_name("loaded_image", tests, NULL, NULL);
}
