// SPDX-License-Identifier: Apache-2.0

#include "record/time_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"

static void add_all(struct time_order *order, const uint64_t *times, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_no_error(time_order_add(order, times[i], i));
}

static void assert_times(struct time_order *order, const uint64_t *times, size_t count)
{
	struct time_order_entry entry;
	for (size_t i = 0; i < count; i++) {
		assert_true(time_order_take(order, &entry));
		assert_int_equal(entry.time_ns, times[i]);
	}
	assert_false(time_order_take(order, &entry));
}

static void test_nothing(void **state)
{
	_cleanup_(time_order_deinit) struct time_order order = TIME_ORDER_INIT;
	struct time_order_entry entry;
	assert_no_error(time_order_end_round(&order));
	assert_false(time_order_take(&order, &entry));
	assert_no_error(time_order_give_up_half(&order));
	assert_no_error(time_order_end(&order));
	assert_false(time_order_take(&order, &entry));
}

// A ring that is read late in a round may have what is older than what came in the round before.
static void test_a_round_gives_what_the_next_cannot_overtake(void **state)
{
	static const uint64_t first[] = {10, 30, 20, 40}, second[] = {35, 50, 25}, third[] = {60};
	static const uint64_t after_second[] = {10, 20, 25, 30, 35, 40}, after_third[] = {50};
	_cleanup_(time_order_deinit) struct time_order order = TIME_ORDER_INIT;
	add_all(&order, first, ARRAY_SIZE(first));
	assert_no_error(time_order_end_round(&order));
	assert_times(&order, NULL, 0);
	add_all(&order, second, ARRAY_SIZE(second));
	assert_no_error(time_order_end_round(&order));
	assert_times(&order, after_second, ARRAY_SIZE(after_second));
	add_all(&order, third, ARRAY_SIZE(third));
	assert_int_equal(time_order_num_waiting(&order), 2);
	assert_no_error(time_order_end_round(&order));
	assert_times(&order, after_third, ARRAY_SIZE(after_third));
	assert_no_error(time_order_end(&order));
	assert_times(&order, third, ARRAY_SIZE(third));
}

static void test_half_of_too_many(void **state)
{
	static const uint64_t times[] = {5, 4, 3, 2, 1}, older[] = {1, 2, 3}, rest[] = {4, 5};
	_cleanup_(time_order_deinit) struct time_order order = TIME_ORDER_INIT;
	add_all(&order, times, ARRAY_SIZE(times));
	assert_no_error(time_order_give_up_half(&order));
	assert_times(&order, older, ARRAY_SIZE(older));
	assert_no_error(time_order_end(&order));
	assert_times(&order, rest, ARRAY_SIZE(rest));
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005 + 1442695040888963407;
	return *seed >> 33;
}

// Sorted, complete, and what has equal times in the order in which it came.
static void assert_sorted(struct time_order *order, const uint64_t *times, size_t count)
{
	struct time_order_entry last = {0, 0}, entry;
	uint64_t places = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(time_order_take(order, &entry));
		assert_int_equal(times[entry.place], entry.time_ns);
		assert_true(i == 0 || last.time_ns < entry.time_ns ||
			    (last.time_ns == entry.time_ns && last.place < entry.place));
		places += entry.place;
		last = entry;
	}
	assert_int_equal(places, (uint64_t)count * (count - 1) / 2);
	assert_false(time_order_take(order, &entry));
}

static void test_random_runs(void **state)
{
	enum { MOST = 3000 };
	static uint64_t times[MOST];
	uint64_t seed = 1;
	for (int round = 0; round < 200; round++) {
		_cleanup_(time_order_deinit) struct time_order order = TIME_ORDER_INIT;
		size_t count = 1 + next_random(&seed) % MOST;
		uint64_t run_length = 1 + next_random(&seed) % 300, time = 1;
		for (size_t i = 0; i < count; i++) {
			bool is_new_run = next_random(&seed) % run_length == 0;
			time = is_new_run ? next_random(&seed) % 5000
					  : time + next_random(&seed) % 3;
			times[i] = time;
		}
		add_all(&order, times, count);
		assert_no_error(time_order_end(&order));
		assert_sorted(&order, times, count);
	}
}

static void test_peeks_at_what_comes_next(void **state)
{
	_cleanup_(time_order_deinit) struct time_order order = TIME_ORDER_INIT;
	static const uint64_t times[] = {30, 10, 20};
	struct time_order_entry entry;
	add_all(&order, times, 3);
	assert_false(time_order_peek(&order, 0, &entry));
	assert_no_error(time_order_end(&order));
	assert_true(time_order_peek(&order, 0, &entry));
	assert_int_equal(entry.time_ns, 10);
	assert_true(time_order_peek(&order, 2, &entry));
	assert_int_equal(entry.time_ns, 30);
	assert_false(time_order_peek(&order, 3, &entry));
	assert_true(time_order_take(&order, &entry));
	assert_true(time_order_peek(&order, 1, &entry));
	assert_int_equal(entry.time_ns, 30);
	assert_false(time_order_peek(&order, 2, &entry));
}

int time_order_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_a_round_gives_what_the_next_cannot_overtake),
		cmocka_unit_test(test_half_of_too_many),
		cmocka_unit_test(test_random_runs),
		cmocka_unit_test(test_peeks_at_what_comes_next),
	};
	return cmocka_run_group_tests_name("time_order", tests, NULL, NULL);
}
