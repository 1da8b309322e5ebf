// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/cache_lines.h"

#include "base/cleanup.h"
#include "base/container/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/profile_fixture.h"

static void add(struct cache_lines *lines, const struct cache_line_sample *sample)
{
	assert_no_error(cache_lines_add(lines, sample));
}

static const struct cache_line *find(const struct cache_lines *lines, uint64_t number, uint32_t pid)
{
	for (size_t i = 0; lines->lines && i < CACHE_LINES_MAX; i++)
		if (lines->lines[i].count && lines->lines[i].number == number &&
		    lines->lines[i].pid == pid)
			return &lines->lines[i];
	return NULL;
}

enum { NUM = 20000, NUM_LINES = 300 };

static struct cache_line_sample random_sample(uint32_t *seed)
{
	return (struct cache_line_sample){
		.address = (uint64_t)fixture_random(seed, NUM_LINES) * 64 +
			   8 * fixture_random(seed, 3),
		.pid = fixture_random(seed, 2),
		.thread = fixture_random(seed, 3),
		.stack = fixture_random(seed, 2),
		.is_write = fixture_random(seed, 2),
		.is_shared = fixture_random(seed, 2),
		.has_latency = fixture_random(seed, 4) != 0,
		.latency = fixture_random(seed, 1000),
	};
}

static bool is_of(const struct cache_line_sample *sample, const struct cache_line *line,
		  const struct cache_access *access)
{
	return sample->address == line->number * 64 + access->offset && sample->pid == line->pid &&
	       sample->thread == access->thread && sample->stack == access->stack &&
	       sample->is_write == access->is_write;
}

static uint64_t check_access(const struct cache_line *line, const struct cache_access *access,
			     const struct cache_line_sample *samples)
{
	uint64_t count = 0, num_timed = 0, latency = 0, num_shared = 0;
	for (size_t i = 0; i < NUM; i++) {
		if (!is_of(&samples[i], line, access))
			continue;
		count++;
		num_timed += samples[i].has_latency;
		latency += samples[i].has_latency ? samples[i].latency : 0;
		num_shared += samples[i].is_shared;
	}
	assert_int_equal(access->count, count);
	assert_int_equal(access->num_timed, num_timed);
	assert_int_equal(access->latency, latency);
	assert_int_equal(access->num_shared, num_shared);
	return count;
}

static void test_few_lines_are_those_of_the_slow_way(void **state)
{
	static struct cache_line_sample samples[NUM];
	_cleanup_(cache_lines_deinit) struct cache_lines lines = CACHE_LINES_INIT;
	uint32_t seed = 5;
	for (size_t i = 0; i < NUM; i++) {
		samples[i] = random_sample(&seed);
		add(&lines, &samples[i]);
	}
	uint64_t whole = 0;
	for (size_t i = 0; i < CACHE_LINES_MAX; i++) {
		const struct cache_line *line = &lines.lines[i];
		uint64_t sum = 0;
		for (uint32_t k = line->count ? line->first : CACHE_ACCESS_NONE;
		     k != CACHE_ACCESS_NONE; k = lines.accesses[k].next)
			sum += check_access(line, &lines.accesses[k], samples);
		assert_int_equal(sum, line->count);
		assert_int_equal(line->inherited, 0);
		whole += sum;
	}
	assert_int_equal(whole, NUM);
	assert_int_equal(lines.num_replaced, 0);
	assert_int_equal(cache_lines_max_missing(&lines), 0);
}

/** Many times more lines than there is room for, and one that is hot among them. */
static void test_a_hot_line_among_too_many_is_found(void **state)
{
	enum { NUM_COLD = 40 * CACHE_LINES_MAX / 10 };
	const uint64_t hot = UINT64_C(0x7f0000001040);
	_cleanup_(cache_lines_deinit) struct cache_lines lines = CACHE_LINES_INIT;
	uint64_t num_hot = 0;
	for (uint64_t i = 0; i < NUM_COLD; i++) {
		add(&lines, &(struct cache_line_sample){.address = i * 64, .pid = 1});
		// Late, when all places are taken.
		if (i < NUM_COLD / 2 || i % 100)
			continue;
		num_hot++;
		add(&lines, &(struct cache_line_sample){
				    .address = hot, .pid = 1, .thread = i % 2, .is_write = true});
	}
	assert_true(lines.num_replaced > 0);
	assert_true(lines.num_accesses <= CACHE_LINES_MAX);
	const struct cache_line *line = find(&lines, hot / 64, 1);
	assert_non_null(line);
	assert_true(line->count >= num_hot);
	assert_true(line->count - line->inherited <= num_hot);
	uint64_t missing = cache_lines_max_missing(&lines);
	assert_true(missing > 0 && missing < num_hot);
}

/** No count is too low, none too high by more than is said, and what is missing is small. */
static void test_what_is_said_of_errors_is_true(void **state)
{
	enum { NUM_DIFFERENT = 3 * CACHE_LINES_MAX, NUM_SAMPLES = 10 * CACHE_LINES_MAX };
	_cleanup_(cache_lines_deinit) struct cache_lines lines = CACHE_LINES_INIT;
	_cleanup_free_ uint32_t *counts = calloc(NUM_DIFFERENT, sizeof(*counts));
	assert_non_null(counts);
	uint32_t seed = 8;
	for (size_t i = 0; i < NUM_SAMPLES; i++) {
		// Low numbers more often than high ones.
		uint32_t limit = 1 + fixture_random(&seed, NUM_DIFFERENT / 8);
		uint32_t number = fixture_random(&seed, limit) * 8 % NUM_DIFFERENT;
		counts[number]++;
		add(&lines, &(struct cache_line_sample){.address = (uint64_t)number * 64});
	}
	uint64_t missing = cache_lines_max_missing(&lines);
	for (size_t i = 0; i < CACHE_LINES_MAX; i++) {
		const struct cache_line *line = &lines.lines[i];
		if (!line->count)
			continue;
		assert_true(line->count >= counts[line->number]);
		assert_true(line->count - line->inherited <= counts[line->number]);
		counts[line->number] = 0;
	}
	for (uint32_t i = 0; i < NUM_DIFFERENT; i++)
		assert_true(counts[i] <= missing);
}

static void test_a_line_keeps_only_so_many_accesses(void **state)
{
	_cleanup_(cache_lines_deinit) struct cache_lines lines = CACHE_LINES_INIT;
	for (uint32_t i = 0; i < 1000; i++)
		add(&lines, &(struct cache_line_sample){.address = 64, .stack = i});
	const struct cache_line *line = find(&lines, 1, 0);
	assert_non_null(line);
	assert_int_equal(line->count, 1000);
	assert_int_equal(line->num_accesses, CACHE_LINE_MAX_ACCESSES);
	assert_int_equal(line->num_unlisted, 1000 - CACHE_LINE_MAX_ACCESSES);
}

int cache_lines_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few_lines_are_those_of_the_slow_way),
		cmocka_unit_test(test_a_hot_line_among_too_many_is_found),
		cmocka_unit_test(test_what_is_said_of_errors_is_true),
		cmocka_unit_test(test_a_line_keeps_only_so_many_accesses),
	};
	return cmocka_run_group_tests_name("cache_lines", tests, NULL, NULL);
}
