// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_asyncio.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { NUM_WORDS = PYTHON_ASYNCIO_BYTES / 8 };

// As CPython 3.14.10 and 3.15.2 have them on x86-64.
static const uint64_t words_3_14[NUM_WORDS] = {168,    136,   96,  108, 109, 128, 152,
					       225864, 10880, 936, 864, 872, 880};
static const uint64_t words_3_15[NUM_WORDS] = {168,    136,   96,   108,  109,  128, 152,
					       226240, 10856, 1104, 1024, 1032, 1048};

static void it_reads_what_interpreters_publish(void **state)
{
	struct python_asyncio asyncio;
	assert_true(python_asyncio_parse(words_3_14, sizeof(words_3_14), &asyncio));
	assert_int_equal(asyncio.task_name, 136);
	assert_int_equal(asyncio.task_awaited_by, 96);
	assert_int_equal(asyncio.task_is_task, 108);
	assert_int_equal(asyncio.task_awaited_by_is_set, 109);
	assert_int_equal(asyncio.task_coroutine, 128);
	assert_int_equal(asyncio.task_node, 152);
	assert_int_equal(asyncio.thread_running_task, 872);
	assert_int_equal(asyncio.thread_tasks, 880);
	assert_true(python_asyncio_parse(words_3_15, sizeof(words_3_15), &asyncio));
	assert_int_equal(asyncio.thread_running_task, 1032);
	assert_int_equal(asyncio.thread_tasks, 1048);
}

static void what_is_cut_is_refused(void **state)
{
	struct python_asyncio asyncio;
	for (size_t size = 0; size < sizeof(words_3_14); size += 4)
		assert_false(python_asyncio_parse(words_3_14, size, &asyncio));
}

/** Members lie within their struct, and structs are not too large to be ones. */
static void wild_words_are_refused(void **state)
{
	static const bool is_free[NUM_WORDS] = {[7] = true, [8] = true};
	for (size_t i = 0; i < NUM_WORDS; i++) {
		uint64_t words[NUM_WORDS];
		struct python_asyncio asyncio;
		for (size_t j = 0; j < NUM_WORDS; j++)
			words[j] = words_3_14[j];
		words[i] = UINT64_MAX;
		bool is_loop = i == 10; // which nobody reads
		assert_int_equal(python_asyncio_parse(words, sizeof(words), &asyncio),
				 is_free[i] || is_loop);
	}
	static const uint64_t none[NUM_WORDS] = {0};
	struct python_asyncio asyncio;
	assert_false(python_asyncio_parse(none, sizeof(none), &asyncio));
}

int python_asyncio_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_what_interpreters_publish),
		cmocka_unit_test(what_is_cut_is_refused),
		cmocka_unit_test(wild_words_are_refused),
	};
	return cmocka_run_group_tests_name("python_asyncio", tests, NULL, NULL);
}
