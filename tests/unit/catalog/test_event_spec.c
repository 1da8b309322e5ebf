// SPDX-License-Identifier: Apache-2.0

#include "catalog/event_spec.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "catalog/linux/system_events.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/fake_cpu.h"

static const struct system_event system_events[] = {
	{.event = {.name = "page-faults", .event_class = EVENT_PERF}},
	{.event = {.name = "cpu/cache-misses/", .event_class = EVENT_PERF}},
	{.event = {.name = "sched:sched_switch", .event_class = EVENT_PERF}},
	{.event = {.name = "alloc", .event_class = EVENT_PERF}, .by_bytes = true},
};

static void init_catalog(struct catalog *catalog)
{
	catalog_init(catalog, &fake_cpu, &fake_counters);
	size_t count = ARRAY_SIZE(system_events);
	assert_no_error(array_reserve(&catalog->system_events, &catalog->cap_system_events, count));
	for (size_t i = 0; i < count; i++)
		catalog->system_events[catalog->num_system_events++] = &system_events[i].event;
}

/** `class.name`, then :u and :k, `@interval` and `#group` where there are some. */
static void describe(const struct event_list *list, struct string_builder *text)
{
	for (size_t i = 0; i < list->num_items; i++) {
		const struct event_request *request = &list->items[i];
		string_builder_appendf(text, "%s%s.%s", i ? " " : "",
				       event_class_name(request->event->event_class),
				       request->event->name);
		if (request->modifiers & EVENT_USER)
			string_builder_append(text, ":u");
		if (request->modifiers & EVENT_KERNEL)
			string_builder_append(text, ":k");
		if (request->interval)
			string_builder_appendf(text, "@%" PRIu64, request->interval);
		if (request->group != EVENT_UNGROUPED)
			string_builder_appendf(text, "#%d", request->group);
	}
}

static void assert_spec(const char *spec, enum event_spec_mode mode, const char *expected)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog, spec, mode, NULL, &list));
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	describe(&list, &text);
	assert_string_equal(string_builder_peek(&text), expected);
}

