// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/core_pmus.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/event_spec.h"
#include "catalog/linux/core_pmu_events.h"
#include "catalog/linux/generic_events.h"
#include "catalog/linux/kernel_metrics.h"
#include "catalog/linux/system_event.h"
#include "catalog/metric.h"
#include "catalog/metric_plan.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

enum { TYPE_CORE = 4, TYPE_ATOM = 10, TYPE_LITTLE = 8, TYPE_BIG = 9, MAX_EVENTS = 24 };

/** A machine whose PMUs are those of an Intel hybrid CPU, or of Arm big.LITTLE. */
struct machine {
	struct core_pmu pmus[2];
	struct system_event events[MAX_EVENTS]; /* of sysfs */
	size_t num_events;
	struct catalog catalog;
};

static void publish(struct machine *machine, uint32_t type, const char *name, uint64_t code)
{
	assert_true(machine->num_events < MAX_EVENTS);
	struct system_event *event = &machine->events[machine->num_events++];
	*event = (struct system_event){
		.event = {.name = name, .event_class = EVENT_PERF, .code = code},
		.type = type,
		.scale = 1,
	};
	assert_no_error(system_event_append(&machine->catalog, event));
}

static void machine_init(struct machine *machine, const struct cpu *cpu)
{
	memset(machine, 0, sizeof(*machine));
	catalog_init(&machine->catalog, cpu, &fake_counters);
	machine->catalog.core_pmus = machine->pmus;
	machine->catalog.num_core_pmus = ARRAY_SIZE(machine->pmus);
	// So that no file of this machine is looked at, but modifiers are kept in names.
	machine->catalog.sysfs_folder = "/nowhere";
}

static void add_generic_names(struct machine *machine)
{
	for (size_t i = 0; i < num_generic_hardware_events; i++)
		assert_no_error(
			system_event_append(&machine->catalog, &generic_hardware_events[i]));
}

static void hybrid_init(struct machine *machine)
{
	machine_init(machine, NULL);
	machine->catalog.max_raw_code = UINT64_MAX;
	machine->pmus[0] = (struct core_pmu){"cpu_core", TYPE_CORE, true, NULL, NULL};
	machine->pmus[1] = (struct core_pmu){"cpu_atom", TYPE_ATOM, true, NULL, NULL};
	add_generic_names(machine);
	publish(machine, TYPE_ATOM, "cpu_atom/topdown-bad-spec/", 0x73);
	publish(machine, TYPE_ATOM, "cpu_atom/topdown-be-bound/", 0x74);
	publish(machine, TYPE_ATOM, "cpu_atom/topdown-fe-bound/", 0x71);
	publish(machine, TYPE_ATOM, "cpu_atom/topdown-retiring/", 0xc2);
	publish(machine, TYPE_CORE, "cpu_core/instructions/", 0xc0);
	publish(machine, TYPE_CORE, "cpu_core/slots/", 0x400);
	publish(machine, TYPE_CORE, "cpu_core/topdown-bad-spec/", 0x8100);
	publish(machine, TYPE_CORE, "cpu_core/topdown-be-bound/", 0x8300);
	publish(machine, TYPE_CORE, "cpu_core/topdown-fe-bound/", 0x8200);
	publish(machine, TYPE_CORE, "cpu_core/topdown-retiring/", 0x8000);
	assert_no_error(core_pmu_events_load(&machine->catalog, true));
	for (size_t i = 0; i < ARRAY_SIZE(machine->pmus); i++)
		machine->pmus[i].kernel_metrics =
			kernel_metrics_choose(&machine->catalog, &machine->pmus[i]);
}

#define LITTLE_EVENT(event_name, event_code)                                               \
	&(const struct event)                                                              \
	{                                                                                  \
		.name = (event_name), .title = "", .description = "", .code = (event_code) \
	}

static const struct event *const little_events[] = {
	LITTLE_EVENT("inst_retired", 0x08),
	LITTLE_EVENT("cpu_cycles", 0x11),
	LITTLE_EVENT("imp_little", 0xc7),
};

