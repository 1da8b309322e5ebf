// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/kernel_metrics.h"

#include "base/container/array.h"
#include "catalog/event_list.h"
#include "catalog/linux/system_events.h"
#include "catalog/metric.h"
#include "catalog/metric_plan.h"
#include "catalog/topdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** An event of a PMU, and what it counts in the tests. */
struct counted {
	const char *name;
	double value;
};

// A core with the slots counter and both levels; 1,000 slots.
static const struct counted deep_core[] = {
	{"cpu/slots/", 1000},           {"cpu/topdown-bad-spec/", 100},
	{"cpu/topdown-be-bound/", 400}, {"cpu/topdown-br-mispredict/", 75},
	{"cpu/topdown-fe-bound/", 200}, {"cpu/topdown-fetch-lat/", 50},
	{"cpu/topdown-heavy-ops/", 25}, {"cpu/topdown-mem-bound/", 300},
	{"cpu/topdown-retiring/", 300},
};

// The same core of a hybrid machine, one level.
static const struct counted level_core[] = {
	{"cpu_core/slots/", 1000},           {"cpu_core/topdown-bad-spec/", 100},
	{"cpu_core/topdown-be-bound/", 400}, {"cpu_core/topdown-fe-bound/", 200},
	{"cpu_core/topdown-retiring/", 300},
};

// An older core: 300 issued, 240 retired, 10 recovering, 400 without instructions.
static const struct counted old_core[] = {
	{"cpu/topdown-fetch-bubbles/", 400}, {"cpu/topdown-recovery-bubbles/", 10},
	{"cpu/topdown-slots-issued/", 300},  {"cpu/topdown-slots-retired/", 240},
	{"cpu/topdown-total-slots/", 1000},
};

struct fixture {
	struct system_event events[16];
	struct catalog catalog;
	struct metric_list metrics;
	struct event_list list;
	struct metric_plan plan;
};

static void open_catalog(struct fixture *fixture, const struct counted *core, size_t num_events)
{
	static const struct pmu_counters counters = {{0}, {0}};
	memset(fixture, 0, sizeof(*fixture));
	catalog_init(&fixture->catalog, NULL, &counters);
	for (size_t i = 0; i < num_events; i++) {
		fixture->events[i] = (struct system_event){
			.event = {.name = core[i].name, .event_class = EVENT_PERF, .code = i},
			.scale = 1,
		};
		assert_no_error(system_event_append(&fixture->catalog, &fixture->events[i]));
	}
	fixture->catalog.kernel_metrics = kernel_metrics_choose(&fixture->catalog, NULL);
}

static void ask(struct fixture *fixture, const char *spec)
{
	assert_no_error(metric_list_create(&fixture->catalog, &fixture->metrics));
	assert_no_error(
		metric_spec_parse(&fixture->catalog, &fixture->metrics, spec, &fixture->list));
	assert_no_error(metric_plan_create(&fixture->list, &fixture->metrics, &fixture->plan));
}

static void fixture_deinit(struct fixture *fixture)
{
	metric_plan_deinit(&fixture->plan);
	event_list_deinit(&fixture->list);
	metric_list_deinit(&fixture->metrics);
	catalog_deinit(&fixture->catalog);
}

static double value_of(struct fixture *fixture, const char *name, const struct counted *core)
{
	for (size_t i = 0; i < fixture->plan.num_metrics; i++) {
		struct planned_metric *metric = &fixture->plan.metrics[i];
		if (strcmp(metric->metric->name, name) != 0)
			continue;
		for (size_t k = 0; k < metric->num_items; k++)
			metric->values[k] =
				core[fixture->list.items[metric->items[k]].event->code].value;
		return planned_metric_evaluate(metric);
	}
	fail_msg("no metric %s", name);
	return 0;
}

