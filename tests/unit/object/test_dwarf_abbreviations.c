// SPDX-License-Identifier: Apache-2.0

#include "object/dwarf/dwarf_abbreviations.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

struct fixture {
	struct arena arena;
	size_t budget;
	struct dwarf_abbreviations table;
};

static void begin(struct fixture *fixture, const uint8_t *bytes, size_t size)
{
	*fixture = (struct fixture){.budget = 1000};
	dwarf_abbreviations_init(&fixture->table, reader_create(bytes, size), &fixture->arena,
				 &fixture->budget);
}

static void end(struct fixture *fixture)
{
	dwarf_abbreviations_deinit(&fixture->table);
	arena_deinit(&fixture->arena);
}

static const struct dwarf_abbreviation *find(struct fixture *fixture, uint64_t code)
{
	const struct dwarf_abbreviation *found;
	assert_no_error(dwarf_abbreviations_find(&fixture->table, code, &found));
	return found;
}

static const uint8_t in_order[] = {1,
				   DW_TAG_compile_unit,
				   1,
				   DW_AT_name,
				   DW_FORM_strp,
				   DW_AT_language,
				   DW_FORM_implicit_const,
				   29,
				   0,
				   0, //
				   2,
				   DW_TAG_subprogram,
				   0,
				   DW_AT_low_pc,
				   DW_FORM_addr,
				   DW_AT_sibling,
				   DW_FORM_ref4,
				   DW_AT_high_pc,
				   DW_FORM_data4,
				   0,
				   0, //
				   3,
				   DW_TAG_variable,
				   0,
				   DW_AT_name,
				   DW_FORM_string,
				   0,
				   0, //
				   0};

static void it_tells_attributes_and_lengths(void **state)
{
	(void)state;
	static const struct dwarf_encoding encoding = {4, 8, 4};
	struct fixture fixture;
	begin(&fixture, in_order, sizeof(in_order));
	const struct dwarf_abbreviation *unit = find(&fixture, 1);
	assert_int_equal(unit->tag, DW_TAG_compile_unit);
	assert_true(unit->has_children && !unit->has_code);
	assert_int_equal(unit->num_specifications, 2);
	assert_int_equal(unit->specifications[1].implicit, 29);
	assert_true(unit->has_length);
	assert_int_equal(dwarf_value_length(&unit->length, &encoding), 4);
	assert_true(find(&fixture, 2)->has_code);
	assert_true(find(&fixture, 2)->has_length);
	assert_int_equal(dwarf_value_length(&find(&fixture, 2)->length, &encoding), 16);
	assert_int_equal(dwarf_value_length(&find(&fixture, 2)->sibling, &encoding), 8);
	assert_int_equal(find(&fixture, 2)->sibling_form, DW_FORM_ref4);
	assert_false(find(&fixture, 3)->has_length);
	assert_null(find(&fixture, 0));
	assert_null(find(&fixture, 4));
	assert_null(find(&fixture, UINT64_MAX));
	end(&fixture);
}

static void it_reads_only_as_far_as_it_must(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, in_order, sizeof(in_order));
	find(&fixture, 1);
	assert_int_equal(fixture.budget, 1000 - 10);
	end(&fixture);
}

static void codes_may_be_any_numbers(void **state)
{
	(void)state;
	static const uint8_t bytes[] = {0xe4,
					0x00,
					DW_TAG_variable,
					0,
					0,
					0, //
					7,
					DW_TAG_subprogram,
					0,
					0,
					0, //
					1,
					DW_TAG_namespace,
					1,
					0,
					0,
					0};
	struct fixture fixture;
	begin(&fixture, bytes, sizeof(bytes));
	assert_int_equal(find(&fixture, 1)->tag, DW_TAG_namespace);
	assert_int_equal(find(&fixture, 7)->tag, DW_TAG_subprogram);
	assert_int_equal(find(&fixture, 100)->tag, DW_TAG_variable);
	assert_null(find(&fixture, 2));
	end(&fixture);
}

static void a_table_that_is_cut_off_has_what_is_whole(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, in_order, 15);
	assert_non_null(find(&fixture, 1));
	assert_null(find(&fixture, 2));
	end(&fixture);
}

static void tables_read_no_more_than_is_allowed(void **state)
{
	(void)state;
	struct fixture fixture;
	begin(&fixture, in_order, sizeof(in_order));
	fixture.budget = 12;
	assert_non_null(find(&fixture, 1));
	assert_null(find(&fixture, 2));
	end(&fixture);
}

int dwarf_abbreviations_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_tells_attributes_and_lengths),
		cmocka_unit_test(it_reads_only_as_far_as_it_must),
		cmocka_unit_test(codes_may_be_any_numbers),
		cmocka_unit_test(a_table_that_is_cut_off_has_what_is_whole),
		cmocka_unit_test(tables_read_no_more_than_is_allowed),
	};
	return cmocka_run_group_tests_name("dwarf_abbreviations", tests, NULL, NULL);
}
