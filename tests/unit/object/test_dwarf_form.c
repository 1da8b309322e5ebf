// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_form.h"

#include "base/container/array.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t bytes[] = {0x05, 0x81, 0x02, 0x00, 0x41, 0x42, 0x00, 0x07, 0x08, 0x09,
				0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13};

static const struct dwarf_encoding encoding = {.version = 4, .address_size = 8, .offset_size = 4};

struct example {
	uint16_t form;
	size_t length;
	uint64_t number;
	int first_byte; // of what is in place; -1: nothing is
};

static const struct example examples[] = {
	{DW_FORM_addr, 8, 0x0700424100028105, -1},
	{DW_FORM_data1, 1, 0x05, -1},
	{DW_FORM_data2, 2, 0x8105, -1},
	{DW_FORM_data4, 4, 0x00028105, -1},
	{DW_FORM_data8, 8, 0x0700424100028105, -1},
	{DW_FORM_strx3, 3, 0x028105, -1},
	{DW_FORM_addrx3, 3, 0x028105, -1},
	{DW_FORM_udata, 1, 5, -1},
	{DW_FORM_sdata, 1, 5, -1},
	{DW_FORM_strx, 1, 5, -1},
	{DW_FORM_rnglistx, 1, 5, -1},
	{DW_FORM_GNU_addr_index, 1, 5, -1},
	{DW_FORM_strp, 4, 0x00028105, -1},
	{DW_FORM_line_strp, 4, 0x00028105, -1},
	{DW_FORM_ref_addr, 4, 0x00028105, -1},
	{DW_FORM_GNU_ref_alt, 4, 0x00028105, -1},
	{DW_FORM_GNU_strp_alt, 4, 0x00028105, -1},
	{DW_FORM_strp_sup, 4, 0x00028105, -1},
	{DW_FORM_ref_sup8, 8, 0x0700424100028105, -1},
	{DW_FORM_ref_sig8, 8, 0x0700424100028105, -1},
	{DW_FORM_flag_present, 0, 1, -1},
	{DW_FORM_implicit_const, 0, 77, -1},
	{DW_FORM_block1, 6, 5, 0x81},
	{DW_FORM_exprloc, 6, 5, 0x81},
	{DW_FORM_data16, 16, 16, 0x05},
	{DW_FORM_string, 4, 0, 0x05},
	{DW_FORM_indirect, 3, 0x0281, -1}, // 5 is DW_FORM_data2
};

static void check(const struct example *example)
{
	struct reader reader = reader_create(bytes, sizeof(bytes));
	struct dwarf_value value = dwarf_form_read(example->form, 77, &encoding, &reader);
	assert_false(reader.failed);
	assert_int_equal(reader.offset, example->length);
	assert_int_equal(value.number, example->number);
	assert_int_equal(value.bytes ? value.bytes[0] : -1, example->first_byte);
}

/** What is said of a length without reading is what reading moves over. */
static void check_length(const struct example *example)
{
	uint8_t num_bytes;
	switch (dwarf_form_length(example->form, &num_bytes)) {
	case DWARF_LENGTH_BYTES:
		assert_int_equal(num_bytes, example->length);
		break;
	case DWARF_LENGTH_ADDRESS:
		assert_int_equal(encoding.address_size, example->length);
		break;
	case DWARF_LENGTH_OFFSET:
		assert_int_equal(encoding.offset_size, example->length);
		break;
	default:
		break;
	}
}

static void it_reads_every_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		check(&examples[i]);
		check_length(&examples[i]);
	}
}

static void references_had_the_size_of_addresses(void **state)
{
	(void)state;
	const struct dwarf_encoding old = {.version = 2, .address_size = 8, .offset_size = 4};
	struct reader reader = reader_create(bytes, sizeof(bytes));
	dwarf_form_read(DW_FORM_ref_addr, 0, &old, &reader);
	assert_int_equal(reader.offset, 8);
}

static void it_refuses_what_it_does_not_know_and_what_does_not_fit(void **state)
{
	(void)state;
	static const uint16_t forms[] = {0, 0x02, 0x2d, 0x1f00, DW_FORM_block4};
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct reader reader = reader_create(bytes, sizeof(bytes));
		assert_int_equal(dwarf_form_read(forms[i], 0, &encoding, &reader).form, 0);
		assert_true(reader.failed);
	}
	struct reader reader = reader_create(bytes, 7);
	assert_int_equal(dwarf_form_read(DW_FORM_addr, 0, &encoding, &reader).form, 0);
	assert_true(reader.failed);
}

static void indirect_forms_of_indirect_forms_end(void **state)
{
	(void)state;
	uint8_t endless[1000];
	memset(endless, DW_FORM_indirect, sizeof(endless));
	struct reader reader = reader_create(endless, sizeof(endless));
	dwarf_form_read(DW_FORM_indirect, 0, &encoding, &reader);
	assert_true(reader.failed);
}

int dwarf_form_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_every_form),
		cmocka_unit_test(references_had_the_size_of_addresses),
		cmocka_unit_test(it_refuses_what_it_does_not_know_and_what_does_not_fit),
		cmocka_unit_test(indirect_forms_of_indirect_forms_end),
	};
	return cmocka_run_group_tests_name("dwarf_form", tests, NULL, NULL);
}
