// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_ranges.h"

#include "base/container/array.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define BYTES(...)      ((const uint8_t[]){__VA_ARGS__}), sizeof((const uint8_t[]){__VA_ARGS__})
#define WORD(low, high) low, high, 0, 0, 0, 0, 0, 0
#define ALL_ONES        255, 255, 255, 255, 255, 255, 255, 255

static const uint8_t addresses[] = {WORD(0, 0x20), WORD(0, 0x30)};

struct range {
	uint64_t start, end;
};

struct example {
	uint8_t version;
	const uint8_t *bytes;
	size_t size;
	struct range ranges[3]; // the first one that begins at 0 is none
};

static const struct dwarf_value none;

/** The unit begins at 0x1000; its table of addresses has 0x2000 and 0x3000. */
static void check(const struct example *example, enum dwarf_section section)
{
	struct dwarf_file file = {.ranges_budget = 1000};
	file.sections.bytes[DWARF_SECTION_ADDR] =
		(struct object_bytes){.data = addresses, .size = sizeof(addresses)};
	file.sections.bytes[section] =
		(struct object_bytes){.data = example->bytes, .size = example->size};
	const struct dwarf_header header = {
		.file = &file,
		.encoding = {.version = example->version, .address_size = 8, .offset_size = 4},
		.base_address = 0x1000,
	};
	const struct dwarf_value list = {.form = DW_FORM_sec_offset};
	struct dwarf_ranges ranges = dwarf_ranges_create(&header, &none, &none, &list);
	for (const struct range *expected = example->ranges; expected->start; expected++) {
		uint64_t start, end;
		assert_true(dwarf_ranges_next(&ranges, &start, &end));
		assert_int_equal(start, expected->start);
		assert_int_equal(end, expected->end);
	}
	uint64_t start, end;
	assert_false(dwarf_ranges_next(&ranges, &start, &end));
}

static void it_reads_pairs(void **state)
{
	(void)state;
	static const uint8_t pairs[] = {WORD(1, 0), WORD(2, 0), ALL_ONES,   WORD(0, 0x50),
					WORD(3, 0), WORD(4, 0), WORD(0, 0), WORD(0, 0),
					WORD(5, 0), WORD(6, 0)};
	const struct example whole = {
		4, pairs, sizeof(pairs), {{0x1001, 0x1002}, {0x5003, 0x5004}}};
	const struct example cut_off = {4, pairs, 20, {{0x1001, 0x1002}}};
	check(&whole, DWARF_SECTION_RANGES);
	check(&cut_off, DWARF_SECTION_RANGES);
}

static void it_reads_every_kind_of_entry(void **state)
{
	(void)state;
	const struct example examples[] = {
		{5, BYTES(DW_RLE_offset_pair, 1, 2, DW_RLE_end_of_list), {{0x1001, 0x1002}}},
		{5,
		 BYTES(DW_RLE_base_addressx, 1, DW_RLE_offset_pair, 1, 2, 0),
		 {{0x3001, 0x3002}}},
		{5,
		 BYTES(DW_RLE_base_address, WORD(0, 0x70), DW_RLE_offset_pair, 1, 2, 0),
		 {{0x7001, 0x7002}}},
		{5, BYTES(DW_RLE_startx_endx, 0, 1, 0), {{0x2000, 0x3000}}},
		{5, BYTES(DW_RLE_startx_length, 1, 9, 0), {{0x3000, 0x3009}}},
		{5, BYTES(DW_RLE_start_end, WORD(4, 0), WORD(8, 0), 0), {{4, 8}}},
		{5,
		 BYTES(DW_RLE_start_length, WORD(4, 0), 8, DW_RLE_start_length, WORD(9, 0), 1, 0),
		 {{4, 12}, {9, 10}}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++)
		check(&examples[i], DWARF_SECTION_RNGLISTS);
}

static void it_ends_where_a_list_is_damaged(void **state)
{
	(void)state;
	const struct example examples[] = {
		{5, BYTES(DW_RLE_offset_pair, 1, 2, 99, 1, 2), {{0x1001, 0x1002}}},
		{5,
		 BYTES(DW_RLE_offset_pair, 1, 2, DW_RLE_startx_length, 2, 9),
		 {{0x1001, 0x1002}}},
		{5, BYTES(DW_RLE_offset_pair, 1), {{0}}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++)
		check(&examples[i], DWARF_SECTION_RNGLISTS);
}

static void one_range_ends_at_an_address_or_behind_a_length(void **state)
{
	(void)state;
	static const struct {
		uint16_t form;
		uint64_t number, end;
	} examples[] = {
		{DW_FORM_addr, 0x2080, 0x2080},
		{DW_FORM_data4, 0x10, 0x2010},
		{DW_FORM_udata, UINT64_MAX, UINT64_MAX},
	};
	struct dwarf_file file = {.ranges_budget = 1000};
	const struct dwarf_header header = {.file = &file,
					    .encoding = {.version = 4, .address_size = 8}};
	const struct dwarf_value low = {.form = DW_FORM_addr, .number = 0x2000};
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		const struct dwarf_value high = {.form = examples[i].form,
						 .number = examples[i].number};
		struct dwarf_ranges ranges = dwarf_ranges_create(&header, &low, &high, &none);
		uint64_t start, end;
		assert_true(dwarf_ranges_next(&ranges, &start, &end));
		assert_int_equal(start, 0x2000);
		assert_int_equal(end, examples[i].end);
		assert_false(dwarf_ranges_next(&ranges, &start, &end));
	}
	struct dwarf_ranges ranges = dwarf_ranges_create(&header, &low, &none, &none);
	uint64_t start, end;
	assert_false(dwarf_ranges_next(&ranges, &start, &end));
}

int dwarf_ranges_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_pairs),
		cmocka_unit_test(it_reads_every_kind_of_entry),
		cmocka_unit_test(it_ends_where_a_list_is_damaged),
		cmocka_unit_test(one_range_ends_at_an_address_or_behind_a_length),
	};
	return cmocka_run_group_tests_name("dwarf_ranges", tests, NULL, NULL);
}
