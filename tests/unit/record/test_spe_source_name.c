// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_source_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

static const struct {
	uint8_t class, payload;
	uint64_t events;
	const char *name;
} cases[] = {
	{1, 0x00, 0x16, "LOAD_STORE_ATOMIC-LOAD-GP/retired+level1-data-cache-access+tlb_access"},
	{1, 0x01, 0x12, "LOAD_STORE_ATOMIC-STORE-GP/retired+tlb_access"},
	{1, 0x04, 0x02, "LOAD_STORE_ATOMIC-LOAD-SIMD-FP/retired"},
	{1, 0x17, 0x02, "LOAD_STORE_ATOMIC-STORE-OTHER/retired"},
	{1, 0x48, 0x02, "LOAD_STORE_ATOMIC-LOAD-OTHER/retired"},
	{2, 0x00, 0x02, "BRANCH_OR_EXCEPTION-UNCONDITIONAL-DIRECT/retired"},
	{2, 0x01, 0x42, "BRANCH_OR_EXCEPTION-CONDITIONAL-DIRECT/retired+not-taken"},
	{2, 0x0a, 0x82, "BRANCH_OR_EXCEPTION-UNCONDITIONAL-INDIRECT/retired+mispredicted"},
	{2, 0x03, 0x02, "BRANCH_OR_EXCEPTION-CONDITIONAL-INDIRECT/retired"},
	{0, 0x01, 0x02, "OTHER/retired"},
	{3, 0x01, 0x02, "OTHER/retired"},
	{0, 0x00, 0x60fff,
	 "OTHER/alignment+retired+sve-empty-predicate+generated-exception+last-level-cache-access+"
	 "last-level-cache-miss+level1-data-cache-access+level1-data-cache-refill+mispredicted+"
	 "not-taken+sve-partial-predicate+remote-acess+tlb_access+tlb-walk"},
	{0, 0x00, 0, "OTHER/none"},
	{0, 0x00, UINT64_C(0xfffffffffff8f000) | 0x2, "OTHER/retired"},
};

static struct spe_record make_record(unsigned class, unsigned payload, uint64_t events)
{
	struct spe_record record = {};
	record.values[SPE_VALUE_OPERATION] = payload << SPE_RECORD_OPERATION_SHIFT | class;
	record.values[SPE_VALUE_EVENTS] = events;
	return record;
}

static void names_of_the_peer(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_record record =
			make_record(cases[i].class, cases[i].payload, cases[i].events);
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		spe_source_name_append(&text, spe_source_name_key(&record));
		assert_string_equal(string_builder_peek(&text), cases[i].name);
	}
}

static void same_name_same_key(void **state)
{
	struct spe_record one = make_record(1, 0x16, 0x80016), other = make_record(1, 0x48, 0x16);
	assert_int_equal(spe_source_name_key(&one), spe_source_name_key(&other));
	other = make_record(1, 0x49, 0x16);
	assert_int_not_equal(spe_source_name_key(&one), spe_source_name_key(&other));
}

int spe_source_name_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_peer),
		cmocka_unit_test(same_name_same_key),
	};
	return cmocka_run_group_tests_name("spe_source_name", tests, NULL, NULL);
}
