// SPDX-License-Identifier: Apache-2.0

#include "catalog/metric_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

/** A Neoverse N1 with six counters, and what `-m @spec` asks for. */
struct fixture {
	struct catalog catalog;
	struct metric_list metrics;
	struct event_list list;
	struct metric_plan plan;
};

static void ask(struct fixture *fixture, const char *spec)
{
	static const struct pmu_counters counters = {.free = {6}, .total = {6}};
	memset(fixture, 0, sizeof(*fixture));
	catalog_init(&fixture->catalog, cpu_find("neoverse-n1"), &counters);
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

static void metrics_find_their_events(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	ask(&fixture, "load_percentage,ipc");
	assert_int_equal(fixture.plan.num_metrics, 2);

	struct planned_metric *ipc = &fixture.plan.metrics[0]; // by name
	assert_string_equal(ipc->metric->name, "ipc");
	assert_int_equal(ipc->num_items, 2);
	assert_string_equal(fixture.list.items[ipc->items[0]].event->name, "cpu_cycles");
	ipc->values[0] = 200;
	ipc->values[1] = 300;
	assert_true(planned_metric_evaluate(ipc) == 1.5);
}

static void the_same_event_counts_for_its_own_metric(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	ask(&fixture, "Operation_Mix");
	assert_int_equal(fixture.plan.num_metrics, 7);
	for (size_t i = 0; i < fixture.plan.num_metrics; i++) {
		const struct planned_metric *metric = &fixture.plan.metrics[i];
		int group = fixture.list.items[metric->items[0]].group;
		for (size_t k = 0; k < metric->num_items; k++) {
			const struct event_request *request = &fixture.list.items[metric->items[k]];
			assert_int_equal(request->group, group);
			assert_string_equal(request->metric, metric->metric->name);
		}
	}
}

static void names_without_a_formula_are_no_metrics(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	ask(&fixture, "imix");
	assert_int_equal(fixture.plan.num_metrics, 0);
}

static void asking_twice_gives_two(void **state)
{
	_cleanup_(fixture_deinit) struct fixture fixture;
	ask(&fixture, "ipc,ipc");
	assert_int_equal(fixture.plan.num_metrics, 2);
	assert_true(fixture.plan.metrics[0].items[0] < fixture.plan.metrics[1].items[0]);
}

int metric_plan_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_find_their_events),
		cmocka_unit_test(the_same_event_counts_for_its_own_metric),
		cmocka_unit_test(names_without_a_formula_are_no_metrics),
		cmocka_unit_test(asking_twice_gives_two),
	};
	return cmocka_run_group_tests_name("metric_plan", tests, NULL, NULL);
}
