// SPDX-License-Identifier: Apache-2.0

#include "session/family.h"

#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void add(struct family *family, uint32_t pid, uint64_t began_ns)
{
	assert_no_error(family_add(family, pid, 0, began_ns));
}

static void nobody_belongs_to_none(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	assert_false(family_has(&family, 0, 0));
	family_end(&family, 7, 5);
	family_forget(&family, 5);
}

static void whoever_was_there_first_is_ours_at_any_time(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	add(&family, 8, 0);
	add(&family, 4, 0);
	assert_true(family_has(&family, 8, 0));
	assert_true(family_has(&family, 4, UINT64_MAX));
	assert_false(family_has(&family, 6, 10));
	assert_false(family_has(&family, 9, 10));
	assert_false(family_has(&family, 0, 10));
}

// Its samples are read when it is over.
static void a_child_that_was_over_before_it_was_seen(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	add(&family, 8, 0);
	add(&family, 12, 100);
	family_end(&family, 12, 110);
	assert_false(family_has(&family, 12, 99));
	assert_true(family_has(&family, 12, 100));
	assert_true(family_has(&family, 12, 110));
	assert_false(family_has(&family, 12, 111));
	assert_true(family_has(&family, 8, 111));
}

static void a_number_is_used_again_by_somebody_else(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	add(&family, 12, 100);
	add(&family, 12, 105); // told twice
	assert_int_equal(family.num_members, 1);
	family_end(&family, 12, 110);
	family_end(&family, 12, 190);
	add(&family, 12, 200);
	assert_true(family_has(&family, 12, 110));
	assert_false(family_has(&family, 12, 150)); // the number was a stranger's
	assert_true(family_has(&family, 12, 250));
	family_end(&family, 12, 300);
	assert_true(family_has(&family, 12, 105));
	assert_false(family_has(&family, 12, 301));
}

/** Whose end nobody told. */
static void another_birth_is_another_process(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	assert_no_error(family_add(&family, 12, 1000, 100));
	assert_no_error(family_add(&family, 12, 1000, 100));
	assert_int_equal(family.num_members, 1);
	assert_no_error(family_add(&family, 12, 2000, 200));
	assert_int_equal(family.num_members, 2);
	assert_true(family_has(&family, 12, 150));
	assert_true(family_has(&family, 12, 250));
}

static void who_has_ended_is_forgotten(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	for (uint32_t pid = 4; pid <= 40; pid += 4) {
		add(&family, pid, pid);
		if (pid % 8 == 0)
			family_end(&family, pid, pid + 100);
	}
	family_forget(&family, 124);
	assert_int_equal(family.num_members, 8);
	assert_false(family_has(&family, 8, 100));
	assert_false(family_has(&family, 16, 100));
	assert_true(family_has(&family, 24, 100));
	assert_true(family_has(&family, 4, 1000));
	assert_true(family_has(&family, 36, 1000));
}

enum { MANY = 20000 };

/** As many as a large build starts, in no order; a search that is not quick takes minutes. */
static void many_are_found_quickly(void **state)
{
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	for (uint32_t i = 0; i < MANY; i++)
		add(&family, (i * 7919 % MANY) * 4, 10);
	assert_int_equal(family.num_members, MANY);
	for (uint32_t round = 0; round < 100; round++)
		for (uint32_t pid = 0; pid < MANY; pid++)
			assert_true(family_has(&family, pid * 4, 20) &&
				    !family_has(&family, pid * 4 + 1, 20));
}

static void follow(struct family *family, const struct process_origin *origins, size_t num)
{
	const struct family_sight sight = {origins, num, .now_ns = 1000, .wall_ns = 9000};
	assert_no_error(family_follow(family, &sight));
}

static void children_of_children_join(void **state)
{
	static const struct process_origin origins[] = {
		{.pid = 4, .parent = 0, .birth_ns = 1},
		{.pid = 8, .parent = 16, .birth_ns = 8700}, // stands before its parent
		{.pid = 12, .parent = 4, .birth_ns = 5},    // a stranger
		{.pid = 16, .parent = 20, .birth_ns = 8600},
		{.pid = 20, .parent = 4, .birth_ns = 8500},  // ours
		{.pid = 24, .parent = 20, .birth_ns = 8400}, // of who had the number before
		{.pid = 28, .parent = 20, .birth_ns = 0},    // of whom nothing is known
	};
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	add(&family, 20, 0);
	follow(&family, origins, ARRAY_SIZE(origins));
	assert_int_equal(family.num_members, 3);
	assert_true(family_has(&family, 16, 600));
	assert_false(family_has(&family, 16, 599));
	assert_true(family_has(&family, 8, 700));
	assert_false(family_has(&family, 24, 1000));
	assert_false(family_has(&family, 28, 1000));
	follow(&family, origins, ARRAY_SIZE(origins));
	assert_int_equal(family.num_members, 3);
}

static void what_is_not_there_any_more_has_ended(void **state)
{
	static const struct process_origin first[] = {{.pid = 20, .birth_ns = 8500},
						      {.pid = 24, .birth_ns = 8600}};
	static const struct process_origin then[] = {
		{.pid = 20, .birth_ns = 8900},               // another one
		{.pid = 28, .parent = 24, .birth_ns = 8700}, // whose parent has just ended
		{.pid = 32, .parent = 20, .birth_ns = 8950}, // the other one's
	};
	_cleanup_(family_deinit) struct family family = FAMILY_INIT;
	add(&family, 20, 0);
	add(&family, 24, 0);
	follow(&family, first, ARRAY_SIZE(first));
	follow(&family, then, ARRAY_SIZE(then));
	assert_true(family_has(&family, 20, 1000));
	assert_false(family_has(&family, 20, 1001));
	assert_false(family_has(&family, 24, 1001));
	assert_true(family_has(&family, 28, 1001));
	family_forget(&family, 1001);
	follow(&family, then, ARRAY_SIZE(then));
	assert_int_equal(family.num_members, 1);
}

int family_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_belongs_to_none),
		cmocka_unit_test(whoever_was_there_first_is_ours_at_any_time),
		cmocka_unit_test(a_child_that_was_over_before_it_was_seen),
		cmocka_unit_test(a_number_is_used_again_by_somebody_else),
		cmocka_unit_test(another_birth_is_another_process),
		cmocka_unit_test(who_has_ended_is_forgotten),
		cmocka_unit_test(many_are_found_quickly),
		cmocka_unit_test(children_of_children_join),
		cmocka_unit_test(what_is_not_there_any_more_has_ended),
	};
	return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
