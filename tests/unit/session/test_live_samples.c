// SPDX-License-Identifier: Apache-2.0

#include "session/live/live_samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static void add(struct live_samples *live, uint64_t block, uint32_t pid)
{
	const uint64_t words[] = {block, block + 1};
	const struct live_sample sample = {
		.block = block,
		.pid = pid,
		.words = words,
		.num_words = 2,
		.sample = {.weight = 10},
	};
	assert_no_error(live_samples_add(live, &sample));
}

static size_t count(const struct live_samples *live, uint64_t *ret_sum)
{
	size_t num = 0;
	*ret_sum = 0;
	const struct live_sample *sample;
	for (size_t i = 0; (sample = live_samples_next(live, &i)); num++) {
		assert_int_equal(sample->words[1], sample->block + 1);
		*ret_sum += sample->block;
	}
	return num;
}

static void what_is_not_freed_stays(void **state)
{
	struct live_samples live = LIVE_SAMPLES_INIT;
	uint64_t sum;
	assert_int_equal(count(&live, &sum), 0);
	for (uint64_t block = 1; block <= 10000; block++) {
		add(&live, block, 1);
		if (block % 100)
			assert_no_error(live_samples_free(&live, block, false));
	}
	assert_int_equal(count(&live, &sum), 100);
	assert_int_equal(sum, 100 * 101 / 2 * 100);
	// What was freed is forgotten at last.
	assert_true(live.num_items < 5000);
	live_samples_deinit(&live);
}

static void a_free_may_come_first(void **state)
{
	struct live_samples live = LIVE_SAMPLES_INIT;
	uint64_t sum;
	assert_no_error(live_samples_free(&live, 7, false));
	add(&live, 7, 1);
	add(&live, 8, 1);
	assert_no_error(live_samples_free(&live, 9, false));
	assert_int_equal(count(&live, &sum), 1);
	assert_int_equal(sum, 8);
	live_samples_deinit(&live);
}

static void freed_twice_is_freed_once(void **state)
{
	struct live_samples live = LIVE_SAMPLES_INIT;
	uint64_t sum;
	add(&live, 1, 1);
	add(&live, 2, 1);
	assert_no_error(live_samples_free(&live, 1, false));
	assert_no_error(live_samples_free(&live, 1, false));
	assert_int_equal(live.num_freed, 1);
	assert_int_equal(count(&live, &sum), 1);
	live_samples_deinit(&live);
}

static void a_process_loses_all(void **state)
{
	struct live_samples live = LIVE_SAMPLES_INIT;
	uint64_t sum;
	add(&live, 1, 5);
	add(&live, 2, 6);
	add(&live, 3, 5);
	assert_no_error(live_samples_drop(&live, 5));
	assert_int_equal(count(&live, &sum), 1);
	assert_int_equal(sum, 2);
	live_samples_deinit(&live);
}

static void the_peak_is_what_was_in_use_then(void **state)
{
	struct live_samples live = {.rule = RECORD_BLOCK_AT_PEAK};
	uint64_t sum;
	add(&live, 1, 1);
	add(&live, 2, 1);
	assert_no_error(live_samples_free(&live, 1, false));
	add(&live, 3, 1);
	assert_int_equal(count(&live, &sum), 2); // not more than before: the first peak stays
	assert_int_equal(sum, 1 + 2);
	add(&live, 4, 1);
	assert_int_equal(count(&live, &sum), 3);
	assert_int_equal(sum, 2 + 3 + 4);
	for (uint64_t block = 2; block <= 4; block++)
		assert_no_error(live_samples_free(&live, block, false));
	add(&live, 5, 1);
	assert_int_equal(count(&live, &sum), 3);
	assert_int_equal(sum, 2 + 3 + 4);
	live_samples_deinit(&live);
}

/** Beside a plain reckoning: the set at each new peak is copied. */
static void the_peak_is_right_after_many_changes(void **state)
{
	enum { BLOCKS = 20000, MOST = 600 };
	struct live_samples live = {.rule = RECORD_BLOCK_AT_PEAK};
	static bool in_use[BLOCKS], at_peak[BLOCKS];
	size_t num = 0, peak = 0;
	uint64_t random = 1, truth = 0, sum;
	for (uint64_t block = 1; block < BLOCKS; block++) {
		add(&live, block, 1);
		in_use[block] = true;
		if (++num > peak) {
			peak = num;
			memcpy(at_peak, in_use, sizeof(in_use));
		}
		for (int i = 0; i < 3 && num > block * MOST / BLOCKS; i++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			uint64_t other = 1 + (random >> 33) % block;
			if (!in_use[other])
				continue;
			in_use[other] = false;
			num--;
			assert_no_error(live_samples_free(&live, other, false));
		}
	}
	for (uint64_t block = 1; block < BLOCKS; block++)
		truth += at_peak[block] ? block : 0;
	assert_int_equal(count(&live, &sum), peak);
	assert_int_equal(sum, truth);
	assert_true(live.num_items < BLOCKS / 2);
	live_samples_deinit(&live);
}

static void what_becomes_of_a_block_may_count(void **state)
{
	struct live_samples live = {.rule = RECORD_BLOCK_TEMPORARY};
	uint64_t sum;
	for (uint64_t block = 1; block <= 3; block++)
		add(&live, block, 1);
	assert_int_equal(count(&live, &sum), 0);
	assert_no_error(live_samples_free(&live, 1, true));
	assert_no_error(live_samples_free(&live, 2, false));
	// The news may come before the sample.
	assert_no_error(live_samples_free(&live, 4, true));
	assert_int_equal(count(&live, &sum), 1);
	add(&live, 4, 1);
	assert_no_error(live_samples_drop(&live, 1));
	assert_int_equal(count(&live, &sum), 2);
	assert_int_equal(sum, 1 + 4);
	live_samples_deinit(&live);
}

static void the_last_moment_is_the_one_that_counts(void **state)
{
	struct live_samples live = {.rule = RECORD_BLOCK_AT_MOMENT};
	uint64_t sum;
	add(&live, 1, 1);
	add(&live, 2, 1);
	assert_int_equal(count(&live, &sum), 0);
	live_samples_mark_moment(&live);
	add(&live, 3, 1);
	assert_no_error(live_samples_free(&live, 1, false));
	assert_int_equal(count(&live, &sum), 2);
	assert_int_equal(sum, 1 + 2);
	live_samples_mark_moment(&live);
	assert_no_error(live_samples_free(&live, 3, false));
	assert_int_equal(count(&live, &sum), 2);
	assert_int_equal(sum, 2 + 3);
	live_samples_deinit(&live);
}

int live_samples_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_freed_stays),
		cmocka_unit_test(a_free_may_come_first),
		cmocka_unit_test(freed_twice_is_freed_once),
		cmocka_unit_test(a_process_loses_all),
		cmocka_unit_test(the_peak_is_what_was_in_use_then),
		cmocka_unit_test(the_peak_is_right_after_many_changes),
		cmocka_unit_test(what_becomes_of_a_block_may_count),
		cmocka_unit_test(the_last_moment_is_the_one_that_counts),
	};
	return cmocka_run_group_tests_name("live_samples", tests, NULL, NULL);
}
