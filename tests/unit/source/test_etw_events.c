// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "record/perf_data/event_attr.h"
#include "tests/etw/fake_etw.h"
#include "tests/unit/assert_error.h"

static const struct system_event clock_event = {
	.event = {.name = "cpu-clock", .event_class = EVENT_PERF}, .type = SYSTEM_EVENT_SOFTWARE};
static const struct system_event absences = {
	.event = {.name = "offcpu-time", .event_class = EVENT_PERF, .code = ETW_ABSENCES_CODE},
	.type = SYSTEM_EVENT_SOFTWARE};
static const struct system_event issues = {
	.event = {.name = "TotalIssues", .event_class = EVENT_PERF, .code = 2},
	.type = ETW_EVENT_TYPE};
static const struct system_event misses = {
	.event = {.name = "DcacheMisses", .event_class = EVENT_PERF, .code = 8},
	.type = ETW_EVENT_TYPE};
static const struct event speculated = {.name = "ld_spec", .event_class = EVENT_CORE, .code = 0x70};

struct events_fixture {
	struct fake_etw fake;
	struct etw_calls calls;
	struct etw_sources sources;
	struct etw_notes notes;
	struct etw_events events;
};

static void events_fixture_init(struct events_fixture *fixture)
{
	memset(fixture, 0, sizeof(*fixture));
	fake_etw_init(&fixture->fake);
	fixture->calls = fake_etw_calls(&fixture->fake);
	assert_no_error(etw_sources_list(&fixture->calls, &fixture->sources));
}

static void events_fixture_deinit(struct events_fixture *fixture)
{
	etw_events_close(&fixture->events);
	etw_notes_clear(&fixture->notes);
	etw_sources_deinit(&fixture->sources);
	fake_etw_deinit(&fixture->fake);
}

static struct error *open_events(struct events_fixture *fixture, struct event_request *items,
				 size_t num_items, uint32_t frequency_hz)
{
	const struct event_list list = {.items = items, .num_items = num_items};
	const struct etw_events_request request = {
		.events = &list, .frequency_hz = frequency_hz, .notes = &fixture->notes};
	return etw_events_open(&fixture->calls, &fixture->sources, &request, &fixture->events);
}

static void several_events_are_sampled_at_once(void **state)
{
	struct events_fixture fixture;
	struct event_request items[] = {
		{.event = &clock_event.event},
		{.event = &issues.event, .interval = 100000, .modifiers = EVENT_KERNEL},
		{.event = &absences.event, .interval = 1},
	};
	events_fixture_init(&fixture);
	assert_no_error(open_events(&fixture, items, 3, 1000));
	const struct etw_events *events = &fixture.events;
	assert_int_equal(events->items[0].source, ETW_SOURCE_TIMER);
	assert_int_equal(events->items[0].interval, 10000);
	assert_int_equal(
		event_attr_rate(events->described[0].attr, events->described[0].attr_size).period,
		1000000);
	assert_true(event_attr_is_clock(events->described[0].attr, events->described[0].attr_size));
	assert_true(events->wanted[0].user && !events->wanted[0].kernel);
	assert_int_equal(events->items[1].source, 2);
	assert_int_equal(events->items[1].interval, 100000);
	assert_true(!events->wanted[1].user && events->wanted[1].kernel);
	assert_true(events->items[2].is_absences && events->wanted[2].is_absences);
	assert_true(events->has_absences);
	assert_int_equal(fixture.notes.num_items, 0);
	events_fixture_deinit(&fixture);
}

static void the_timer_has_limits(void **state)
{
	struct events_fixture fixture;
	struct event_request item = {.event = &clock_event.event};
	events_fixture_init(&fixture);
	assert_no_error(open_events(&fixture, &item, 1, 20000));
	assert_int_equal(fixture.events.items[0].interval, 1221);
	assert_int_equal(fixture.notes.num_items, 1);
	assert_string_equal(fixture.notes.items[0],
			    "'cpu-clock' was sampled 8190 times a second, not 20000: Windows' "
			    "timer has no such interval");
	etw_events_close(&fixture.events);
	etw_notes_clear(&fixture.notes);
	item.interval = 100000; // nanoseconds, as on Linux
	assert_error(open_events(&fixture, &item, 1, 0), ERROR_USAGE,
		     "cannot sample 'cpu-clock' every 100000 ns");
	events_fixture_deinit(&fixture);
}

