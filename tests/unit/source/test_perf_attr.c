// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_attr.h"

#include "base/container/array.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { TYPE_CPU = 8, TYPE_LITTLE = 9, TYPE_UNCORE = 20 };

static const struct perf_cpu_types cpu_types = {.types = {TYPE_CPU, TYPE_LITTLE}, .num_types = 2};

static struct system_event perf_event(uint32_t type, uint64_t config)
{
	return (struct system_event){
		.event = {.name = "e", .event_class = EVENT_PERF, .code = config},
		.type = type,
		.config1 = 0x11,
		.config2 = 0x22,
	};
}

static struct perf_event_attr build(const struct event *event, unsigned modifiers, bool kernel)
{
	struct event_request request = {
		.event = event, .group = EVENT_UNGROUPED, .modifiers = modifiers};
	struct perf_attr_rules rules = {.cpu_types = &cpu_types, .kernel = kernel};
	return perf_attr_build(&request, &rules);
}

static void events_of_the_kernel_keep_their_encoding(void **state)
{
	struct system_event event = perf_event(TYPE_UNCORE, 0x1234);
	struct perf_event_attr attr = build(&event.event, 0, false);
	assert_int_equal(attr.type, TYPE_UNCORE);
	assert_int_equal(attr.config, 0x1234);
	assert_int_equal(attr.config1, 0x11);
	assert_int_equal(attr.config2, 0x22);
	assert_int_equal(attr.size, sizeof(attr));
	assert_true(attr.disabled);
}

/** Who inherits a probe finds no name at our address: its fork() would fail. */
static void probes_are_not_inherited(void **state)
{
	static const struct probe_point point = {.kind = PROBE_POINT_FILE};
	struct system_event event = perf_event(TYPE_UNCORE, 0);
	struct event_request request = {.event = &event.event, .group = EVENT_UNGROUPED};
	struct perf_attr_rules rules = {.cpu_types = &cpu_types, .inherit = PERF_INHERIT_THREADS};
	assert_true(perf_attr_build(&request, &rules).inherit_thread);
	event.probe = &point;
	struct perf_event_attr attr = perf_attr_build(&request, &rules);
	assert_false(attr.inherit);
	assert_false(attr.inherit_thread);
	assert_int_equal(perf_attr_counter(&attr, &event.event, &cpu_types), PERF_COUNTER_PROBE);
	assert_false(attr.exclude_user || attr.exclude_kernel);
}

static void codes_go_to_the_pmu_of_the_cores(void **state)
{
	static const struct event raw = {.name = "r1b", .event_class = EVENT_CORE, .code = 0x1b};
	struct perf_event_attr attr = build(&raw, 0, false);
	assert_int_equal(attr.type, TYPE_CPU);
	assert_int_equal(attr.config, 0x1b);

	static const struct perf_cpu_types none = {.num_types = 0};
	struct event_request request = {.event = &raw, .group = EVENT_UNGROUPED};
	attr = perf_attr_build(&request, &(struct perf_attr_rules){.cpu_types = &none});
	assert_int_equal(attr.type, PERF_TYPE_RAW);
}

