// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/line_sharing.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/spe_fixture.h"

struct fixture {
	struct named_profile profile;
	struct line_sharing sharing;
	uint32_t stack;
};

static void set_up(struct fixture *fixture)
{
	*fixture = (struct fixture){0};
	assert_no_error(named_profile_init(&fixture->profile));
	fixture_random_names(&fixture->profile);
	assert_no_error(spe_profile_create(&fixture->profile.spe));
	assert_no_error(stack_table_push(&fixture->profile.stacks, STACK_NONE, 0, &fixture->stack));
}

static void tear_down(struct fixture *fixture)
{
	line_sharing_deinit(&fixture->sharing);
	named_profile_deinit(&fixture->profile);
}

static void add(struct fixture *fixture, uint32_t thread, bool is_store, uint64_t address)
{
	struct spe_sample sample = {
		.record = spe_test_access(is_store, address, 50),
		.place = {.stack = fixture->stack, .thread = NAMED_NONE},
		.pid = 1,
		.line_thread = thread,
	};
	assert_no_error(spe_profile_add(fixture->profile.spe, &sample));
}

static void find(struct fixture *fixture)
{
	assert_no_error(line_sharing_create(&fixture->profile, NULL, &fixture->sharing));
}

static void test_only_lines_that_a_thread_takes_from_another_are_shared(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	add(&fixture, 0, true, 0x1000); // one thread alone
	add(&fixture, 0, false, 0x1008);
	add(&fixture, 0, false, 0x2000); // two readers
	add(&fixture, 1, false, 0x2000);
	add(&fixture, 0, true, 0x3000); // two lines beside each other
	add(&fixture, 1, true, 0x3040);
	find(&fixture);
	assert_int_equal(fixture.sharing.num_lines, 0);
	assert_int_equal(fixture.sharing.num_touched_lines, 4);
}

static void test_kinds_go_by_who_touches_which_byte(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	for (size_t i = 0; i < 3; i++) { // most cycles: first
		add(&fixture, 0, true, 0x1000);
		add(&fixture, 1, false, 0x1008);
	}
	add(&fixture, 0, true, 0x2000);
	add(&fixture, 0, false, 0x2000);
	add(&fixture, 1, true, 0x2000);
	add(&fixture, 2, true, 0x2000);
	add(&fixture, 0, true, 0x3000);
	add(&fixture, 1, false, 0x3000);
	add(&fixture, 1, true, 0x3020);
	find(&fixture);
	assert_int_equal(fixture.sharing.num_lines, 3);
	const struct shared_line *lines = fixture.sharing.lines;
	assert_int_equal(lines[0].kind, LINE_SHARING_FALSE);
	assert_int_equal(lines[0].num_threads, 2);
	assert_int_equal(lines[0].num_writers, 1);
	assert_int_equal(lines[0].num_reads, 3);
	assert_int_equal(lines[0].num_writes, 3);
	assert_int_equal(lines[0].latency, 300);
	assert_int_equal(lines[0].accesses[0].offset, 0);
	assert_int_equal(lines[0].accesses[1].offset, 8);
	assert_int_equal(lines[1].kind, LINE_SHARING_TRUE);
	assert_int_equal(lines[1].num_threads, 3);
	assert_int_equal(lines[1].num_writers, 3);
	assert_int_equal(lines[2].kind, LINE_SHARING_BOTH);
	assert_int_equal(lines[2].num_writers, 2);
}

static void test_a_filter_chooses_lines_not_parts_of_them(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	add(&fixture, 0, true, 0x1000);
	add(&fixture, 1, false, 0x1008);
	add(&fixture, 0, true, 0x2000);
	add(&fixture, 2, false, 0x2008);
	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
	criteria.thread = "worker";
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter = NULL;
	assert_no_error(profile_filter_create(&fixture.profile, &criteria, &filter));
	assert_no_error(line_sharing_create(&fixture.profile, filter, &fixture.sharing));
	assert_int_equal(fixture.sharing.num_lines, 1);
	assert_int_equal(fixture.sharing.lines[0].line->number, 0x1000 / 64);
	assert_int_equal(fixture.sharing.lines[0].num_accesses, 2);
}

static void test_without_addresses_there_are_no_lines(void **state)
{
	_cleanup_(tear_down) struct fixture fixture;
	set_up(&fixture);
	find(&fixture);
	assert_int_equal(fixture.sharing.num_lines, 0);
	assert_int_equal(fixture.sharing.num_touched_lines, 0);
}

int line_sharing_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_lines_that_a_thread_takes_from_another_are_shared),
		cmocka_unit_test(test_kinds_go_by_who_touches_which_byte),
		cmocka_unit_test(test_a_filter_chooses_lines_not_parts_of_them),
		cmocka_unit_test(test_without_addresses_there_are_no_lines),
	};
	return cmocka_run_group_tests_name("line_sharing", tests, NULL, NULL);
}
