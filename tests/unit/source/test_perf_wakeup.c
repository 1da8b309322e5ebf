// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_wakeup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RING_BYTES = 256, SAMPLE_WORDS = 7 };

/** A ring whose kernel is this test. */
struct fixture {
	uint64_t data[RING_BYTES / sizeof(uint64_t)];
	struct perf_ring ring;
	struct perf_wakeup wakeup;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	fixture->ring =
		(struct perf_ring){.data = (const uint8_t *)fixture->data, .size = RING_BYTES};
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void write_word(struct fixture *fixture, uint64_t word)
{
	fixture->data[fixture->ring.head % RING_BYTES / sizeof(word)] = word;
	fixture->ring.head += sizeof(word);
}

static void write_header(struct fixture *fixture, uint32_t type, uint16_t size)
{
	const struct perf_event_header header = {.type = type, .size = size};
	uint64_t word;
	memcpy(&word, &header, sizeof(word));
	write_word(fixture, word);
}

static void write_sample(struct fixture *fixture, uint32_t pid, uint32_t tid, uint64_t time_ns)
{
	write_header(fixture, PERF_RECORD_SAMPLE, SAMPLE_WORDS * sizeof(uint64_t));
	write_word(fixture, 1);      // id
	write_word(fixture, 0x1000); // address
	write_word(fixture, pid | (uint64_t)tid << 32);
	write_word(fixture, time_ns);
	write_word(fixture, 0); // core
	write_word(fixture, 1); // period
}

/** What was decoded is the kernel's again. */
static void decode_all(struct fixture *fixture)
{
	fixture->ring.tail = fixture->ring.head;
}

static void look(struct fixture *fixture)
{
	perf_wakeup_look(&fixture->wakeup, &fixture->ring, false);
}

static void assert_noticed(const struct fixture *fixture, uint32_t pid, uint32_t tid,
			   uint64_t time_ns)
{
	assert_true(fixture->wakeup.is_new);
	assert_int_equal(fixture->wakeup.sample.pid, pid);
	assert_int_equal(fixture->wakeup.sample.tid, tid);
	assert_int_equal(fixture->wakeup.sample.time_ns, time_ns);
}

static void the_newest_sample_is_noticed_once(void **state)
{
	struct fixture *fixture = *state;
	look(fixture);
	assert_false(fixture->wakeup.is_new);
	write_sample(fixture, 10, 11, 100);
	write_sample(fixture, 10, 12, 200);
	look(fixture);
	assert_noticed(fixture, 10, 12, 200);
	look(fixture);
	assert_false(fixture->wakeup.is_new);
}

static void records_of_other_kinds_are_passed_over(void **state)
{
	struct fixture *fixture = *state;
	write_header(fixture, PERF_RECORD_COMM, 2 * sizeof(uint64_t));
	write_word(fixture, 0);
	look(fixture);
	assert_false(fixture->wakeup.is_new);
	write_sample(fixture, 1, 2, 3);
	write_header(fixture, PERF_RECORD_EXIT, sizeof(uint64_t));
	look(fixture);
	assert_noticed(fixture, 1, 2, 3);
}

static void samples_go_over_the_end_of_the_ring(void **state)
{
	struct fixture *fixture = *state;
	for (uint32_t i = 1; i < 100; i++) {
		write_sample(fixture, i, 2 * i, 3 * i);
		look(fixture);
		assert_noticed(fixture, i, 2 * i, 3 * i);
		decode_all(fixture);
	}
}

static void what_was_decoded_first_is_not_looked_at(void **state)
{
	struct fixture *fixture = *state;
	write_sample(fixture, 1, 1, 1);
	decode_all(fixture);
	look(fixture);
	assert_false(fixture->wakeup.is_new);
	write_sample(fixture, 2, 2, 2);
	look(fixture);
	assert_noticed(fixture, 2, 2, 2);
}

static void damage_ends_a_look(void **state)
{
	static const uint16_t sizes[] = {0, 4, 12, 4096};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct fixture *fixture = *state;
		write_header(fixture, PERF_RECORD_SAMPLE, sizes[i]);
		look(fixture);
		assert_false(fixture->wakeup.is_new);
		decode_all(fixture); // as perf_ring_peek() does with damage
		write_sample(fixture, 5, 6, 7);
		look(fixture);
		assert_noticed(fixture, 5, 6, 7);
		decode_all(fixture);
	}
}

static void a_sample_without_its_time_is_none(void **state)
{
	struct fixture *fixture = *state;
	write_header(fixture, PERF_RECORD_SAMPLE, 2 * sizeof(uint64_t));
	write_word(fixture, 1);
	look(fixture);
	assert_false(fixture->wakeup.is_new);
}

static void write_leaving(struct fixture *fixture, uint32_t tid, uint64_t time_ns, uint16_t misc)
{
	const struct perf_event_header header = {
		.type = PERF_RECORD_SWITCH, .misc = misc, .size = 5 * sizeof(uint64_t)};
	uint64_t word;
	memcpy(&word, &header, sizeof(word));
	write_word(fixture, word);
	write_word(fixture, 9 | (uint64_t)tid << 32);
	write_word(fixture, time_ns);
	write_word(fixture, 0);
	write_word(fixture, 1);
}

static void threads_that_leave_are_noticed_if_wanted(void **state)
{
	struct fixture *fixture = *state;
	write_leaving(fixture, 10, 100, PERF_RECORD_MISC_SWITCH_OUT);
	look(fixture);
	assert_int_equal(fixture->wakeup.num_leaving, 0);
	write_leaving(fixture, 11, 200, PERF_RECORD_MISC_SWITCH_OUT);
	write_leaving(fixture, 11, 300, 0);                           // it is back
	write_leaving(fixture, 11, 350, PERF_RECORD_MISC_SWITCH_OUT); // once more
	write_leaving(fixture, 12, 400, PERF_RECORD_MISC_SWITCH_OUT);
	perf_wakeup_look(&fixture->wakeup, &fixture->ring, true);
	assert_int_equal(fixture->wakeup.num_leaving, 2);
	assert_false(fixture->wakeup.is_new);
	assert_int_equal(fixture->wakeup.leaving[0].tid, 11);
	assert_int_equal(fixture->wakeup.leaving[0].time_ns, 350);
	assert_int_equal(fixture->wakeup.leaving[1].tid, 12);
	assert_int_equal(fixture->wakeup.leaving[1].time_ns, 400);
	assert_true(fixture->wakeup.leaving[1].is_leaving);
}

int perf_wakeup_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_newest_sample_is_noticed_once, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(records_of_other_kinds_are_passed_over, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(samples_go_over_the_end_of_the_ring, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_was_decoded_first_is_not_looked_at, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(threads_that_leave_are_noticed_if_wanted, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(damage_ends_a_look, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_sample_without_its_time_is_none, set_up,
						tear_down),
	};
	return cmocka_run_group_tests_name("perf_notice", tests, NULL, NULL);
}
