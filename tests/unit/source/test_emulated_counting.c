// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/emulated_counting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/region_fixture.h"

static const struct event loads = {.name = "ld_spec", .code = 0x70},
			  stores = {.name = "st_spec", .code = 0x71},
			  instructions = {.name = "inst_retired", .code = 0x08},
			  taken = {.name = "br_taken", .code = 0x0c},
			  stalls = {.name = "stall_backend", .code = 0x24};

/** Events, and a plan that counts them in this process. */
struct wish {
	struct event_list list;
	struct placement placements[NUM_PMU_CLASSES];
	uint32_t pid;
	struct count_plan plan;
};

static void wish_init(struct wish *wish, const struct event *const *events, size_t num_counters)
{
	*wish = (struct wish){.pid = getpid()};
	for (; *events; events++) {
		struct event_request request = {.event = *events, .group = EVENT_UNGROUPED};
		assert_no_error(event_list_add(&wish->list, &request));
	}
	assert_no_error(placement_create(&wish->list, EVENT_CORE, (unsigned)num_counters, 0,
					 &wish->placements[EVENT_CORE]));
	wish->plan = (struct count_plan){
		.events = &wish->list,
		.placements = wish->placements,
		.pids = &wish->pid,
		.num_pids = 1,
		.inherit = true,
		.period_ms = 1,
	};
}

static void wish_deinit(struct wish *wish)
{
	placement_deinit(&wish->placements[EVENT_CORE]);
	event_list_deinit(&wish->list);
}

static struct count read_one(struct emulated_counting *counting, size_t unit, size_t column)
{
	_cleanup_(source_counts_deinit) struct source_counts counts = SOURCE_COUNTS_INIT;
	assert_no_error(emulated_counting_read(counting, &counts));
	assert_true(unit < counts.sets[EVENT_PERF].num_units);
	return *count_set_at(&counts.sets[EVENT_PERF], unit, column);
}

static void threads_and_children_are_summed(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, &instructions, NULL}, 6);
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	assert_int_equal(region->config.mode, REGION_COUNTS);
	assert_int_equal(read_one(&counting, 0, 0).value, 0); // nothing runs yet
	run_loads(region, region_add_thread(region, getpid(), 1), 10);
	run_loads(region, region_add_thread(region, getpid(), 2), 20);
	run_loads(region, region_add_thread(region, 1, 3), 40);
	struct count count = read_one(&counting, 0, 0);
	assert_int_equal(count.value, 70);
	assert_int_equal(count.scheduled, count.total);
	assert_int_equal(read_one(&counting, 0, 1).value, 70);
	counting.inherit = false;
	assert_int_equal(read_one(&counting, 0, 0).value, 30);
	emulated_counting_close(&counting);
}

static void threads_have_rows(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, NULL}, 6);
	wish.plan.per_thread = true;
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	run_loads(region, region_add_thread(region, getpid(), getpid()), 10);
	run_loads(region, region_add_thread(region, getpid(), 2), 20);
	assert_int_equal(read_one(&counting, 0, 0).value, 10);
	assert_int_equal(read_one(&counting, 1, 0).value, 20);
	// It became another program: the same row.
	run_loads(region, region_add_thread(region, getpid(), getpid()), 100);
	assert_int_equal(read_one(&counting, 0, 0).value, 110);
	emulated_counting_close(&counting);
}

static void a_reset_begins_anew(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, NULL}, 6);
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	struct region_thread *thread = region_add_thread(region, getpid(), 1);
	run_loads(region, thread, 10);
	emulated_counting_reset(&counting);
	assert_int_equal(read_one(&counting, 0, 0).value, 0);
	run_loads(region, thread, 5);
	region_thread_end(region, thread);
	run_loads(region, region_add_thread(region, getpid(), 2), 3);
	assert_int_equal(read_one(&counting, 0, 0).value, 8);
	emulated_counting_close(&counting);
}

static void only_what_is_asked_for_is_watched(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, NULL}, 6);
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	assert_false(region->config.counts_branches);
	emulated_counting_close(&counting);
	_cleanup_(wish_deinit) struct wish branches;
	wish_init(&branches, (const struct event *[]){&loads, &taken, NULL}, 6);
	assert_no_error(emulated_counting_open(&counting, region, &branches.plan));
	assert_true(region->config.counts_branches);
	assert_false(region->config.counts_memory || region->config.counts_model);
	emulated_counting_close(&counting);
}

static void windows_take_turns(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, &stores, NULL}, 1);
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	assert_int_equal(region->config.num_windows, 2);
	assert_true(region->config.window_cycles > 0);
	struct region_thread *thread = region_add_thread(region, getpid(), 1);
	run_loads(region, thread, 60); // in the first window
	region_thread_next_window(region, thread);
	run_loads(region, thread, 30);
	struct count of_loads = read_one(&counting, 0, 0), of_stores = read_one(&counting, 0, 1);
	assert_int_equal(of_loads.value, 60);
	assert_int_equal(of_loads.scheduled, 60);
	assert_int_equal(of_loads.total, 90);
	assert_int_equal(of_stores.value, 0);
	assert_int_equal(of_stores.scheduled, 30);
	emulated_counting_close(&counting);
}

static void the_kernel_has_no_numbers(void **state)
{
	struct region *region = *state;
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, &loads, NULL}, 6);
	wish.list.items[0].modifiers = EVENT_KERNEL;
	struct emulated_counting counting;
	assert_no_error(emulated_counting_open(&counting, region, &wish.plan));
	run_loads(region, region_add_thread(region, getpid(), 1), 10);
	assert_int_equal(read_one(&counting, 0, 0).scheduled, 0);
	assert_int_equal(read_one(&counting, 0, 1).value, 10);
	assert_non_null(strstr(emulated_counting_note(&counting, 0), "runs only user code"));
	assert_null(emulated_counting_note(&counting, 1));
	assert_null(emulated_counting_note(&counting, 2));
	assert_ptr_equal(emulated_counting_event(&counting, 1), &loads);
	assert_null(emulated_counting_event(&counting, 2));
	emulated_counting_close(&counting);
}

static void unknown_events_are_refused(void **state)
{
	_cleanup_(wish_deinit) struct wish wish;
	wish_init(&wish, (const struct event *[]){&loads, &stalls, NULL}, 6);
	struct emulated_counting counting;
	assert_error(emulated_counting_open(&counting, *state, &wish.plan), ERROR_FAILED,
		     "event 'stall_backend' is not emulated");
	emulated_counting_close(&counting);
}

int emulated_counting_tests(void)
{
#define REGION_TEST(test) cmocka_unit_test_setup_teardown(test, create_region, destroy_region)
	const struct CMUnitTest tests[] = {
		REGION_TEST(threads_and_children_are_summed),
		REGION_TEST(threads_have_rows),
		REGION_TEST(a_reset_begins_anew),
		REGION_TEST(only_what_is_asked_for_is_watched),
		REGION_TEST(windows_take_turns),
		REGION_TEST(the_kernel_has_no_numbers),
		REGION_TEST(unknown_events_are_refused),
	};
	return cmocka_run_group_tests_name("emulated_counting", tests, NULL, NULL);
}
