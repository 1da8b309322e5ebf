// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"

static const struct {
	unsigned class;
	uint8_t payload;
	struct spe_operation operation;
} cases[] = {
	{SPE_CLASS_OTHER, 0x00, {SPE_OPERATION_OTHER, 0, 0}},
	{SPE_CLASS_OTHER, 0x01, {SPE_OPERATION_OTHER, SPE_OPERATION_IS_CONDITIONAL, 0}},
	{SPE_CLASS_OTHER,
	 0x06,
	 {SPE_OPERATION_OTHER, SPE_OPERATION_IS_FLOAT | SPE_OPERATION_IS_SIMD, 0}},
	{SPE_CLASS_OTHER, 0x10, {SPE_OPERATION_UNKNOWN, 0, 0}},
	{SPE_CLASS_OTHER, 0x3c, {SPE_OPERATION_SVE, SPE_OPERATION_IS_PREDICATED, 256}},
	{SPE_CLASS_OTHER, 0xac, {SPE_OPERATION_SME, 0, 128 << 5}},
	{SPE_CLASS_LOAD_STORE, 0x00, {SPE_OPERATION_GENERAL, 0, 0}},
	{SPE_CLASS_LOAD_STORE, 0x01, {SPE_OPERATION_GENERAL, SPE_OPERATION_IS_STORE, 0}},
	{SPE_CLASS_LOAD_STORE, 0x05, {SPE_OPERATION_SIMD_FP, SPE_OPERATION_IS_STORE, 0}},
	{SPE_CLASS_LOAD_STORE,
	 0x16,
	 {SPE_OPERATION_EXTENDED, SPE_OPERATION_IS_ATOMIC | SPE_OPERATION_IS_ACQUIRE_RELEASE, 0}},
	{SPE_CLASS_LOAD_STORE,
	 0x0b,
	 {SPE_OPERATION_EXTENDED, SPE_OPERATION_IS_STORE | SPE_OPERATION_IS_EXCLUSIVE, 0}},
	{SPE_CLASS_LOAD_STORE, 0x14, {SPE_OPERATION_TAG, 0, 0}},
	{SPE_CLASS_LOAD_STORE, 0x20, {SPE_OPERATION_MEMORY_COPY, 0, 0}},
	{SPE_CLASS_LOAD_STORE, 0x25, {SPE_OPERATION_MEMORY_SET, SPE_OPERATION_IS_STORE, 0}},
	{SPE_CLASS_LOAD_STORE, 0x24, {SPE_OPERATION_UNKNOWN, 0, 0}},
	{SPE_CLASS_LOAD_STORE, 0xc8, {SPE_OPERATION_VECTOR, SPE_OPERATION_IS_GATHER_SCATTER, 512}},
	{SPE_CLASS_LOAD_STORE, 0x44, {SPE_OPERATION_GCS, SPE_OPERATION_IS_COMMON, 0}},
	{SPE_CLASS_BRANCH,
	 0x03,
	 {SPE_OPERATION_BRANCH, SPE_OPERATION_IS_CONDITIONAL | SPE_OPERATION_IS_INDIRECT, 0}},
	{SPE_CLASS_BRANCH,
	 0x0a,
	 {SPE_OPERATION_BRANCH, SPE_OPERATION_IS_INDIRECT | SPE_OPERATION_IS_CALL, 0}},
	{SPE_CLASS_BRANCH,
	 0x16,
	 {SPE_OPERATION_BRANCH,
	  SPE_OPERATION_IS_INDIRECT | SPE_OPERATION_IS_GCS | SPE_OPERATION_IS_RETURN, 0}},
	{SPE_CLASS_BRANCH, 0x18, {SPE_OPERATION_BRANCH, SPE_OPERATION_IS_PLAIN_BRANCH, 0}},
	{3, 0x00, {SPE_OPERATION_UNKNOWN, 0, 0}},
};

static void payloads_are_taken_apart(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_operation operation = spe_operation_of(cases[i].class, cases[i].payload);
		assert_int_equal(operation.kind, cases[i].operation.kind);
		assert_int_equal(operation.flags, cases[i].operation.flags);
		assert_int_equal(operation.vector_bits, cases[i].operation.vector_bits);
	}
}

static void every_payload_has_words(void **state)
{
	for (unsigned class = 0; class < 4; class ++)
		for (unsigned payload = 0; payload < 256; payload++) {
			_cleanup_(string_builder_deinit) struct string_builder text =
				STRING_BUILDER_INIT;
			assert_int_equal(spe_operation_append(&text, class, payload), class < 3);
			assert_int_equal(text.length > 0, class < 3);
		}
}

int spe_operation_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(payloads_are_taken_apart),
		cmocka_unit_test(every_payload_has_words),
	};
	return cmocka_run_group_tests_name("spe_operation", tests, NULL, NULL);
}
