// SPDX-License-Identifier: Apache-2.0

#include "profile/run_queue/run_queue.h"

#include "base/cleanup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

static struct run_queue_thread run_queue_thread_of(uint32_t tid, const char *name)
{
	struct run_queue_thread thread = {.task = {.pid = tid, .tid = tid}, .num_threads = 1};
	snprintf(thread.task.name, sizeof(thread.task.name), "%s", name);
	return thread;
}

static void run_queue_add_wait(struct run_queue_thread *thread, uint64_t ns)
{
	thread->num++;
	thread->total_ns += ns;
	thread->max_ns = ns > thread->max_ns ? ns : thread->max_ns;
	thread->histogram[run_queue_bucket(ns)]++;
}

static void test_buckets_have_no_gaps(void **state)
{
	assert_int_equal(run_queue_bucket(0), 0);
	assert_int_equal(run_queue_bucket(1023), 0);
	assert_int_equal(run_queue_bucket(UINT64_MAX), RUN_QUEUE_LAST_BUCKET);
	for (uint32_t i = 1; i < RUN_QUEUE_BUCKETS; i++) {
		uint64_t low = run_queue_bucket_low(i);
		assert_int_equal(run_queue_bucket(low), i);
		assert_int_equal(run_queue_bucket(low - 1), i - 1);
		// An eighth of a doubling, so that the middle is off by a sixteenth at most.
		if (i > 1)
			assert_true(low - run_queue_bucket_low(i - 1) <=
				    run_queue_bucket_low(i - 1) / RUN_QUEUE_PARTS + 1);
	}
}

static void test_percentiles_are_near_the_waits(void **state)
{
	struct run_queue_thread thread = run_queue_thread_of(1, "a");
	assert_int_equal(run_queue_percentile(&thread, 99), 0);
	for (uint64_t us = 1; us <= 1000; us++)
		run_queue_add_wait(&thread, us * 1000);
	for (unsigned percent = 5; percent <= 100; percent += 5) {
		uint64_t exact = percent * 10000, found = run_queue_percentile(&thread, percent);
		uint64_t off = found > exact ? found - exact : exact - found;
		assert_true(off <= exact / 16 + 1);
	}
	assert_true(run_queue_percentile(&thread, 100) <= thread.max_ns);
	// 1 to 1000 us: 1024 ns and more in ten doublings, and one below.
	uint64_t sum = 0;
	for (uint32_t bit = 0; bit <= RUN_QUEUE_LAST_BIT; bit++)
		sum += run_queue_doubling(&thread, bit);
	assert_int_equal(sum, thread.num);
	assert_int_equal(run_queue_doubling(&thread, RUN_QUEUE_FIRST_BIT - 1), 1);
	assert_int_equal(run_queue_doubling(&thread, 14), 16); // 16,384 to 32,767 ns: 17 to 32 us
}

static void test_ended_threads_are_put_together_by_name(void **state)
{
	enum { NUM = 20000, NAMES = 700 };
	_cleanup_(run_queue_deinit) struct run_queue queue = RUN_QUEUE_INIT;
	for (uint32_t i = 1; i <= NUM; i++) {
		char name[RUN_QUEUE_NAME_BYTES];
		snprintf(name, sizeof(name), "name%u", i % NAMES);
		struct run_queue_thread thread = run_queue_thread_of(i, name);
		run_queue_add_wait(&thread, i);
		assert_no_error(run_queue_add_ended(&queue, &thread));
	}
	assert_true(queue.num_threads < 5000);
	struct run_queue_thread sum;
	run_queue_sum(&queue, &sum);
	assert_int_equal(sum.num_threads, NUM);
	assert_int_equal(sum.num, NUM);
	assert_int_equal(sum.total_ns, (uint64_t)NUM * (NUM + 1) / 2);
	assert_int_equal(sum.max_ns, NUM);
	size_t num_others = 0;
	for (size_t i = 0; i < queue.num_threads; i++)
		num_others += strcmp(queue.threads[i].task.name, "(others)") == 0;
	assert_int_equal(num_others, 1);
}

