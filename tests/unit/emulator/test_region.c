// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/region.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/region_fixture.h"

static uint64_t loads_of(const struct region *region, const struct region_thread *thread)
{
	uint64_t totals[NUM_MEASURES];
	region_thread_totals(region, thread, totals);
	return totals[MEASURE_LOADS];
}

static uint64_t all_loads(const struct region *region)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < REGION_MAX_THREADS; i++)
		if (region->threads[i].state != REGION_THREAD_FREE)
			sum += loads_of(region, &region->threads[i]);
	return sum;
}

/** A process that is no more, and whose number nobody has. */
static pid_t gone_process(void)
{
	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void equal_vectors_have_one_number(void **state)
{
	struct region *region = *state;
	uint32_t before = region->num_vectors;
	struct region_vector vector = {.counts = {[MEASURE_LOADS] = 3, [MEASURE_DATA] = 7}};
	uint32_t number = region_find_vector(region, &vector);
	assert_int_equal(number, before);
	assert_int_equal(region_find_vector(region, &vector), number);
	vector.counts[MEASURE_DATA] = 8;
	assert_int_equal(region_find_vector(region, &vector), number + 1);
}

static void units_are_there_from_the_beginning(void **state)
{
	struct region *region = *state;
	for (unsigned measure = 0; measure < NUM_BLOCK_MEASURES; measure++) {
		struct region_vector unit = {.counts = {0}};
		unit.counts[measure] = 1;
		assert_int_equal(region_find_vector(region, &unit),
				 region_unit_vector((enum measure)measure));
	}
	assert_int_equal(region->num_vectors, NUM_BLOCK_MEASURES);
}

static void a_full_table_says_so(void **state)
{
	struct region *region = *state;
	struct region_vector vector = {.counts = {[MEASURE_LOADS] = 1, [MEASURE_STORES] = 1}};
	for (uint32_t i = NUM_BLOCK_MEASURES; i < REGION_MAX_VECTORS; i++) {
		vector.counts[MEASURE_DATA] = (uint16_t)i;
		vector.counts[MEASURE_VFP] = (uint16_t)(i >> 16);
		assert_int_equal(region_find_vector(region, &vector), i);
	}
	vector.counts[MEASURE_ASE] = 1;
	assert_int_equal(region_find_vector(region, &vector), REGION_MAX_VECTORS);
	vector.counts[MEASURE_ASE] = 0;
	assert_int_equal(region_find_vector(region, &vector), REGION_MAX_VECTORS - 1);
}

static void counts_are_times_vectors(void **state)
{
	struct region *region = *state;
	struct region_thread *thread = region_add_thread(region, getpid(), 2);
	struct region_vector vector = {
		.counts = {[MEASURE_INSTRUCTIONS] = 10, [MEASURE_LOADS] = 3}};
	thread->counts[region_find_vector(region, &vector)] = 100;
	thread->counts[region_unit_vector(MEASURE_LOADS)] = 5;
	thread->totals[MEASURE_TAKEN] = 9;
	region->config.cycles_per_1000 = 1500;
	uint64_t totals[NUM_MEASURES];
	for (int i = 0; i < 2; i++) { // before and after its end
		region_thread_totals(region, thread, totals);
		assert_int_equal(totals[MEASURE_INSTRUCTIONS], 1000);
		assert_int_equal(totals[MEASURE_LOADS], 305);
		assert_int_equal(totals[MEASURE_TAKEN], 9);
		assert_int_equal(totals[MEASURE_CYCLES], 1500);
		region_thread_end(region, thread);
		assert_int_equal(thread->counts[region_unit_vector(MEASURE_LOADS)], 0);
	}
}

static void cycles_do_not_overflow(void **state)
{
	struct region *region = *state;
	region->config.cycles_per_1000 = 1000000;
	assert_int_equal(region_cycles(region, UINT64_C(10000000000000001)),
			 UINT64_C(10000000000000001000));
	region->config.cycles_per_1000 = 1;
	assert_int_equal(region_cycles(region, 2999), 2);
}

static void places_are_used_again(void **state)
{
	struct region *region = *state;
	enum { NUM_THREADS = 3 * REGION_MAX_THREADS };
	for (int i = 1; i <= NUM_THREADS; i++) {
		struct region_thread *thread = region_add_thread(region, getpid(), getpid() + i);
		assert_non_null(thread);
		assert_int_equal(loads_of(region, thread), 0);
		run_loads(region, thread, (uint64_t)i);
		region_thread_end(region, thread);
	}
	assert_int_equal(all_loads(region), (uint64_t)NUM_THREADS * (NUM_THREADS + 1) / 2);
	for (size_t i = 0; i < REGION_MAX_THREADS; i++)
		assert_int_equal(region->threads[i].pid, getpid());
}

static void living_threads_keep_their_places(void **state)
{
	struct region *region = *state;
	for (int i = 1; i <= REGION_MAX_THREADS; i++)
		assert_non_null(region_add_thread(region, getpid(), getpid() + i));
	assert_null(region_add_thread(region, getpid(), 1));
	// With one that has ended there is nobody yet to keep its numbers.
	region_thread_end(region, &region->threads[7]);
	assert_null(region_add_thread(region, getpid(), 1));
	region_thread_end(region, &region->threads[9]);
	assert_ptr_equal(region_add_thread(region, getpid(), 1), &region->threads[9]);
}

static void processes_that_were_killed_make_room(void **state)
{
	struct region *region = *state;
	pid_t first = gone_process(), second = gone_process();
	for (int i = 0; i < REGION_MAX_THREADS; i++) {
		pid_t pid = i == 3 ? first : i == 5 ? second : getpid();
		struct region_thread *thread = region_add_thread(region, pid, getpid() + 1 + i);
		run_loads(region, thread, 10);
	}
	struct region_thread *thread = region_add_thread(region, getpid(), 1);
	assert_ptr_equal(thread, &region->threads[5]);
	assert_int_equal(region->threads[3].pid, 0); // of several
	assert_int_equal(loads_of(region, &region->threads[3]), 20);
	assert_int_equal(all_loads(region), 10 * REGION_MAX_THREADS);
}

static void what_a_process_was_before_has_ended(void **state)
{
	struct region *region = *state;
	for (int i = 0; i < 5 * REGION_MAX_THREADS; i++) {
		struct region_thread *thread = region_add_thread(region, getpid(), getpid());
		assert_non_null(thread);
		run_loads(region, thread, 2);
	}
	assert_int_equal(all_loads(region), 2 * 5 * REGION_MAX_THREADS);
}

static void windows_stay_apart(void **state)
{
	struct region *region = *state;
	region->config.num_windows = 2;
	for (int i = 1; i <= 3 * REGION_MAX_THREADS; i++) {
		struct region_thread *thread = region_add_thread(region, getpid(), getpid() + i);
		run_loads(region, thread, 3);
		region_lock(&region->lock);
		region_thread_next_window(region, thread);
		region_unlock(&region->lock);
		run_loads(region, thread, 5);
		region_thread_end(region, thread);
	}
	uint64_t sums[2] = {0, 0};
	for (size_t i = 0; i < REGION_MAX_THREADS; i++) {
		const struct region_thread *thread = &region->threads[i];
		for (unsigned window = 0; window < 2; window++)
			sums[window] += thread->windows[window].totals[MEASURE_LOADS];
		// Nothing is in a window that has not ended.
		assert_int_equal(thread->totals[MEASURE_LOADS],
				 thread->window_began[MEASURE_LOADS]);
	}
	assert_int_equal(sums[0], 3 * 3 * REGION_MAX_THREADS);
	assert_int_equal(sums[1], 5 * 3 * REGION_MAX_THREADS);
}

static void a_killed_holder_lets_go(void **state)
{
	struct region *region = *state;
	pid_t child = fork();
	if (child == 0) {
		region_lock(&region->lock);
		region_lock(&region->ring_lock);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	alarm(10); // not a hang
	for (int i = 0; i < 2; i++) {
		region_lock(&region->ring_lock);
		region_unlock(&region->ring_lock);
		assert_non_null(region_add_thread(region, getpid(), i + 1));
	}
	alarm(0);
}

int region_tests(void)
{
#define REGION_TEST(test) cmocka_unit_test_setup_teardown(test, create_region, destroy_region)
	const struct CMUnitTest tests[] = {
		REGION_TEST(equal_vectors_have_one_number),
		REGION_TEST(units_are_there_from_the_beginning),
		REGION_TEST(a_full_table_says_so),
		REGION_TEST(counts_are_times_vectors),
		REGION_TEST(cycles_do_not_overflow),
		REGION_TEST(places_are_used_again),
		REGION_TEST(living_threads_keep_their_places),
		REGION_TEST(processes_that_were_killed_make_room),
		REGION_TEST(what_a_process_was_before_has_ended),
		REGION_TEST(windows_stay_apart),
		REGION_TEST(a_killed_holder_lets_go),
	};
	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
