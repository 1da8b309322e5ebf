// SPDX-License-Identifier: Apache-2.0

#include "catalog/metric.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/file/metric_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

struct fixture {
	struct catalog catalog;
	struct metric_list metrics;
	struct event_list events;
};

static void deinit_fixture(struct fixture *fixture)
{
	event_list_deinit(&fixture->events);
	metric_list_deinit(&fixture->metrics);
	catalog_deinit(&fixture->catalog);
}

static void init_fixture(struct fixture *fixture, const struct cpu *cpu,
			 const struct pmu_counters *counters)
{
	*fixture = (struct fixture){.metrics = METRIC_LIST_INIT, .events = EVENT_LIST_INIT};
	catalog_init(&fixture->catalog, cpu, counters);
	assert_no_error(metric_list_create(&fixture->catalog, &fixture->metrics));
}

static void assert_names(const struct metric_list *metrics, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	for (size_t i = 0; i < metrics->num_items; i++)
		string_builder_appendf(&names, "%s%s", i ? " " : "", metrics->items[i].name);
	assert_string_equal(string_builder_peek(&names), expected);
}

static const char *events_of(const struct fixture *fixture, const char *name)
{
	const struct metric *metric = metric_list_find(&fixture->metrics, name);
	assert_non_null(metric);
	return metric->events;
}

static void all_that_fits_is_listed_by_name(void **state)
{
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &fake_counters);
	assert_names(&fixture.metrics, "backend_bound branch_miss_ratio dcache ddr_bw dtlb icache "
				       "imix instructions ipc itlb l3_cache");
	assert_string_equal(events_of(&fixture, "imix"),
			    "{inst_spec,dp_spec,vfp_spec,ase_spec,ld_spec,st_spec}");
	assert_string_equal(events_of(&fixture, "dtlb"),
			    "{l1d_tlb,l1d_tlb_refill,l2d_tlb,l2d_tlb_refill,inst_retired}");
	assert_string_equal(events_of(&fixture, "l3_cache"),
			    "/dsu/l3d_cache,/dsu/l3d_cache_refill");
	assert_string_equal(events_of(&fixture, "ddr_bw"), "/dmc_clkdiv2/rdwr");
	assert_string_equal(events_of(&fixture, "backend_bound"), "{cpu_cycles,stall_backend}");
	assert_int_equal(metric_list_find(&fixture.metrics, "imix")->kind, METRIC_BUILTIN);
	assert_int_equal(metric_list_find(&fixture.metrics, "ipc")->kind, METRIC_TELEMETRY);
	assert_ptr_equal(metric_list_find(&fixture.metrics, "ipc")->formula, &fake_metrics[4]);
	assert_null(metric_list_find(&fixture.metrics, "seven"));
	assert_null(metric_list_find(&fixture.metrics, "IPC"));
}

static void few_counters_leave_less(void **state)
{
	static const struct pmu_counters two = {.free = {2}, .total = {6}};
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &two);
	assert_string_equal(events_of(&fixture, "imix"), "{inst_spec,dp_spec}");
	assert_null(metric_list_find(&fixture.metrics, "l3_cache"));

	static const struct pmu_counters one = {.free = {1}, .total = {6}};
	_cleanup_(deinit_fixture) struct fixture poor;
	init_fixture(&poor, &fake_cpu, &one);
	assert_string_equal(events_of(&poor, "imix"), "{inst_spec}");
	assert_names(&poor.metrics, "dcache dtlb icache imix instructions itlb");

	static const struct pmu_counters none = {.total = {6}};
	_cleanup_(deinit_fixture) struct fixture poorest;
	init_fixture(&poorest, &fake_cpu, &none);
	assert_names(&poorest.metrics, "");
}

static void many_counters_do_not_add_events(void **state)
{
	static const struct pmu_counters many = {.free = {31}, .total = {31}};
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &many);
	assert_string_equal(events_of(&fixture, "imix"),
			    "{inst_spec,dp_spec,vfp_spec,ase_spec,ld_spec,st_spec}");
	assert_non_null(metric_list_find(&fixture.metrics, "seven"));
}

static void other_cores_have_no_arm_metrics(void **state)
{
	static const struct pmu_counters counters = {.free = {6}, .total = {6}};
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, NULL, &counters);
	assert_names(&fixture.metrics, "");
	assert_error(metric_spec_parse(&fixture.catalog, &fixture.metrics, "imix", &fixture.events),
		     ERROR_USAGE, "metric 'imix' not supported\nno metric registered");
}

static void metrics_become_groups_of_events(void **state)
{
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &fake_counters);
	assert_no_error(metric_spec_parse(&fixture.catalog, &fixture.metrics,
					  "imix,l3_cache,instructions", &fixture.events));
	assert_int_equal(fixture.events.num_items, 6 + 2 + 1);
	assert_int_equal(fixture.events.num_groups[EVENT_CORE], 1);
	assert_int_equal(fixture.events.num_groups[EVENT_DSU], 0);
	assert_string_equal(fixture.events.items[5].metric, "imix");
	assert_int_equal(fixture.events.items[5].group, 0);
	assert_string_equal(fixture.events.items[6].metric, "l3_cache");
	assert_int_equal(fixture.events.items[6].group, EVENT_UNGROUPED);
	assert_string_equal(fixture.events.items[8].metric, "instructions");
	assert_int_equal(fixture.events.items[8].group, EVENT_UNGROUPED);
}

