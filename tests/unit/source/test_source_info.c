// SPDX-License-Identifier: Apache-2.0

#include "source/source_info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void pmu_versions_have_names(void **state)
{
	static const char *const names[16] = {
		"not implemented.",
		"FEAT_PMUv3",
		"unknown PMU configuration!",
		"unknown PMU configuration!",
		"FEAT_PMUv3p1",
		"FEAT_PMUv3p4",
		"FEAT_PMUv3p5",
		"FEAT_PMUv3p7",
		"FEAT_PMUv3p8",
		"FEAT_PMUv3p9",
		[15] = "unknown PMU configuration!",
	};
	struct source_info info = {.has_registers = true};
	for (unsigned version = 0; version < 16; version++) {
		info.registers.pmu_version = (uint8_t)version;
		if (names[version])
			assert_string_equal(source_info_pmu_version(&info), names[version]);
	}
	info.has_registers = false;
	assert_string_equal(source_info_pmu_version(&info), "not known");
}

static void spe_versions_have_names(void **state)
{
	struct source_info info = {.has_registers = true};
	assert_string_equal(source_info_spe_version(&info), "not implemented");
	info.registers.id_aa64dfr0 = UINT64_C(1) << 32;
	assert_string_equal(source_info_spe_version(&info), "FEAT_SPE");
	info.registers.id_aa64dfr0 = UINT64_C(4) << 32;
	assert_string_equal(source_info_spe_version(&info), "FEAT_SPEv1p3");
	info.registers.id_aa64dfr0 = UINT64_C(15) << 32;
	assert_string_equal(source_info_spe_version(&info), "unknown SPE configuration!");
}

int source_info_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pmu_versions_have_names),
		cmocka_unit_test(spe_versions_have_names),
	};
	return cmocka_run_group_tests_name("source_info", tests, NULL, NULL);
}