static void fill_queue(struct run_queue *queue)
{
	queue->is_known = true;
	queue->began_ns = 5;
	queue->ended_ns = 50;
	queue->num_late = 3;
	queue->losses = (struct run_queue_losses){1, 2, 4};
	for (uint32_t tid = 1; tid <= 3; tid++) {
		struct run_queue_thread thread = run_queue_thread_of(tid, "worker");
		for (uint32_t i = 0; i < tid; i++)
			run_queue_add_wait(&thread, 1000 * tid);
		thread.runner = (struct run_queue_task){7, 8, "hog"};
		thread.runner_ns = 99;
		assert_no_error(run_queue_add_thread(queue, &thread));
	}
	const struct run_queue_core core = {2, 6, 14000, 3000};
	assert_no_error(run_queue_add_core(queue, &core));
	const struct run_queue_runner runner = {{7, 8, "hog"}, 4, 4000000};
	assert_no_error(run_queue_add_runner(queue, &runner));
	run_queue_sort(queue);
}

static void test_decodes_what_was_encoded(void **state)
{
	_cleanup_(run_queue_deinit) struct run_queue queue = RUN_QUEUE_INIT, read = RUN_QUEUE_INIT;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	run_queue_encode(&queue, &bytes);
	assert_int_equal(bytes.length, 0);
	fill_queue(&queue);
	run_queue_encode(&queue, &bytes);
	assert_no_error(run_queue_decode((const uint8_t *)bytes.text, bytes.length, &read));
	assert_true(read.is_known);
	assert_int_equal(read.num_threads, 3);
	assert_memory_equal(read.threads, queue.threads, 3 * sizeof(*queue.threads));
	assert_int_equal(read.threads[0].task.tid, 3);
	assert_memory_equal(read.cores, queue.cores, sizeof(*queue.cores));
	assert_memory_equal(read.runners, queue.runners, sizeof(*queue.runners));
	assert_memory_equal(&read.losses, &queue.losses, sizeof(queue.losses));
	assert_int_equal(read.num_late, 3);
	assert_int_equal(read.ended_ns, 50);
}

static void test_damaged_bytes_are_left_out(void **state)
{
	_cleanup_(run_queue_deinit) struct run_queue queue = RUN_QUEUE_INIT;
	_cleanup_(string_builder_deinit) struct string_builder bytes = STRING_BUILDER_INIT;
	fill_queue(&queue);
	run_queue_encode(&queue, &bytes);
	for (size_t size = 0; size < bytes.length; size++) {
		struct run_queue read = RUN_QUEUE_INIT;
		// A copy of that size, so that a read behind it is seen.
		_cleanup_free_ uint8_t *copy = malloc(size + 1);
		assert_non_null(copy);
		memcpy(copy, bytes.text, size);
		assert_no_error(run_queue_decode(copy, size, &read));
		assert_false(read.is_known);
		assert_null(read.threads);
	}
	for (size_t i = 0; i < bytes.length; i++) {
		_cleanup_(run_queue_deinit) struct run_queue read = RUN_QUEUE_INIT;
		char kept = bytes.text[i];
		bytes.text[i] = (char)0xff;
		assert_no_error(run_queue_decode((const uint8_t *)bytes.text, bytes.length, &read));
		bytes.text[i] = kept;
	}
}

int run_queue_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buckets_have_no_gaps),
		cmocka_unit_test(test_percentiles_are_near_the_waits),
		cmocka_unit_test(test_ended_threads_are_put_together_by_name),
		cmocka_unit_test(test_decodes_what_was_encoded),
		cmocka_unit_test(test_damaged_bytes_are_left_out),
	};
	return cmocka_run_group_tests_name("run_queue", tests, NULL, NULL);
}