static const struct cpu_metric little_metrics[] = {
	// Another formula than that of fake_cpu.
	{&(const struct metric_info){.name = "ipc", .unit = "per cycle"},
	 "2 * inst_retired / cpu_cycles"},
};

static const struct cpu little_cpu = {
	.name = "little",
	.title = "Little",
	.events = little_events,
	.num_events = ARRAY_SIZE(little_events),
	.metrics = little_metrics,
	.num_metrics = ARRAY_SIZE(little_metrics),
};

/** As Linux before 6.6: generic numbers cannot name the PMU. */
static void big_little_init(struct machine *machine)
{
	machine_init(machine, &fake_cpu);
	machine->pmus[0] =
		(struct core_pmu){"armv8_cortex_a53", TYPE_LITTLE, false, &little_cpu, NULL};
	machine->pmus[1] = (struct core_pmu){"armv8_cortex_a73", TYPE_BIG, false, &fake_cpu, NULL};
	add_generic_names(machine);
	publish(machine, TYPE_LITTLE, "armv8_cortex_a53/cpu_cycles/", 0x11);
	publish(machine, TYPE_BIG, "armv8_cortex_a73/cpu_cycles/", 0x11);
	publish(machine, TYPE_BIG, "armv8_cortex_a73/pc_write_retired/", 0x0c);
	assert_no_error(core_pmu_events_load(&machine->catalog, true));
}

static void machine_deinit(struct machine *machine)
{
	catalog_deinit(&machine->catalog);
}

/** `name=type:code`, with `#group` and `@interval`, joined by blanks. */
static void assert_list(const struct event_list *list, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (size_t i = 0; i < list->num_items; i++) {
		const struct event_request *request = &list->items[i];
		assert_int_equal(request->event->event_class, EVENT_PERF);
		string_builder_appendf(&text, "%s%s=%u:%" PRIx64, i ? " " : "",
				       request->event->name, system_event_of(request->event)->type,
				       request->event->code);
		if (request->group != EVENT_UNGROUPED)
			string_builder_appendf(&text, "#%d", request->group);
		if (request->interval)
			string_builder_appendf(&text, "@%" PRIu64, request->interval);
	}
	assert_string_equal(string_builder_peek(&text), expected);
}

static void assert_spec(struct machine *machine, enum event_spec_mode mode, const char *spec,
			const char *expected)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&machine->catalog, spec, mode, NULL, &list));
	assert_list(&list, expected);
}

static void an_event_of_cores_is_one_of_each_pmu(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	hybrid_init(&machine);
	// The type of the PMU is above a generic number.
	assert_spec(&machine, EVENT_SPEC_COUNT, "cycles",
		    "cpu_core/cycles/=0:400000000 cpu_atom/cycles/=0:a00000000");
	assert_spec(&machine, EVENT_SPEC_COUNT, "cpu-cycles:u",
		    "cpu_core/cycles/:u=0:400000000 cpu_atom/cycles/:u=0:a00000000");
	assert_spec(&machine, EVENT_SPEC_COUNT, "L1-dcache-load-misses",
		    "cpu_core/L1-dcache-load-misses/=3:400010000 "
		    "cpu_atom/L1-dcache-load-misses/=3:a00010000");
	// What sysfs publishes by the name stays.
	assert_spec(&machine, EVENT_SPEC_COUNT, "instructions",
		    "cpu_core/instructions/=4:c0 cpu_atom/instructions/=0:a00000001");
	assert_spec(&machine, EVENT_SPEC_COUNT, "r1b", "cpu_core/r1b/=4:1b cpu_atom/r1b/=10:1b");
	assert_spec(&machine, EVENT_SPEC_SAMPLE, "cycles:1000",
		    "cpu_core/cycles/=0:400000000@1000 cpu_atom/cycles/=0:a00000000@1000");
}

