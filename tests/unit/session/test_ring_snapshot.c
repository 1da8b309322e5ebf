// SPDX-License-Identifier: Apache-2.0

#include "session/recorder/ring_snapshot.h"

#include "record/perf_data/event_attr.h"
#include "record/perf_data/event_table.h"
#include "record/perf_data/perf_abi.h"
#include "record/perf_data/perf_data_writer.h"
#include "record/perf_data/record_encoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_error.h"
#include "base/container/array.h"

#include "scratch_folder.h"

#include <string.h>

static const uint64_t event_id = 7;

struct fixture {
	struct perf_data_event event;
	struct event_table events;
	struct perf_formats formats;
	struct process_table before;
	struct record_ring *ring;
	struct ring_snapshot *snapshot;
	uint64_t num_pushed;
};

static int ring_setup(void **state)
{
	static struct fixture fixture;
	const uint32_t size = 128;
	fixture = (struct fixture){.event = {.attr_size = size, .ids = &event_id, .num_ids = 1},
				   .before = PROCESS_TABLE_INIT};
	struct perf_data_event *event = &fixture.event;
	event->attr[PERF_ABI_ATTR_TYPE] = EVENT_ATTR_SOFTWARE;
	memcpy(event->attr + PERF_ABI_ATTR_SIZE, &size, sizeof(size));
	event_attr_set_written(event->attr, perf_data_writer_sample_type);
	assert_no_error(event_table_add(&fixture.events, event->attr, size,
					(const uint8_t *)event->ids, event->num_ids));
	event_table_sort(&fixture.events);
	fixture.formats = event_table_formats(&fixture.events);
	assert_no_error(record_ring_create(RECORD_RING_MIN_BYTES, &fixture.ring));
	*state = &fixture;
	return 0;
}

static int ring_teardown(void **state)
{
	struct fixture *fixture = *state;
	ring_snapshot_destroy(fixture->snapshot);
	record_ring_destroy(fixture->ring);
	process_table_deinit(&fixture->before);
	event_table_deinit(&fixture->events);
	return 0;
}

static void begin_snapshot(struct fixture *fixture)
{
	const struct ring_snapshot_config config = {
		.ring = fixture->ring,
		.before = &fixture->before,
		.formats = &fixture->formats,
	};
	struct recording_file *file;
	assert_no_error(recording_file_create("x.data", &fixture->event, 1, false, &file));
	assert_no_error(ring_snapshot_create(&config, file, &fixture->snapshot));
}

/** Is there room for another sample without dropping one? */
static bool has_room(const struct fixture *fixture)
{
	// The head, its fixed words and the chain.
	return record_ring_has_room(fixture->ring, (8 + 20) * sizeof(uint64_t));
}

static void push(struct fixture *fixture)
{
	static const uint64_t chain[20] = {RECORD_CONTEXT_USER, 0x1000};
	static uint64_t words[RECORD_ENCODER_MAX_WORDS];
	const struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = 7,
		.tid = 7,
		.time_ns = ++fixture->num_pushed,
		.sample = {.ip = 0x1000,
			   .period = 1,
			   .chain = chain,
			   .chain_length = ARRAY_SIZE(chain)},
	};
	size_t num_words;
	assert_no_error(record_encode(&record, event_id, 0, words, &num_words));
	const struct record_ring_entry entry = {
		.time_ns = record.time_ns,
		.size = (uint32_t)(num_words * sizeof(uint64_t)),
		.pid = record.pid,
		.tid = record.tid,
		.kind = RECORD_SAMPLE,
	};
	while (!record_ring_has_room(fixture->ring, entry.size)) {
		if (fixture->snapshot &&
		    ring_snapshot_needs(fixture->snapshot, record_ring_begin(fixture->ring)))
			assert_no_error(ring_snapshot_write_one(fixture->snapshot));
		record_ring_drop(fixture->ring);
	}
	record_ring_add(fixture->ring, &entry, words);
}

static void finish_writing(struct fixture *fixture)
{
	bool is_done = false;
	while (!is_done)
		assert_no_error(ring_snapshot_write(fixture->snapshot, 1000000000, &is_done));
}

static void what_comes_later_is_not_written(void **state)
{
	struct fixture *fixture = *state;
	for (int i = 0; i < 100; i++)
		push(fixture);
	begin_snapshot(fixture);
	push(fixture);
	finish_writing(fixture);
	assert_int_equal(ring_snapshot_num_samples(fixture->snapshot), 100);
	assert_int_equal(ring_snapshot_covered_ns(fixture->snapshot), 99);
}

static void the_memory_ends_behind_the_last_record(void **state)
{
	struct fixture *fixture = *state;
	while (has_room(fixture))
		push(fixture);
	const uint64_t num = fixture->num_pushed, end = record_ring_end(fixture->ring);
	begin_snapshot(fixture);
	// The rest of the memory is left out: the place behind the last record moves.
	push(fixture);
	assert_true(end < RECORD_RING_MIN_BYTES);
	assert_true(record_ring_end(fixture->ring) > RECORD_RING_MIN_BYTES);
	finish_writing(fixture);
	assert_int_equal(ring_snapshot_num_samples(fixture->snapshot), num);
}

static void the_ring_overtakes_a_snapshot(void **state)
{
	struct fixture *fixture = *state;
	while (has_room(fixture))
		push(fixture);
	const uint64_t num = fixture->num_pushed;
	begin_snapshot(fixture);
	for (uint64_t i = 0; i < 3 * num; i++)
		push(fixture);
	finish_writing(fixture);
	assert_int_equal(ring_snapshot_num_samples(fixture->snapshot), num);
	assert_int_equal(ring_snapshot_covered_ns(fixture->snapshot), num - 1);
}

int ring_snapshot_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_comes_later_is_not_written, ring_setup,
						ring_teardown),
		cmocka_unit_test_setup_teardown(the_memory_ends_behind_the_last_record, ring_setup,
						ring_teardown),
		cmocka_unit_test_setup_teardown(the_ring_overtakes_a_snapshot, ring_setup,
						ring_teardown),
	};
	return cmocka_run_group_tests_name("ring_snapshot", tests, scratch_folder_enter,
					   scratch_folder_leave);
}
