// SPDX-License-Identifier: Apache-2.0

#include "catalog/spe_spec.h"

#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define UNKNOWN " unknown, use: load_filter, store_filter, branch_filter, ts_enable, min_latency"

static void only_the_prefix_makes_it_spe(void **state)
{
	assert_true(spe_spec_is("arm_spe_0//"));
	assert_true(spe_spec_is("arm_spe_0/ld=1/"));
	assert_false(spe_spec_is("arm_spe_0"));
	assert_false(spe_spec_is("arm_spe_1//"));
	assert_false(spe_spec_is("ld_spec"));
	assert_false(spe_spec_is(""));
}

static void filters_have_names_and_short_names(void **state)
{
	static const struct {
		const char *spec;
		struct spe_filters filters;
	} cases[] = {
		{"arm_spe_0//", {0}},
		{"arm_spe_0/load_filter=1/", {.load = true}},
		{"arm_spe_0/ld=1,st=1,b=1,ts=1,min=10/", {true, true, true, true, 10}},
		{"arm_spe_0/store_filter=1,branch_filter=0x1/", {.store = true, .branch = true}},
		{"arm_spe_0/ts_enable=1,min_latency=65535/",
		 {.timestamps = true, .min_latency = 65535}},
		{"arm_spe_0/ld=0/", {0}},
		{"arm_spe_0/ld=1,load_filter=0/", {0}},
		{"arm_spe_0/min=010/", {.min_latency = 8}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_filters filters = {0};
		assert_no_error(spe_spec_parse(cases[i].spec, true, &filters));
		assert_int_equal(filters.load, cases[i].filters.load);
		assert_int_equal(filters.store, cases[i].filters.store);
		assert_int_equal(filters.branch, cases[i].filters.branch);
		assert_int_equal(filters.timestamps, cases[i].filters.timestamps);
		assert_int_equal(filters.min_latency, cases[i].filters.min_latency);
	}
}

static void wrong_filters_say_what_is_wrong(void **state)
{
	static const struct {
		const char *spec;
		const char *message;
	} cases[] = {
		{"arm_spe_0/ld/", "incorrect SPE filter: 'ld' in ld"},
		{"arm_spe_0/ld=1,st/", "incorrect SPE filter: 'st' in ld=1,st"},
		{"arm_spe_0/ld=1,,st=1/", "incorrect SPE filter: '' in ld=1,,st=1"},
		{"arm_spe_0/ld=1,/", "incorrect SPE filter: '' in ld=1,"},
		{"arm_spe_0/=1/", "incorrect SPE filter name: '=1'"},
		{"arm_spe_0/ld=/", "incorrect SPE filter value: ld=''."},
		{"arm_spe_0/ld=a/", "incorrect SPE filter value: ld='a'."},
		{"arm_spe_0/ld=-1/", "incorrect SPE filter value: ld='-1'."},
		{"arm_spe_0/ld=1=1/", "incorrect SPE filter value: ld='1=1'."},
		{"arm_spe_0/ld=1x/", "incorrect SPE filter value: ld='1x'."},
		{"arm_spe_0/foo=1/", "SPE filter 'foo'" UNKNOWN},
		{"arm_spe_0/LD=1/", "SPE filter 'LD'" UNKNOWN},
		{"arm_spe_0/ld=2/", "SPE filter 'ld' value out of range, use: 0-1"},
		{"arm_spe_0/min_latency=65536/",
		 "SPE filter 'min_latency' value out of range, use: 0-65535"},
		{"arm_spe_0/min=99999999999999999999/",
		 "SPE filter 'min' value out of range, use: 0-65535"},
		{"arm_spe_0/", "incorrect SPE event: 'arm_spe_0/'"},
		{"arm_spe_0/ld=1", "incorrect SPE event: 'arm_spe_0/ld=1'"},
		{"arm_spe_0/ld=1/,ld_spec", "incorrect SPE event: 'arm_spe_0/ld=1/,ld_spec'"},
		{"ld_spec", "incorrect SPE event: 'ld_spec'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_filters filters = {.min_latency = 77};
		assert_error(spe_spec_parse(cases[i].spec, true, &filters), ERROR_USAGE,
			     cases[i].message);
		assert_int_equal(filters.min_latency, 77);
	}
}

static void syntax_comes_first_then_hardware_then_meaning(void **state)
{
	struct spe_filters filters = {0};
	assert_error(spe_spec_parse("arm_spe_0/foo=9,st/", false, &filters), ERROR_USAGE,
		     "incorrect SPE filter: 'st' in foo=9,st");
	assert_error(spe_spec_parse("arm_spe_0/foo=9/", false, &filters), ERROR_FAILED,
		     "SPE is not supported by your hardware: arm_spe_0/foo=9/");
	assert_error(spe_spec_parse("arm_spe_0//", false, &filters), ERROR_FAILED,
		     "SPE is not supported by your hardware: arm_spe_0//");
	assert_error(spe_spec_parse("arm_spe_0/foo=9/", true, &filters), ERROR_USAGE,
		     "SPE filter 'foo'" UNKNOWN);
}

static void the_filters_are_listed(void **state)
{
	assert_string_equal(spe_filter_infos[0].name, "load_filter");
	assert_string_equal(spe_filter_infos[NUM_SPE_FILTERS - 1].name, "min_latency");
	for (size_t i = 0; i < NUM_SPE_FILTERS; i++) {
		assert_non_null(strstr(UNKNOWN, spe_filter_infos[i].name));
		assert_true(*spe_filter_infos[i].title);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_prefix_makes_it_spe),
		cmocka_unit_test(filters_have_names_and_short_names),
		cmocka_unit_test(wrong_filters_say_what_is_wrong),
		cmocka_unit_test(syntax_comes_first_then_hardware_then_meaning),
		cmocka_unit_test(the_filters_are_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
