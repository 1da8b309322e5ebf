// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_data_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "record/spe/spe_core.h"

static void each_core_has_its_numbers(void **state)
{
	static const struct {
		uint32_t midr;
		uint64_t payload;
		enum spe_distance distance;
		const char *name;
	} cases[] = {
		{0x413fd0c1, 0x0, SPE_DISTANCE_L1, "L1D"},
		{0x410fd402, 0xe, SPE_DISTANCE_MEMORY, "DRAM"},
		{0x410fd4f1, 0xc, SPE_DISTANCE_PEER_CLUSTER, "peer cluster"},
		{0xc00fac40, 0x0, SPE_DISTANCE_PEER_CORE, "local chip cache or device"},
		{0xc00fac40, 0x8, SPE_DISTANCE_L1, "L1D"},
		{SPE_CORE_HIP12, 9, SPE_DISTANCE_REMOTE_MEMORY, "remote memory"},
		{SPE_CORE_HIP12, 18, SPE_DISTANCE_L1, "L1"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct spe_data_source *source =
			spe_data_source_find(cases[i].midr, cases[i].payload);
		assert_non_null(source);
		assert_int_equal(source->distance, cases[i].distance);
		assert_string_equal(source->name, cases[i].name);
		assert_non_null(spe_distance_name(source->distance));
	}
	assert_true(spe_data_source_find(SPE_CORE_HIP12, 3)->is_modified);
	assert_false(spe_data_source_find(SPE_CORE_HIP12, 2)->is_modified);
}

static void nothing_is_guessed(void **state)
{
	assert_null(spe_data_source_find(0, 0));
	assert_null(spe_data_source_find(0x411fd070, 0)); // a Cortex-A57
	assert_null(spe_data_source_find(SPE_CORE_NEOVERSE_N1, 1));
	assert_null(spe_data_source_find(SPE_CORE_NEOVERSE_N1, UINT64_C(1) << 32));
}

int spe_data_source_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_core_has_its_numbers),
		cmocka_unit_test(nothing_is_guessed),
	};
	return cmocka_run_group_tests_name("spe_data_source", tests, NULL, NULL);
}