static void periods_have_limits(void **state)
{
	struct events_fixture fixture;
	struct event_request item = {.event = &issues.event, .interval = 4095};
	events_fixture_init(&fixture);
	assert_error(open_events(&fixture, &item, 1, 0), ERROR_USAGE,
		     "cannot sample 'TotalIssues' every 4095 events");
	events_fixture_deinit(&fixture);
}

static void an_event_has_one_period(void **state)
{
	struct events_fixture fixture;
	struct event_request items[] = {{.event = &issues.event, .interval = 4096},
					{.event = &issues.event, .interval = 8192}};
	events_fixture_init(&fixture);
	assert_error(open_events(&fixture, items, 2, 0), ERROR_USAGE,
		     "'TotalIssues' was given twice");
	events_fixture_deinit(&fixture);
}

static void counters_are_few(void **state)
{
	struct events_fixture fixture;
	struct event_request items[] = {{.event = &clock_event.event},
					{.event = &issues.event, .interval = 4096},
					{.event = &misses.event, .interval = 4096}};
	events_fixture_init(&fixture);
	fixture.sources.max_counters = 1;
	assert_error(open_events(&fixture, items, 3, 999), ERROR_USAGE,
		     "2 events need counters of the CPU, and Windows has 1 at once");
	etw_events_close(&fixture.events);
	assert_no_error(open_events(&fixture, items, 2, 999)); // the timer needs none
	events_fixture_deinit(&fixture);
}

static void events_of_the_cpu_are_registered(void **state)
{
	struct events_fixture fixture;
	struct event_request item = {.event = &speculated, .interval = 50000};
	events_fixture_init(&fixture);
	assert_no_error(open_events(&fixture, &item, 1, 0));
	uint32_t source = fixture.events.items[0].source;
	assert_non_null(fake_etw_source(&fixture.fake, source));
	assert_true(fixture.events.items[0].is_ours);
	assert_int_equal(fixture.events.items[0].interval, 50000);
	assert_int_equal(fixture.notes.num_items, 1);
	etw_events_close(&fixture.events);
	assert_null(fake_etw_source(&fixture.fake, source));
	events_fixture_deinit(&fixture);
}

/** Also if a later event is wrong. */
static void what_was_registered_is_removed(void **state)
{
	struct events_fixture fixture;
	struct event_request items[] = {{.event = &speculated, .interval = 50000},
					{.event = &issues.event, .interval = 1}};
	events_fixture_init(&fixture);
	assert_error(open_events(&fixture, items, 2, 0), ERROR_USAGE,
		     "cannot sample 'TotalIssues' every 1 events");
	uint32_t source = fixture.events.items[0].source;
	assert_non_null(fake_etw_source(&fixture.fake, source));
	etw_events_close(&fixture.events);
	assert_null(fake_etw_source(&fixture.fake, source));
	events_fixture_deinit(&fixture);
}

static void time_is_not_counted(void **state)
{
	struct events_fixture fixture;
	struct event_request item = {.event = &clock_event.event};
	const struct event_list list = {.items = &item, .num_items = 1};
	events_fixture_init(&fixture);
	const struct etw_events_request request = {
		.events = &list, .is_counting = true, .notes = &fixture.notes};
	assert_error(etw_events_open(&fixture.calls, &fixture.sources, &request, &fixture.events),
		     ERROR_USAGE, "source 'etw' cannot count 'cpu-clock'");
	events_fixture_deinit(&fixture);
}

int etw_events_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_events_are_sampled_at_once),
		cmocka_unit_test(the_timer_has_limits),
		cmocka_unit_test(periods_have_limits),
		cmocka_unit_test(an_event_has_one_period),
		cmocka_unit_test(counters_are_few),
		cmocka_unit_test(events_of_the_cpu_are_registered),
		cmocka_unit_test(what_was_registered_is_removed),
		cmocka_unit_test(time_is_not_counted),
	};
	return cmocka_run_group_tests_name("etw_events", tests, NULL, NULL);
}