static void groups_become_their_metrics_in_order(void **state)
{
	static const struct {
		const char *metric;
		const char *event;
		int group;
	} expected[] = {
		{"ipc", "cpu_cycles", 0},
		{"ipc", "inst_retired", 0},
		{"branch_miss_ratio", "br_mis_pred", 1},
		{"branch_miss_ratio", "br_retired", 1},
		{"ipc", "cpu_cycles", 2},
		{"ipc", "inst_retired", 2},
	};
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &fake_counters);
	assert_no_error(metric_spec_parse(&fixture.catalog, &fixture.metrics, "general,ipc",
					  &fixture.events));
	assert_int_equal(fixture.events.num_items, ARRAY_SIZE(expected));
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_string_equal(fixture.events.items[i].metric, expected[i].metric);
		assert_string_equal(fixture.events.items[i].event->name, expected[i].event);
		assert_int_equal(fixture.events.items[i].group, expected[i].group);
	}
}

#define SUPPORTED                                                                              \
	" not supported\nsupported metrics:\n  backend_bound\n  branch_miss_ratio\n  dcache\n" \
	"  ddr_bw\n  dtlb\n  icache\n  imix\n  instructions\n  ipc\n  itlb\n  l3_cache"

static void unknown_metrics_bring_the_list(void **state)
{
	static const struct {
		const char *spec;
		const char *message;
	} cases[] = {
		{"nothing", "metric 'nothing'" SUPPORTED},
		{"imix,", "metric ''" SUPPORTED},
		{"", "metric ''" SUPPORTED},
		{"imix, ipc", "metric ' ipc'" SUPPORTED},
		// Of a group, but more than the counters can take.
		{"large", "metric 'seven'" SUPPORTED},
	};
	_cleanup_(deinit_fixture) struct fixture fixture;
	init_fixture(&fixture, &fake_cpu, &fake_counters);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_error(metric_spec_parse(&fixture.catalog, &fixture.metrics, cases[i].spec,
					       &fixture.events),
			     ERROR_USAGE, cases[i].message);
}

static void metrics_of_the_user_replace_others(void **state)
{
	static const char text[] = "ipc:ld_spec\nnew:{ld_spec,st_spec}\nnew:dp_spec\n";
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, &fake_counters);
	_cleanup_(string_builder_deinit) struct string_builder warnings = STRING_BUILDER_INIT;
	assert_no_error(metric_file_parse(&catalog, "m", text, strlen(text), &warnings));
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	assert_no_error(metric_list_create(&catalog, &metrics));
	assert_int_equal(metrics.num_items, 12);
	assert_string_equal(metric_list_find(&metrics, "ipc")->events, "ld_spec");
	assert_int_equal(metric_list_find(&metrics, "ipc")->kind, METRIC_CUSTOM);
	assert_null(metric_list_find(&metrics, "ipc")->formula);
	assert_string_equal(metric_list_find(&metrics, "new")->events, "dp_spec");
}

static void all_cpus_can_use_their_metrics(void **state)
{
	for (const struct cpu *const *cpu = all_cpus; *cpu; cpu++) {
		_cleanup_(deinit_fixture) struct fixture fixture;
		init_fixture(&fixture, *cpu, &fake_counters);
		for (size_t i = 0; i < (*cpu)->num_metrics; i++)
			assert_no_error(metric_spec_parse(&fixture.catalog, &fixture.metrics,
							  (*cpu)->metrics[i].info->name,
							  &fixture.events));
		for (size_t i = 0; i < (*cpu)->num_groups; i++)
			assert_no_error(metric_spec_parse(&fixture.catalog, &fixture.metrics,
							  (*cpu)->groups[i].info->name,
							  &fixture.events));
		assert_no_error(metric_spec_parse(&fixture.catalog, &fixture.metrics,
						  "imix,icache,dcache,itlb,dtlb,l3_cache,ddr_bw",
						  &fixture.events));
	}
}

static void a_formula_that_is_none_is_an_error(void **state)
{
	static const struct metric_info info = {.name = "broken"};
	static const struct cpu_metric broken = {&info, "a +"};
	static const struct cpu cpu = {.name = "broken-cpu", .metrics = &broken, .num_metrics = 1};
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &cpu, &fake_counters);
	struct metric_list metrics = METRIC_LIST_INIT;
	_cleanup_(error_destroyp) struct error *err = metric_list_create(&catalog, &metrics);
	assert_non_null(err);
	assert_non_null(strstr(err->message, "formula 'a +'"));
	assert_string_equal(err->hint, "see metric 'broken'");
	assert_null(metrics.items);
}

int metric_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_fits_is_listed_by_name),
		cmocka_unit_test(few_counters_leave_less),
		cmocka_unit_test(many_counters_do_not_add_events),
		cmocka_unit_test(other_cores_have_no_arm_metrics),
		cmocka_unit_test(metrics_become_groups_of_events),
		cmocka_unit_test(groups_become_their_metrics_in_order),
		cmocka_unit_test(unknown_metrics_bring_the_list),
		cmocka_unit_test(metrics_of_the_user_replace_others),
		cmocka_unit_test(all_cpus_can_use_their_metrics),
		cmocka_unit_test(a_formula_that_is_none_is_an_error),
	};
	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
