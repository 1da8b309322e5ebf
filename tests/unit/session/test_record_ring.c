// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/record_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assert_error.h"

enum { SIZE = RECORD_RING_MIN_BYTES };

static int ring_setup(void **state)
{
	struct record_ring *ring;
	assert_no_error(record_ring_create(SIZE, &ring));
	*state = ring;
	return 0;
}

static int ring_teardown(void **state)
{
	record_ring_destroy(*state);
	return 0;
}

/** A record whose bytes are all its number. */
static void push(struct record_ring *ring, uint32_t number, uint32_t size)
{
	static uint8_t bytes[SIZE];
	memset(bytes, (int)(number & 0xff), size);
	while (!record_ring_has_room(ring, size))
		record_ring_drop(ring);
	const struct record_ring_entry entry = {.time_ns = number, .size = size, .pid = number};
	record_ring_add(ring, &entry, bytes);
}

/** All that is there, in order; the number of the first one comes back. */
static uint32_t check_all(const struct record_ring *ring, uint32_t last)
{
	uint32_t first = last + 1, expected = 0;
	size_t sum = 0;
	for (uint64_t i = record_ring_begin(ring); i != record_ring_end(ring);
	     i = record_ring_next(ring, i)) {
		const struct record_ring_entry *entry = record_ring_at(ring, i);
		if (first > last)
			first = expected = entry->pid;
		assert_int_equal(entry->pid, expected++);
		const uint8_t *bytes = record_ring_bytes(entry);
		for (uint32_t k = 0; k < entry->size; k += 8)
			assert_int_equal(bytes[k], entry->pid & 0xff);
		sum += sizeof(*entry) + entry->size;
	}
	assert_int_equal(expected, first > last ? 0 : last + 1);
	assert_true(sum <= SIZE);
	return first;
}

static void what_comes_is_kept_in_order(void **state)
{
	check_all(*state, UINT32_MAX - 1);
	for (uint32_t i = 0; i < 100; i++)
		push(*state, i, i % 7 * 8);
	assert_int_equal(check_all(*state, 99), 0);
}

static void the_oldest_go(void **state)
{
	// Sizes without a common rhythm, so that the end of the memory is met in many ways.
	uint32_t seed = 1;
	for (uint32_t i = 0; i < 200000; i++) {
		seed = seed * 1664525 + 1013904223;
		push(*state, i, (seed >> 16) % 300 * 8);
		if (i % 5000 == 4999)
			assert_true(check_all(*state, i) > i - SIZE / 1000);
	}
}

static void a_record_as_large_as_the_ring(void **state)
{
	const uint32_t largest = SIZE - sizeof(struct record_ring_entry);
	for (uint32_t i = 0; i < 5; i++)
		push(*state, i, 1000);
	push(*state, 5, largest);
	assert_int_equal(check_all(*state, 5), 5);
	push(*state, 6, 8);
	assert_int_equal(check_all(*state, 6), 6);
	assert_false(record_ring_has_room(*state, SIZE));
}

static void an_empty_ring_has_nothing_to_drop(void **state)
{
	push(*state, 0, 8);
	record_ring_drop(*state);
	record_ring_drop(*state);
	assert_true(record_ring_begin(*state) == record_ring_end(*state));
	push(*state, 1, 8);
	assert_int_equal(check_all(*state, 1), 1);
}

int record_ring_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_comes_is_kept_in_order, ring_setup,
						ring_teardown),
		cmocka_unit_test_setup_teardown(the_oldest_go, ring_setup, ring_teardown),
		cmocka_unit_test_setup_teardown(a_record_as_large_as_the_ring, ring_setup,
						ring_teardown),
		cmocka_unit_test_setup_teardown(an_empty_ring_has_nothing_to_drop, ring_setup,
						ring_teardown),
	};
	return cmocka_run_group_tests_name("record_ring", tests, NULL, NULL);
}