static void both_levels_are_computed(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, deep_core, ARRAY_SIZE(deep_core));
	ask(&fixture, "topdown");
	assert_int_equal(fixture.plan.num_metrics, 12);
	assert_float_equal(value_of(&fixture, "retiring", deep_core), 30, 1e-9);
	assert_float_equal(value_of(&fixture, "bad_speculation", deep_core), 10, 1e-9);
	assert_float_equal(value_of(&fixture, "frontend_bound", deep_core), 20, 1e-9);
	assert_float_equal(value_of(&fixture, "backend_bound", deep_core), 40, 1e-9);
	assert_float_equal(value_of(&fixture, "light_operations", deep_core), 27.5, 1e-9);
	assert_float_equal(value_of(&fixture, "heavy_operations", deep_core), 2.5, 1e-9);
	assert_float_equal(value_of(&fixture, "branch_mispredicts", deep_core), 7.5, 1e-9);
	assert_float_equal(value_of(&fixture, "machine_clears", deep_core), 2.5, 1e-9);
	assert_float_equal(value_of(&fixture, "fetch_latency", deep_core), 5, 1e-9);
	assert_float_equal(value_of(&fixture, "fetch_bandwidth", deep_core), 15, 1e-9);
	assert_float_equal(value_of(&fixture, "memory_bound", deep_core), 30, 1e-9);
	assert_float_equal(value_of(&fixture, "core_bound", deep_core), 10, 1e-9);
}

/** The kernel wants the slots first and all of them in one group. */
static void the_slots_lead_one_group(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, deep_core, ARRAY_SIZE(deep_core));
	ask(&fixture, "topdown");
	assert_int_equal(fixture.list.num_items, ARRAY_SIZE(deep_core));
	assert_string_equal(fixture.list.items[0].event->name, "cpu/slots/");
	for (size_t i = 1; i < fixture.list.num_items; i++)
		assert_int_equal(fixture.list.items[i].group, fixture.list.items[0].group);
}

static void one_metric_asks_for_its_events_only(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, deep_core, ARRAY_SIZE(deep_core));
	ask(&fixture, "retiring");
	assert_int_equal(fixture.list.num_items, 5);
	assert_int_equal(fixture.plan.num_metrics, 1);
	assert_float_equal(value_of(&fixture, "retiring", deep_core), 30, 1e-9);
}

static void a_core_with_one_level_has_one(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, level_core, ARRAY_SIZE(level_core));
	ask(&fixture, "topdown");
	assert_int_equal(fixture.plan.num_metrics, 4);
	assert_float_equal(value_of(&fixture, "backend_bound", level_core), 40, 1e-9);
	struct topdown_row rows[TOPDOWN_MAX_ROWS];
	assert_int_equal(topdown_flatten(catalog_topdown(&fixture.catalog), rows), 4);
}

static void older_cores_count_issued_slots(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, old_core, ARRAY_SIZE(old_core));
	ask(&fixture, "topdown");
	assert_float_equal(value_of(&fixture, "retiring", old_core), 24, 1e-9);
	assert_float_equal(value_of(&fixture, "bad_speculation", old_core), 7, 1e-9);
	assert_float_equal(value_of(&fixture, "frontend_bound", old_core), 40, 1e-9);
	assert_float_equal(value_of(&fixture, "backend_bound", old_core), 29, 1e-9);
}

static void without_the_events_there_is_no_tree(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	open_catalog(&fixture, deep_core, 4);
	assert_null(fixture.catalog.kernel_metrics);
	assert_null(catalog_topdown(&fixture.catalog));
	assert_no_error(metric_list_create(&fixture.catalog, &fixture.metrics));
	assert_error(metric_spec_parse(&fixture.catalog, &fixture.metrics, "topdown",
				       &fixture.list),
		     ERROR_USAGE, "wperf has no top-down tree for this CPU");
}

static void names_are_told_apart(void **state)
{
	assert_true(kernel_metrics_names_event("topdown_be_bound", "cpu/topdown-be-bound/"));
	assert_true(kernel_metrics_names_event("Slots", "cpu_core/slots/"));
	assert_false(kernel_metrics_names_event("topdown_be", "cpu/topdown-be-bound/"));
	assert_false(kernel_metrics_names_event("topdown_be_bound", "cpu/topdown-be/"));
	assert_false(kernel_metrics_names_event("slots", "slots"));
	assert_false(kernel_metrics_names_event("slots", "cpu/slots/u"));
}

int kernel_metrics_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_levels_are_computed),
		cmocka_unit_test(the_slots_lead_one_group),
		cmocka_unit_test(one_metric_asks_for_its_events_only),
		cmocka_unit_test(a_core_with_one_level_has_one),
		cmocka_unit_test(older_cores_count_issued_slots),
		cmocka_unit_test(without_the_events_there_is_no_tree),
		cmocka_unit_test(names_are_told_apart),
	};
	return cmocka_run_group_tests_name("kernel_metrics", tests, NULL, NULL);
}
