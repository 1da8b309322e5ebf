// SPDX-License-Identifier: Apache-2.0

#include "catalog/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void classes_have_the_names_of_the_driver(void **state)
{
	assert_string_equal(event_class_name(EVENT_CORE), "core");
	assert_string_equal(event_class_name(EVENT_DSU), "dsu");
	assert_string_equal(event_class_name(EVENT_DMC_CLK), "dmc_clk");
	assert_string_equal(event_class_name(EVENT_DMC_CLKDIV2), "dmc_clkdiv2");
	assert_string_equal(event_class_name(EVENT_PERF), "perf");
	assert_string_equal(event_class_prefix(EVENT_CORE), "");
	assert_string_equal(event_class_prefix(EVENT_DMC_CLKDIV2), "/dmc_clkdiv2/");
	assert_string_equal(event_class_prefix(EVENT_PERF), "");
}

static void a_prefix_says_the_class_in_any_case(void **state)
{
	static const struct {
		const char *text;
		enum event_class event_class;
		size_t length;
	} cases[] = {
		{"/dsu/l3d_cache", EVENT_DSU, 5},     {"/DSU/l3d_cache", EVENT_DSU, 5},
		{"/dmc_clk/rdwr", EVENT_DMC_CLK, 9},  {"/Dmc_ClkDiv2/rdwr", EVENT_DMC_CLKDIV2, 13},
		{"ld_spec", EVENT_CORE, 0},           {"/dsu", EVENT_CORE, 0},
		{"cpu/cache-misses/", EVENT_CORE, 0}, {"", EVENT_CORE, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum event_class event_class = NUM_EVENT_CLASSES;
		assert_int_equal(event_class_split(cases[i].text, &event_class), cases[i].length);
		assert_int_equal(event_class, cases[i].event_class);
	}
}

int event_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_have_the_names_of_the_driver),
		cmocka_unit_test(a_prefix_says_the_class_in_any_case),
	};
	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
