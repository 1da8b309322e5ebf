// SPDX-License-Identifier: Apache-2.0

#include "catalog/event_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static const struct event cycles = {.name = "cpu_cycles", .event_class = EVENT_CORE, .code = 0x11};
static const struct event refill = {.name = "refill", .event_class = EVENT_CORE, .code = 0x01};
static const struct event ld_spec = {.name = "ld_spec", .event_class = EVENT_CORE, .code = 0x70};
static const struct event faults = {.name = "faults", .event_class = EVENT_PERF, .code = 0x11};

static void add(struct event_list *list, const struct event *event, int group, uint64_t interval)
{
	assert_no_error(event_list_add(list, &(struct event_request){.event = event,
								     .group = group,
								     .interval = interval}));
}

static void a_list_counts_events_and_groups_per_class(void **state)
{
	_cleanup_(event_list_deinit) struct event_list list = EVENT_LIST_INIT;
	add(&list, &refill, EVENT_UNGROUPED, 0);
	add(&list, &faults, EVENT_UNGROUPED, 0);
	add(&list, &ld_spec, EVENT_UNGROUPED, 0);
	add(&list, &cycles, EVENT_UNGROUPED, 0);
	event_list_group(&list, 2);
	assert_int_equal(event_list_count(&list, EVENT_CORE), 3);
	assert_int_equal(event_list_count(&list, EVENT_PERF), 1);
	assert_int_equal(event_list_count(&list, EVENT_DSU), 0);
	assert_int_equal(list.num_groups[EVENT_CORE], 1);
	assert_int_equal(list.num_groups[EVENT_PERF], 0);
	assert_int_equal(list.items[0].group, EVENT_UNGROUPED);
	assert_int_equal(list.items[2].group, 0);
	assert_int_equal(list.items[3].group, 0);
	add(&list, &refill, 1, 0);
	assert_int_equal(list.num_groups[EVENT_CORE], 2);
}

static void an_empty_list_ends(void **state)
{
	struct event_list list = EVENT_LIST_INIT;
	assert_int_equal(event_list_count(&list, EVENT_CORE), 0);
	event_list_deinit(&list);
	event_list_deinit(&list);
}

int event_list_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_counts_events_and_groups_per_class),
		cmocka_unit_test(an_empty_list_ends),
	};
	return cmocka_run_group_tests_name("event_list", tests, NULL, NULL);
}
