// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_ring.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RING_BYTES = 4096 };

/** A ring whose kernel is this test. */
struct fixture {
	struct perf_event_mmap_page page;
	_Alignas(8) uint8_t data[RING_BYTES];
	struct perf_ring ring;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	fixture->ring = (struct perf_ring){
		.page = &fixture->page,
		.data = fixture->data,
		.size = RING_BYTES,
		.unfolded = malloc(1 << 16),
	};
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	free(fixture->ring.unfolded);
	free(fixture);
	return 0;
}

/** Write a record whose bytes behind the header are @fill, as the kernel does. */
static void write_record(struct fixture *fixture, size_t size, uint8_t fill)
{
	uint64_t head = fixture->page.data_head;
	uint8_t record[RING_BYTES];
	memset(record, fill, size);
	const struct perf_event_header header = {.type = fill, .size = (uint16_t)size};
	memcpy(record, &header, sizeof(header));
	for (size_t i = 0; i < size; i++)
		fixture->data[(head + i) % RING_BYTES] = record[i];
	fixture->page.data_head = head + size;
}

static void assert_record(struct fixture *fixture, size_t expected_size, uint8_t fill)
{
	const uint8_t *bytes;
	size_t size;
	assert_true(perf_ring_peek(&fixture->ring, &bytes, &size));
	assert_int_equal(size, expected_size);
	assert_int_equal((uintptr_t)bytes % 8, 0);
	for (size_t i = sizeof(struct perf_event_header); i < size; i++)
		assert_int_equal(bytes[i], fill);
	perf_ring_drop(&fixture->ring, size);
}

static void records_come_in_order_and_free_their_room(void **state)
{
	struct fixture *fixture = *state;
	write_record(fixture, 16, 1);
	write_record(fixture, 48, 2);
	perf_ring_look(&fixture->ring);
	assert_record(fixture, 16, 1);
	assert_int_equal(fixture->page.data_tail, 16);
	assert_record(fixture, 48, 2);
	assert_int_equal(fixture->page.data_tail, 64);
	const uint8_t *bytes;
	size_t size;
	assert_false(perf_ring_peek(&fixture->ring, &bytes, &size));
}

static void what_comes_after_the_look_waits(void **state)
{
	struct fixture *fixture = *state;
	const uint8_t *bytes;
	size_t size;
	perf_ring_look(&fixture->ring);
	write_record(fixture, 16, 1);
	assert_false(perf_ring_peek(&fixture->ring, &bytes, &size));
	perf_ring_look(&fixture->ring);
	assert_record(fixture, 16, 1);
}

/** Sizes that do not divide the ring: every way to go over its end comes up. */
static void records_over_the_end_are_whole(void **state)
{
	struct fixture *fixture = *state;
	for (unsigned i = 0; i < 5000; i++) {
		size_t size = 8 * (1 + i % 200);
		write_record(fixture, size, (uint8_t)i);
		perf_ring_look(&fixture->ring);
		assert_record(fixture, size, (uint8_t)i);
	}
}

static void damage_ends_the_round_and_no_more(void **state)
{
	struct fixture *fixture = *state;
	static const uint16_t bad_sizes[] = {0, 4, 7, 12, 4000};
	for (size_t i = 0; i < sizeof(bad_sizes) / sizeof(*bad_sizes); i++) {
		uint64_t head = fixture->page.data_head;
		write_record(fixture, 64, 9);
		const struct perf_event_header header = {.type = 9, .size = bad_sizes[i]};
		for (size_t k = 0; k < sizeof(header); k++)
			fixture->data[(head + k) % RING_BYTES] = ((const uint8_t *)&header)[k];
		perf_ring_look(&fixture->ring);
		const uint8_t *bytes;
		size_t size;
		assert_false(perf_ring_peek(&fixture->ring, &bytes, &size));
		assert_int_equal(fixture->page.data_tail, fixture->page.data_head);
		write_record(fixture, 24, 5);
		perf_ring_look(&fixture->ring);
		assert_record(fixture, 24, 5);
	}
}

int perf_ring_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(records_come_in_order_and_free_their_room, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(what_comes_after_the_look_waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(records_over_the_end_are_whole, set_up, tear_down),
		cmocka_unit_test_setup_teardown(damage_ends_the_round_and_no_more, set_up,
						tear_down),
	};
	return cmocka_run_group_tests_name("perf_ring", tests, NULL, NULL);
}
