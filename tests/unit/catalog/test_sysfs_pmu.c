// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/sysfs_pmu.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *name, *text;
} formats[] = {
	{"event", "config:0-7,32-35"}, {"umask", "config:8-15"},  {"inv", "config:23"},
	{"cmask", "config:24-31"},     {"ldlat", "config1:0-15"}, {"all", "config2:0-63"},
};

static void add_formats(struct sysfs_pmu *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		assert_null(sysfs_pmu_add_format(pmu, formats[i].name, formats[i].text));
}

static void test_formats(void **state)
{
	static const struct {
		const char *text;
		bool good;
		unsigned config;
		uint64_t mask;
	} cases[] = {
		{"config:0", true, 0, 1},
		{"config:0-7", true, 0, 0xff},
		{"config:63", true, 0, 1ull << 63},
		{"config:0-63", true, 0, UINT64_MAX},
		{"config:32-35,0-7", true, 0, 0xf000000ffull},
		{"config1:1-3", true, 1, 0xe},
		{"config2:60-63", true, 2, 0xfull << 60},
		{"config:64", false, 0, 0},
		{"config:0-64", false, 0, 0},
		{"config:7-0", false, 0, 0},
		{"config:", false, 0, 0},
		{"config:0-", false, 0, 0},
		{"config:-7", false, 0, 0},
		{"config:0,", false, 0, 0},
		{"config:,0", false, 0, 0},
		{"config:0x1", false, 0, 0},
		{"config:0-7-9", false, 0, 0},
		{"config3:0-7", false, 0, 0},
		{"config", false, 0, 0},
		{"", false, 0, 0},
		{"config:99999999999999999999", false, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(sysfs_pmu_deinit) struct sysfs_pmu pmu = SYSFS_PMU_INIT;
		assert_null(sysfs_pmu_add_format(&pmu, "term", cases[i].text));
		assert_int_equal(pmu.num_formats, cases[i].good);
		if (!cases[i].good)
			continue;
		assert_string_equal(pmu.formats[0].name, "term");
		assert_int_equal(pmu.formats[0].config, cases[i].config);
		assert_int_equal(pmu.formats[0].mask, cases[i].mask);
	}
}

static void test_long_term_names_are_left_out(void **state)
{
	char name[300];
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	_cleanup_(sysfs_pmu_deinit) struct sysfs_pmu pmu = SYSFS_PMU_INIT;
	assert_null(sysfs_pmu_add_format(&pmu, name, "config:0-7"));
	assert_null(sysfs_pmu_add_format(&pmu, "", "config:0-7"));
	assert_int_equal(pmu.num_formats, 0);
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	assert_false(sysfs_pmu_encode(&pmu, name, configs));
}

static void test_encode(void **state)
{
	static const struct {
		const char *terms;
		uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	} cases[] = {
		{"event=0x3c", {0x3c, 0, 0}},
		{"event=0x3c,umask=0x1", {0x13c, 0, 0}},
		{"event=0x1c2", {0x1000000c2, 0, 0}},
		{"event=0x0cd,umask=0x01,ldlat=3", {0x1cd, 3, 0}},
		{"event=010", {10, 0, 0}},
		{"event=0xc0,inv,cmask=1", {0x18000c0, 0, 0}},
		{"all=0xffffffffffffffff", {0, 0, UINT64_MAX}},
		{"config=0x12345,config1=7,config2=9", {0x12345, 7, 9}},
		{"event=1,event=2", {2, 0, 0}},
		{"inv=0", {0, 0, 0}},
	};
	_cleanup_(sysfs_pmu_deinit) struct sysfs_pmu pmu = SYSFS_PMU_INIT;
	add_formats(&pmu);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t configs[SYSFS_PMU_NUM_CONFIGS] = {99, 99, 99};
		assert_true(sysfs_pmu_encode(&pmu, cases[i].terms, configs));
		assert_memory_equal(configs, cases[i].configs, sizeof(configs));
	}
}

static void test_what_cannot_be_encoded(void **state)
{
	static const char *const cases[] = {
		"",
		"event=?",
		"event=0x1,core=?",
		"nonsense=1",
		"event=0x10000",
		"inv=2",
		"event=",
		"event=-1",
		"event=1,",
		",event=1",
		"=1",
		"event=0x",
		"event=1 ",
		"even=1",
		"event1=1",
		"event=0x10000000000000000",
		"all=18446744073709551616",
		"event=1=2",
	};
	_cleanup_(sysfs_pmu_deinit) struct sysfs_pmu pmu = SYSFS_PMU_INIT;
	add_formats(&pmu);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t configs[SYSFS_PMU_NUM_CONFIGS] = {99, 99, 99};
		assert_false(sysfs_pmu_encode(&pmu, cases[i], configs));
		assert_int_equal(configs[0], 99);
	}
}

int sysfs_pmu_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_long_term_names_are_left_out),
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_what_cannot_be_encoded),
	};
	return cmocka_run_group_tests_name("sysfs_pmu", tests, NULL, NULL);
}