static void counting_takes_events_and_groups(void **state)
{
	static const struct {
		const char *spec;
		const char *expected;
	} cases[] = {
		{"ld_spec", "core.ld_spec"},
		{"LD_SPEC,ld_spec", "core.ld_spec core.ld_spec"},
		{"imp_fake_event", "core.imp_fake_event"},
		{"r1b,0x1b,27,033", "core.r1b core.r1b core.r1b core.r1b"},
		{"rFFFF,0xffff", "core.rffff core.rffff"},
		{"{ld_spec,st_spec}", "core.ld_spec#0 core.st_spec#0"},
		{"{ld_spec}", "core.ld_spec"},
		{"{r1b}", "core.r1b"},
		{"{ld_spec,st_spec},dp_spec,{ase_spec,r77,ld_spec}",
		 "core.ld_spec#0 core.st_spec#0 core.dp_spec core.ase_spec#1 core.r77#1 "
		 "core.ld_spec#1"},
		{"{ld_spec,ld_spec}", "core.ld_spec#0 core.ld_spec#0"},
		{"/dsu/l3d_cache,/DSU/l3d_cache_refill", "dsu.l3d_cache dsu.l3d_cache_refill"},
		{"/dsu/r2b,/dmc_clk/0x1", "dsu.r2b dmc_clk.r1"},
		{"/dsu/{l3d_cache,/dsu/l3d_cache_refill}",
		 "dsu.l3d_cache#0 dsu.l3d_cache_refill#0"},
		{"{/dsu/l3d_cache,/dsu/l3d_cache_refill}",
		 "dsu.l3d_cache#0 dsu.l3d_cache_refill#0"},
		{"/dsu/{l3d_cache,l3d_cache_refill}", "dsu.l3d_cache#0 dsu.l3d_cache_refill#0"},
		{"/dsu/{/dsu/l3d_cache,l3d_cache_refill},ld_spec",
		 "dsu.l3d_cache#0 dsu.l3d_cache_refill#0 core.ld_spec"},
		{"{ld_spec,st_spec},{/dsu/l3d_cache,/dsu/r1},{dp_spec,ase_spec}",
		 "core.ld_spec#0 core.st_spec#0 dsu.l3d_cache#0 dsu.r1#0 core.dp_spec#1 "
		 "core.ase_spec#1"},
		{"/dsu/ld_spec", "dsu.ld_spec"},
		{"/dmc_clkdiv2/rdwr", "dmc_clkdiv2.rdwr"},
		{"ld_spec:u,st_spec:k,dp_spec:uk",
		 "core.ld_spec:u core.st_spec:k core.dp_spec:u:k"},
		{"r1b:u", "core.r1b:u"},
		{"{ld_spec:u,st_spec:k}", "core.ld_spec:u#0 core.st_spec:k#0"},
		{"ld_spec:u:k", "core.ld_spec:u:k"},
		{"page-faults,cpu/cache-misses/:u", "perf.page-faults perf.cpu/cache-misses/:u"},
		{"sched:sched_switch", "perf.sched:sched_switch"},
		{"sched:sched_switch:k", "perf.sched:sched_switch:k"},
		{"{page-faults,sched:sched_switch}",
		 "perf.page-faults#0 perf.sched:sched_switch#0"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_spec(cases[i].spec, EVENT_SPEC_COUNT, cases[i].expected);
}

static void sampling_takes_intervals(void **state)
{
	static const struct {
		const char *spec;
		const char *expected;
	} cases[] = {
		{"ld_spec", "core.ld_spec"},
		{"ld_spec:1000,st_spec:0x10,cpu_cycles",
		 "core.ld_spec@1000 core.st_spec@16 core.cpu_cycles"},
		{"r1b:100,27:4294967295", "core.r1b@100 core.r1b@4294967295"},
		{"ld_spec:u:1000", "core.ld_spec:u@1000"},
		{"ld_spec:1000:u", "core.ld_spec:u@1000"},
		{"ld_spec:k", "core.ld_spec:k"},
		{"sched:sched_switch:1", "perf.sched:sched_switch@1"},
		{"cpu/cache-misses/:7", "perf.cpu/cache-misses/@7"},
		{"alloc:65536,alloc:64K", "perf.alloc@65536 perf.alloc@65536"},
		{"alloc:0x10K,alloc:3G", "perf.alloc@16384 perf.alloc@3221225472"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_spec(cases[i].spec, EVENT_SPEC_SAMPLE, cases[i].expected);
}

struct error_case {
	const char *spec;
	const char *message;
};

static void assert_errors(const struct error_case *cases, size_t num_cases,
			  enum event_spec_mode mode)
{
	for (size_t i = 0; i < num_cases; i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		init_catalog(&catalog);
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		assert_error(event_spec_parse(&catalog, cases[i].spec, mode, NULL, &list),
			     ERROR_USAGE, cases[i].message);
	}
}

static void wrong_words_for_counting_say_what_is_wrong(void **state)
{
	static const struct error_case cases[] = {
		{"foo", "unknown event name: foo"},
		{"ld_spec,foo", "unknown event name: foo"},
		{"{foo}", "unknown event name: foo"},
		{"/dsu/foo", "unknown event name: foo"},
		{"/dsu/imp_fake_event", "unknown event name: imp_fake_event"},
		{"/dsu//dsu/l3d_cache", "unknown event name: /dsu/l3d_cache"},
		{"r", "unknown event name: r"},
		{"rxyz", "unknown event name: rxyz"},
		{"R1b", "unknown event name: R1b"},
		{"12ab", "unknown event name: 12ab"},
		{"0x", "unknown event name: 0x"},
		{" ld_spec", "unknown event name:  ld_spec"},
		{"ld_spec, st_spec", "unknown event name:  st_spec"},
		{"a{b", "unknown event name: a{b"},
		{"{ld_spec}st_spec", "unknown event name: ld_spec}st_spec"},
		{"ld_spec:1000", "unknown event name: ld_spec:1000"},
		{"ld_spec:u:1000", "unknown event name: ld_spec:u:1000"},
		{"ld_spec:", "unknown event name: ld_spec:"},
		{"ld_spec:x", "unknown event name: ld_spec:x"},
		{"ld_spec:kuk", "unknown event name: ld_spec:kuk"},
		{"foo:u", "unknown event name: foo:u"},
		{":u", "unknown event name: :u"},
		{"sched:nothing", "unknown event name: sched:nothing"},
		{"ld_spec:u:u:u:u:u", "unknown event name: ld_spec:u:u:u:u:u"},
		{"65536", "extra event value out of range in 65536"},
		{"r10000", "extra event value out of range in 10000"},
		{"{ld_spec,0x10000}", "extra event value out of range in 0x10000"},
		{"99999999999999999999999",
		 "extra event value out of range in 99999999999999999999999"},
		{"", "empty event name in ''"},
		{",", "empty event name in ','"},
		{"ld_spec,,st_spec", "empty event name in 'ld_spec,,st_spec'"},
		{"ld_spec,", "empty event name in 'ld_spec,'"},
		{"{}", "empty event name in '{}'"},
		{"{,ld_spec}", "empty event name in '{,ld_spec}'"},
		{"{ld_spec,}", "empty event name in '{ld_spec,}'"},
		{"/dsu/", "empty event name in '/dsu/'"},
		{"{", "empty event name in '{'"},
		{"{ld_spec,{st_spec}}", "nested group is not supported {st_spec}}"},
		{"{ld_spec,{st_spec", "nested group is not supported {st_spec"},
		{"{{ld_spec}}", "nested group is not supported {{ld_spec}}"},
		{"{ld_spec,/dsu/{r1,r2}", "nested group is not supported /dsu/{r1"},
		{"ld_spec}", "missing '{' for event group ld_spec}"},
		{"}", "missing '{' for event group }"},
		{"{ld_spec,st_spec},dp_spec}", "missing '{' for event group dp_spec}"},
		{"{ld_spec,st_spec}}", "missing '{' for event group st_spec}}"},
		{"{ld_spec}}", "missing '{' for event group ld_spec}}"},
		{"{ld_spec,st_spec", "missing '}' for event group {ld_spec,st_spec"},
		{"dp_spec,{ld_spec", "missing '}' for event group {ld_spec"},
		{"/dsu/{r1,r2", "missing '}' for event group /dsu/{r1,r2"},
		{"{ld_spec,/dsu/r1}",
		 "event group mixes events of core and dsu: {ld_spec,/dsu/r1}"},
		{"dp_spec,/dsu/{r1,/dmc_clk/r1},ld_spec",
		 "event group mixes events of dsu and dmc_clk: /dsu/{r1,/dmc_clk/r1}"},
		{"{ld_spec,page-faults}",
		 "event group mixes events of core and perf: {ld_spec,page-faults}"},
		{"{r1,r2,r3,r4,r5,r6,r7}",
		 "event group size(7) exceeds number of hardware PMU counters(6)"},
		{"/dmc_clk/{r1,r2,r3}",
		 "event group size(3) exceeds number of hardware PMU counters(2)"},
	};
	assert_errors(cases, ARRAY_SIZE(cases), EVENT_SPEC_COUNT);
}

static void wrong_words_for_sampling_say_what_is_wrong(void **state)
{
	static const struct error_case cases[] = {
		{"foo", "unknown event name: foo"},
		{"foo:1000", "unknown event name: foo"},
		{"foo:u:1000", "unknown event name: foo"},
		{"{ld_spec}", "unknown event name: {ld_spec}"},
		{"{ld_spec,st_spec}", "unknown event name: {ld_spec"},
		{"/dsu/l3d_cache", "unknown event name: /dsu/l3d_cache"},
		{"ld_spec:", "event interval:  is invalid!"},
		{"ld_spec:abc", "event interval: abc is invalid!"},
		{"page-faults:1K", "event interval: 1K is invalid!"},
		{"alloc:K", "event interval: K is invalid!"},
		{"alloc:1T", "event interval: 1T is invalid!"},
		{"alloc:4G", "event interval: 4G is out of range!"},
		{"alloc:99999999999G", "event interval: 99999999999G is out of range!"},
		{"ld_spec:100x", "event interval: 100x is invalid!"},
		{"ld_spec:-1", "event interval: -1 is invalid!"},
		{"ld_spec: 1", "event interval:  1 is invalid!"},
		{"ld_spec:0", "event interval: 0 is invalid!"},
		{"ld_spec:4294967296", "event interval: 4294967296 is out of range!"},
		{"ld_spec:99999999999999999999",
		 "event interval: 99999999999999999999 is out of range!"},
		{"r10000:5", "extra event value out of range in 10000"},
		{"", "empty event name in ''"},
		{"ld_spec,,st_spec", "empty event name in 'ld_spec,,st_spec'"},
	};
	assert_errors(cases, ARRAY_SIZE(cases), EVENT_SPEC_SAMPLE);
}

static void hints_tell_what_to_do(void **state)
{
	static const struct {
		const char *spec;
		enum event_spec_mode mode;
		const char *hint;
	} cases[] = {
		{"ld_spec:1000", EVENT_SPEC_COUNT, "work with sample and record only"},
		{"ld_spec:x", EVENT_SPEC_COUNT, "u (user), k (kernel) or uk"},
		{"ld_spec:x", EVENT_SPEC_SAMPLE, "from 1 to 0xffffffff"},
		{"{ld_spec}", EVENT_SPEC_SAMPLE, "only stat counts groups"},
		{"/dsu/r1", EVENT_SPEC_SAMPLE, "core events only"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(catalog_deinit) struct catalog catalog;
		init_catalog(&catalog);
		_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
		_cleanup_(error_destroyp) struct error *err =
			event_spec_parse(&catalog, cases[i].spec, cases[i].mode, NULL, &list);
		assert_non_null(err);
		assert_non_null(err->hint);
		assert_non_null(strstr(err->hint, cases[i].hint));
	}
}

static struct error *parse_with(const struct pmu_counters *counters, const char *spec,
				enum event_spec_mode mode)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	catalog_init(&catalog, &fake_cpu, counters);
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	struct error *err = event_spec_parse(&catalog, spec, mode, NULL, &list);
	return err ? err : event_spec_check_sampling(&catalog, &list);
}

static void counters_that_others_hold_are_not_ours(void **state)
{
	static const struct pmu_counters held = {.free = {3}, .total = {6}};
	assert_no_error(parse_with(&held, "{ld_spec,st_spec,dp_spec}", EVENT_SPEC_COUNT));
	assert_error(parse_with(&held, "{ld_spec,st_spec,dp_spec,ase_spec}", EVENT_SPEC_COUNT),
		     ERROR_USAGE,
		     "event group size(4) exceeds number of free hardware PMU counters(3) out of a "
		     "total of (6)");
	static const struct pmu_counters all_held = {.total = {6}};
	assert_error(parse_with(&all_held, "ld_spec", EVENT_SPEC_COUNT), ERROR_FAILED,
		     "cannot count ld_spec: no free core counters out of a total of (6)");
}

static void a_unit_that_is_not_there_is_said(void **state)
{
	static const struct pmu_counters no_dsu = {.free = {6}, .total = {6}};
	assert_error(parse_with(&no_dsu, "/dsu/l3d_cache", EVENT_SPEC_COUNT), ERROR_FAILED,
		     "cannot count /dsu/l3d_cache: this machine has no dsu counters");
	assert_error(parse_with(&(struct pmu_counters){0}, "ld_spec", EVENT_SPEC_SAMPLE),
		     ERROR_FAILED, "cannot count ld_spec: this machine has no core counters");
}

static void sampled_events_must_fit_at_once(void **state)
{
	static const struct pmu_counters held = {.free = {2}, .total = {3}};
	assert_no_error(parse_with(&held, "ld_spec,st_spec", EVENT_SPEC_SAMPLE));
	// The fixed counter takes the cycles, once.
	assert_no_error(parse_with(&held, "ld_spec,cpu_cycles,st_spec", EVENT_SPEC_SAMPLE));
	assert_error(parse_with(&held, "ld_spec,cpu_cycles,st_spec,cpu_cycles", EVENT_SPEC_SAMPLE),
		     ERROR_USAGE,
		     "number of events requested exceeds the number of free hardware PMU "
		     "counters(2) out of a total of (3)");
	assert_error(parse_with(&held, "ld_spec,st_spec,dp_spec", EVENT_SPEC_SAMPLE), ERROR_USAGE,
		     "number of events requested exceeds the number of free hardware PMU "
		     "counters(2) out of a total of (3)");
	assert_error(parse_with(&held, "ld_spec,st_spec,dp_spec,ase_spec", EVENT_SPEC_SAMPLE),
		     ERROR_USAGE,
		     "number of events requested exceeds the number of hardware PMU counters(3)");
	static const struct pmu_counters all_held = {.total = {6}};
	assert_no_error(parse_with(&all_held, "cpu_cycles", EVENT_SPEC_SAMPLE));
}

static void all_of_one_list_share_groups_and_metric(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog, "{r1,r2}", EVENT_SPEC_COUNT, "first", &list));
	assert_no_error(event_spec_parse(&catalog, "{r3,r4}", EVENT_SPEC_COUNT, NULL, &list));
	assert_string_equal(list.items[1].metric, "first");
	assert_null(list.items[2].metric);
	assert_int_equal(list.items[1].group, 0);
	assert_int_equal(list.items[3].group, 1);
	assert_int_equal(list.num_groups[EVENT_CORE], 2);
}

static void raw_events_share_what_is_registered(void **state)
{
	_cleanup_(catalog_deinit) struct catalog catalog;
	init_catalog(&catalog);
	assert_no_error(catalog_add_extra_events(&catalog, "mine:1b"));
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	assert_no_error(event_spec_parse(&catalog, "r1b,27,mine,MINE,/dsu/r1b", EVENT_SPEC_COUNT,
					 NULL, &list));
	for (size_t i = 0; i < 4; i++)
		assert_ptr_equal(list.items[i].event, catalog.extra_events[0]);
	assert_string_equal(list.items[4].event->name, "r1b");
	assert_int_equal(catalog.num_extra_events, 2);
}

int event_spec_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counting_takes_events_and_groups),
		cmocka_unit_test(sampling_takes_intervals),
		cmocka_unit_test(wrong_words_for_counting_say_what_is_wrong),
		cmocka_unit_test(wrong_words_for_sampling_say_what_is_wrong),
		cmocka_unit_test(hints_tell_what_to_do),
		cmocka_unit_test(counters_that_others_hold_are_not_ours),
		cmocka_unit_test(a_unit_that_is_not_there_is_said),
		cmocka_unit_test(sampled_events_must_fit_at_once),
		cmocka_unit_test(all_of_one_list_share_groups_and_metric),
		cmocka_unit_test(raw_events_share_what_is_registered),
	};
	return cmocka_run_group_tests_name("event_spec", tests, NULL, NULL);
}