/** Which code is counted, of which event, by which words. */
static void levels_follow_modifiers_then_k_then_the_kind(void **state)
{
	static const struct {
		uint32_t type;
		unsigned modifiers;
		bool kernel;
		bool no_user, no_kernel, no_hypervisor;
	} rows[] = {
		{PERF_TYPE_HARDWARE, 0, false, false, true, true},
		{PERF_TYPE_HARDWARE, 0, true, false, false, false},
		{PERF_TYPE_HARDWARE, EVENT_KERNEL, false, true, false, true},
		{PERF_TYPE_HARDWARE, EVENT_USER, true, false, true, true},
		{PERF_TYPE_HARDWARE, EVENT_USER | EVENT_KERNEL, false, false, false, false},
		{PERF_TYPE_HW_CACHE, 0, false, false, true, true},
		{PERF_TYPE_RAW, 0, false, false, true, true},
		{TYPE_CPU, 0, false, false, true, true},
		{TYPE_LITTLE, 0, false, false, true, true},
		{PERF_TYPE_SOFTWARE, 0, false, false, false, false},
		{PERF_TYPE_SOFTWARE, EVENT_USER, false, false, true, true},
		{PERF_TYPE_SOFTWARE, EVENT_KERNEL, false, true, false, true},
		{PERF_TYPE_TRACEPOINT, 0, false, false, false, false},
		{TYPE_UNCORE, 0, false, false, false, false},
		{TYPE_UNCORE, EVENT_USER, false, false, true, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct system_event event = perf_event(rows[i].type, 0);
		struct perf_event_attr attr =
			build(&event.event, rows[i].modifiers, rows[i].kernel);
		assert_int_equal(attr.exclude_user, rows[i].no_user);
		assert_int_equal(attr.exclude_kernel, rows[i].no_kernel);
		assert_int_equal(attr.exclude_hv, rows[i].no_hypervisor);
	}
}

static void what_is_started_later_is_counted_as_told(void **state)
{
	struct system_event event = perf_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	static const struct {
		enum perf_inherit inherit;
		bool any, threads_only;
	} rows[] = {
		{PERF_INHERIT_NOTHING, false, false},
		{PERF_INHERIT_THREADS, true, true},
		{PERF_INHERIT_ALL, true, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event_request request = {.event = &event.event};
		struct perf_attr_rules rules = {.cpu_types = &cpu_types,
						.inherit = rows[i].inherit};
		struct perf_event_attr attr = perf_attr_build(&request, &rules);
		assert_int_equal(attr.inherit, rows[i].any);
		assert_int_equal(attr.inherit_thread, rows[i].threads_only);
	}
}

static void some_software_events_know_no_user_code(void **state)
{
	static const struct {
		uint64_t config;
		bool is_kernel_only, is_clock;
	} rows[] = {
		{PERF_COUNT_SW_CONTEXT_SWITCHES, true, false},
		{PERF_COUNT_SW_CPU_MIGRATIONS, true, false},
		{PERF_COUNT_SW_CGROUP_SWITCHES, true, false},
		{PERF_COUNT_SW_PAGE_FAULTS, false, false},
		{PERF_COUNT_SW_TASK_CLOCK, false, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
					       .config = rows[i].config};
		assert_int_equal(perf_attr_is_kernel_only(&attr), rows[i].is_kernel_only);
		assert_int_equal(perf_attr_is_clock(&attr), rows[i].is_clock);
		attr.type = PERF_TYPE_HARDWARE;
		assert_false(perf_attr_is_kernel_only(&attr));
		assert_false(perf_attr_is_clock(&attr));
	}
}

// On big.LITTLE and hybrid machines; with a PMU's name, or with one PMU, nothing is missed.
static void generic_events_of_tasks_miss_the_cores_of_other_pmus(void **state)
{
	static const struct perf_cpu_types one = {.types = {TYPE_CPU}, .num_types = 1};
	const struct perf_event_attr cycles = {.type = PERF_TYPE_HARDWARE};
	const struct perf_event_attr named = {.type = TYPE_LITTLE};
	const struct perf_event_attr clock = {.type = PERF_TYPE_SOFTWARE};
	assert_true(perf_attr_misses_cores(&cycles, &cpu_types));
	assert_false(perf_attr_misses_cores(&cycles, &one));
	assert_false(perf_attr_misses_cores(&named, &cpu_types));
	assert_false(perf_attr_misses_cores(&clock, &cpu_types));
}

int perf_attr_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_events_of_tasks_miss_the_cores_of_other_pmus),
		cmocka_unit_test(events_of_the_kernel_keep_their_encoding),
		cmocka_unit_test(codes_go_to_the_pmu_of_the_cores),
		cmocka_unit_test(probes_are_not_inherited),
		cmocka_unit_test(levels_follow_modifiers_then_k_then_the_kind),
		cmocka_unit_test(what_is_started_later_is_counted_as_told),
		cmocka_unit_test(some_software_events_know_no_user_code),
	};
	return cmocka_run_group_tests_name("perf_attr", tests, NULL, NULL);
}