static void an_event_that_names_its_pmu_is_one(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	hybrid_init(&machine);
	assert_spec(&machine, EVENT_SPEC_COUNT, "cpu_atom/cycles/", "cpu_atom/cycles/=0:a00000000");
	assert_spec(&machine, EVENT_SPEC_COUNT, "cpu_core/slots/", "cpu_core/slots/=4:400");
}

static void a_group_is_one_for_each_pmu(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	hybrid_init(&machine);
	assert_spec(&machine, EVENT_SPEC_COUNT, "{cycles,branches},{cpu_core/slots/,cycles}",
		    "cpu_core/cycles/=0:400000000#0 cpu_core/branches/=0:400000004#0 "
		    "cpu_atom/cycles/=0:a00000000#1 cpu_atom/branches/=0:a00000004#1 "
		    "cpu_core/slots/=4:400#2 cpu_core/cycles/=0:400000000#2");
	publish(&machine, SYSTEM_EVENT_SOFTWARE, "page-faults", 2);
	assert_spec(&machine, EVENT_SPEC_COUNT, "{page-faults,cycles}",
		    "page-faults=1:2#0 cpu_core/cycles/=0:400000000#0 "
		    "page-faults=1:2#1 cpu_atom/cycles/=0:a00000000#1");
}

static void assert_refused(struct machine *machine, const char *spec, const char *expected)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_error(event_spec_parse(&machine->catalog, spec, EVENT_SPEC_COUNT, NULL, &list),
		     ERROR_USAGE, expected);
}

/** Of what they count no core would have both. */
static void a_group_is_of_one_pmu(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	hybrid_init(&machine);
	assert_refused(&machine, "{cpu_core/slots/,cycles,cpu_atom/cycles/}",
		       "a group has events of 'cpu_core' and of 'cpu_atom'");
	assert_refused(&machine, "{cpu_core/slots/,cpu_atom/cycles/}",
		       "a group has events of 'cpu_core' and of 'cpu_atom'");
	_cleanup_(machine_deinit) struct machine arm;
	big_little_init(&arm);
	assert_refused(&arm, "{armv8_cortex_a53/cpu_cycles/,branches}",
		       "'armv8_cortex_a53' has no event 'branches'");
}

static void older_kernels_count_arm_codes(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	big_little_init(&machine);
	assert_spec(&machine, EVENT_SPEC_COUNT, "cycles",
		    "armv8_cortex_a53/cycles/=8:11 armv8_cortex_a73/cycles/=9:11");
	// Only one of them publishes branches: the other would count 0.
	assert_spec(&machine, EVENT_SPEC_COUNT, "branches", "armv8_cortex_a73/branches/=9:c");
}

static void each_kind_has_the_events_of_its_table(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	big_little_init(&machine);
	assert_spec(&machine, EVENT_SPEC_COUNT, "inst_retired",
		    "armv8_cortex_a53/inst_retired/=8:8 armv8_cortex_a73/inst_retired/=9:8");
	assert_spec(&machine, EVENT_SPEC_COUNT, "ld_spec", "armv8_cortex_a73/ld_spec/=9:70");
	// Not in the table of the first core.
	assert_spec(&machine, EVENT_SPEC_COUNT, "imp_little", "armv8_cortex_a53/imp_little/=8:c7");
}

/** The value of a metric if its first event counts 1, the second 2 and so on. */
static double value_of(struct metric_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->num_metrics; i++) {
		struct planned_metric *metric = &plan->metrics[i];
		for (size_t k = 0; k < metric->num_items; k++)
			metric->values[k] = (double)k + 1;
		if (strcmp(metric->metric->name, name) == 0)
			return planned_metric_evaluate(metric);
	}
	fail_msg("no metric %s", name);
	return 0;
}

