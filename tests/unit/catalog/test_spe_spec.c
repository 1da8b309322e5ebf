// SPDX-License-Identifier: Apache-2.0

#include "catalog/spe_spec.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

#define UNKNOWN " unknown, use: load_filter, store_filter, branch_filter, ts_enable, min_latency"

static const struct spe_filter_table *driver_table(void)
{
	static struct spe_filter_table table;
	table = (struct spe_filter_table){spe_driver_filters, spe_num_driver_filters, 1024};
	return &table;
}

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
		uint64_t load, store, branch, timestamps, min_latency, period;
	} cases[] = {
		{"arm_spe_0//", 0, 0, 0, 0, 0, 4096},
		{"arm_spe_0/load_filter=1/", 1, 0, 0, 0, 0, 4096},
		{"arm_spe_0/ld=1,st=1,b=1,ts=1,min=10/", 1, 1, 1, 1, 10, 4096},
		{"arm_spe_0/store_filter=1,branch_filter=0x1/", 0, 1, 1, 0, 0, 4096},
		{"arm_spe_0/ts_enable=1,min_latency=65535/", 0, 0, 0, 1, 65535, 4096},
		{"arm_spe_0/ld=0/", 0, 0, 0, 0, 0, 4096},
		{"arm_spe_0/ld=1,load_filter=0/", 0, 0, 0, 0, 0, 4096},
		{"arm_spe_0/min=010/", 0, 0, 0, 0, 8, 4096},
		{"arm_spe_0/period=1024,jitter=1/", 0, 0, 0, 0, 0, 1024},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_filters filters = {0};
		assert_no_error(spe_spec_parse(cases[i].spec, driver_table(), &filters));
		assert_string_equal(filters.spec, cases[i].spec);
		const struct {
			const char *name;
			uint64_t value;
		} values[] = {
			{"load_filter", cases[i].load},        {"store_filter", cases[i].store},
			{"branch_filter", cases[i].branch},    {"ts_enable", cases[i].timestamps},
			{"min_latency", cases[i].min_latency}, {"period", cases[i].period},
		};
		for (size_t j = 0; j < ARRAY_SIZE(values); j++)
			assert_int_equal(spe_filters_value(&filters, values[j].name),
					 values[j].value);
	}
}

// As Linux documents them for perf_event_attr.
static void filters_have_their_bits(void **state)
{
	struct spe_filters filters;
	assert_no_error(spe_spec_parse("arm_spe_0/ld=1,st=1,b=1,ts=1,jitter=1,min=5,"
				       "event_filter=0x8000000000000002/",
				       driver_table(), &filters));
	assert_int_equal(filters.configs[0], UINT64_C(0x700010001));
	assert_int_equal(filters.configs[1], UINT64_C(0x8000000000000002));
	assert_int_equal(filters.configs[2], 5);
	assert_int_equal(filters.configs[3], 0);
	assert_int_equal(spe_filters_value(&filters, "event_filter"), UINT64_C(0x8000000000000002));
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
		{"arm_spe_0/period=1023/",
		 "SPE filter 'period' value out of range, use: 1024-4294967295"},
		{"arm_spe_0/event_filter=0x10000000000000000/",
		 "SPE filter 'event_filter' value out of range, use: 0-18446744073709551615"},
		{"arm_spe_0/", "incorrect SPE event: 'arm_spe_0/'"},
		{"arm_spe_0/ld=1", "incorrect SPE event: 'arm_spe_0/ld=1'"},
		{"arm_spe_0/ld=1/,ld_spec", "incorrect SPE event: 'arm_spe_0/ld=1/,ld_spec'"},
		{"ld_spec", "incorrect SPE event: 'ld_spec'"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spe_filters filters = {.configs = {77}};
		assert_error(spe_spec_parse(cases[i].spec, driver_table(), &filters), ERROR_USAGE,
			     cases[i].message);
		assert_int_equal(filters.configs[0], 77);
	}
}

static void syntax_comes_first_then_hardware_then_meaning(void **state)
{
	struct spe_filters filters = {0};
	assert_error(spe_spec_parse("arm_spe_0/foo=9,st/", NULL, &filters), ERROR_USAGE,
		     "incorrect SPE filter: 'st' in foo=9,st");
	assert_error(spe_spec_parse("arm_spe_0/foo=9/", NULL, &filters), ERROR_FAILED,
		     "SPE is not supported by your hardware: arm_spe_0/foo=9/");
	assert_error(spe_spec_parse("arm_spe_0//", NULL, &filters), ERROR_FAILED,
		     "SPE is not supported by your hardware: arm_spe_0//");
	assert_error(spe_spec_parse("arm_spe_0/foo=9/", driver_table(), &filters), ERROR_USAGE,
		     "SPE filter 'foo'" UNKNOWN);
}

static void the_filters_are_listed(void **state)
{
	assert_string_equal(spe_driver_filters[0].format.name, "load_filter");
	for (size_t i = 0; i < spe_num_driver_filters; i++) {
		const struct spe_filter_info *filter = &spe_driver_filters[i];
		assert_int_equal(strstr(UNKNOWN, filter->format.name) != NULL, !filter->is_extra);
		assert_true(*filter->title);
	}
}

int spe_spec_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_prefix_makes_it_spe),
		cmocka_unit_test(filters_have_names_and_short_names),
		cmocka_unit_test(filters_have_their_bits),
		cmocka_unit_test(wrong_filters_say_what_is_wrong),
		cmocka_unit_test(syntax_comes_first_then_hardware_then_meaning),
		cmocka_unit_test(the_filters_are_listed),
	};
	return cmocka_run_group_tests_name("spe_spec", tests, NULL, NULL);
}
