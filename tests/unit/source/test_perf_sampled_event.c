// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_sampled_event.h"

#include "base/container/array.h"
#include "catalog/linux/system_event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { IBS_TYPE = 11, CPU_TYPE = 4 };

static const uint64_t access_fields = PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT;

/** The attribute that an event of this name gets. */
static struct perf_event_attr attr_of(const char *name, uint32_t type,
				      const struct sample_plan *plan)
{
	static const struct perf_cpu_types cpu_types = {.types = {CPU_TYPE}, .num_types = 1};
	const struct perf_attr_rules rules = {.cpu_types = &cpu_types};
	const struct system_event event = {
		.event = {.name = name, .event_class = EVENT_PERF, .code = 0x1cd},
		.type = type,
		.config1 = 30,
	};
	const struct event_request request = {.event = &event.event, .interval = 1009};
	struct perf_sampled_event sampled;
	assert_no_error(perf_sampled_event_init(&sampled, plan, &rules, &request));
	return sampled.attr;
}

static void test_accesses_say_which_data_they_were_of(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
		bool is_access;
	} rows[] = {
		{"cpu/mem-loads,ldlat=30/", CPU_TYPE, true},
		{"cpu_atom/mem-stores/", CPU_TYPE, true},
		{"ibs_op//", IBS_TYPE, true},
		{"cpu/mem-loads-aux/", CPU_TYPE, false},
		{"cycles", PERF_TYPE_HARDWARE, false},
		{"page-faults", PERF_TYPE_SOFTWARE, false},
	};
	const struct sample_plan plan = {0};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_event_attr attr = attr_of(rows[i].name, rows[i].type, &plan);
		assert_int_equal(attr.sample_type & access_fields,
				 rows[i].is_access ? access_fields : 0);
		assert_int_equal(attr.config1, 30);
		assert_int_equal(attr.sample_period, 1009);
		assert_false(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	}
}

/** IBS takes all levels of code or nothing: the kernel refuses any exclude_ bit. */
static void test_ibs_leaves_out_no_level(void **state)
{
	const struct sample_plan plan = {0};
	struct perf_event_attr attr = attr_of("ibs_op//", IBS_TYPE, &plan);
	assert_false(attr.exclude_user || attr.exclude_kernel || attr.exclude_hv ||
		     attr.exclude_idle || attr.exclude_guest || attr.exclude_host);
	attr = attr_of("cpu/mem-loads/", CPU_TYPE, &plan);
	assert_true(attr.exclude_kernel);
}

static void test_branches_are_all_that_were_taken(void **state)
{
	const struct sample_plan plan = {.branches = true};
	struct perf_event_attr attr = attr_of("cycles", PERF_TYPE_HARDWARE, &plan);
	assert_true(attr.sample_type & PERF_SAMPLE_BRANCH_STACK);
	assert_int_equal(attr.branch_sample_type, PERF_SAMPLE_BRANCH_ANY);
}

int perf_sampled_event_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accesses_say_which_data_they_were_of),
		cmocka_unit_test(test_ibs_leaves_out_no_level),
		cmocka_unit_test(test_branches_are_all_that_were_taken),
	};
	return cmocka_run_group_tests_name("perf_sampled_event", tests, NULL, NULL);
}