static void each_kind_has_its_formulas(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	big_little_init(&machine);
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	_cleanup_(metric_plan_deinit) struct metric_plan plan = METRIC_PLAN_INIT;
	assert_no_error(metric_list_create(&machine.catalog, &metrics));
	assert_no_error(metric_spec_parse(&machine.catalog, &metrics, "ipc", &list));
	assert_list(&list,
		    "armv8_cortex_a53/cpu_cycles/=8:11#0 armv8_cortex_a53/inst_retired/=8:8#0 "
		    "armv8_cortex_a73/cpu_cycles/=9:11#1 armv8_cortex_a73/inst_retired/=9:8#1");
	assert_no_error(metric_plan_create(&list, &metrics, &plan));
	assert_int_equal(plan.num_metrics, 2);
	assert_float_equal(value_of(&plan, "armv8_cortex_a53/ipc/"), 4, 1e-9);
	assert_float_equal(value_of(&plan, "armv8_cortex_a73/ipc/"), 2, 1e-9);
	assert_string_equal(core_pmu_product(plan.metrics[0].metric->pmu), "little");
}

static void only_one_kind_may_have_a_metric(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	big_little_init(&machine);
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(metric_list_create(&machine.catalog, &metrics));
	assert_no_error(metric_spec_parse(&machine.catalog, &metrics, "branch_miss_ratio", &list));
	assert_list(&list, "armv8_cortex_a73/br_mis_pred/=9:10#0 "
			   "armv8_cortex_a73/br_retired/=9:21#0");
}

/** The small cores have no counter of slots: their four parts are the whole. */
static void both_kinds_have_a_tree(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	hybrid_init(&machine);
	_cleanup_(metric_list_deinit) struct metric_list metrics = METRIC_LIST_INIT;
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	_cleanup_(metric_plan_deinit) struct metric_plan plan = METRIC_PLAN_INIT;
	assert_no_error(metric_list_create(&machine.catalog, &metrics));
	assert_no_error(metric_spec_parse(&machine.catalog, &metrics, "topdown", &list));
	assert_list(&list,
		    "cpu_core/slots/=4:400#0 cpu_core/topdown-bad-spec/=4:8100#0 "
		    "cpu_core/topdown-be-bound/=4:8300#0 cpu_core/topdown-fe-bound/=4:8200#0 "
		    "cpu_core/topdown-retiring/=4:8000#0 cpu_atom/topdown-bad-spec/=10:73#1 "
		    "cpu_atom/topdown-be-bound/=10:74#1 cpu_atom/topdown-fe-bound/=10:71#1 "
		    "cpu_atom/topdown-retiring/=10:c2#1");
	assert_no_error(metric_plan_create(&list, &metrics, &plan));
	assert_int_equal(plan.num_metrics, 8);
	assert_float_equal(value_of(&plan, "cpu_atom/bad_speculation/"), 10, 1e-9);
	assert_string_equal(core_pmu_product(&machine.pmus[1]), "x86");
}

static void one_kind_of_cores_is_left_alone(void **state)
{
	_cleanup_(machine_deinit) struct machine machine;
	machine_init(&machine, NULL);
	machine.catalog.num_core_pmus = 0;
	add_generic_names(&machine);
	assert_spec(&machine, EVENT_SPEC_COUNT, "{cycles,branches}", "cycles=0:0#0 branches=0:4#0");
}

int core_pmus_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_of_cores_is_one_of_each_pmu),
		cmocka_unit_test(an_event_that_names_its_pmu_is_one),
		cmocka_unit_test(a_group_is_one_for_each_pmu),
		cmocka_unit_test(a_group_is_of_one_pmu),
		cmocka_unit_test(older_kernels_count_arm_codes),
		cmocka_unit_test(each_kind_has_the_events_of_its_table),
		cmocka_unit_test(each_kind_has_its_formulas),
		cmocka_unit_test(only_one_kind_may_have_a_metric),
		cmocka_unit_test(both_kinds_have_a_tree),
		cmocka_unit_test(one_kind_of_cores_is_left_alone),
	};
	return cmocka_run_group_tests_name("core_pmus", tests, NULL, NULL);
}
