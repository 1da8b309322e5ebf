// SPDX-License-Identifier: Apache-2.0

#include "source/bpf/walk_record.h"

#include "record/perf_data/perf_abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WALK_ID = 77, PID = 10, TID = 11, HOLDER = 12, RAW = 40, FRAMES = 64 };

/** A record as the kernel writes it for an event with an id, a thread, a time, a core, raw bytes.
 */
struct bytes {
	_Alignas(8) uint8_t data[1 << 16];
	size_t size;
};

static void put(struct bytes *bytes, size_t place, uint64_t value, size_t size)
{
	memcpy(bytes->data + place, &value, size);
}

static void make_walk(struct bytes *bytes, uint64_t id, size_t num_frames, unsigned end)
{
	memset(bytes, 0, sizeof(*bytes));
	bytes->size = FRAMES + num_frames * sizeof(struct interpreted_frame);
	put(bytes, 0, PERF_ABI_SAMPLE, 4);
	put(bytes, 6, bytes->size, 2);
	put(bytes, 8, id, 8);
	put(bytes, 16, PID, 4);
	put(bytes, 20, TID, 4);
	put(bytes, RAW, bytes->size - RAW - 4, 4);
	put(bytes, RAW + 4, num_frames, 2);
	put(bytes, RAW + 6, end, 1);
	put(bytes, RAW + 7, GIL_WAITED, 1);
	put(bytes, RAW + 8, WALK_NEVER_LATE, 4);
	put(bytes, RAW + 16, HOLDER, 4);
	for (size_t i = 0; i < num_frames; i++)
		put(bytes, FRAMES + i * sizeof(struct interpreted_frame), 0x1000 + i, 8);
}

/** Behind the frames: its address and @num_bytes of it. */
static void add_stack(struct bytes *bytes, uint64_t address, size_t num_bytes)
{
	put(bytes, RAW + 20, num_bytes, 4);
	put(bytes, bytes->size, address, 8);
	memset(bytes->data + bytes->size + 8, 0x5A, num_bytes);
	bytes->data[bytes->size + 8 + num_bytes - 1] = 1;
	bytes->size += 8 + num_bytes;
}

static struct record make_sample(uint32_t tid)
{
	return (struct record){.kind = RECORD_SAMPLE, .pid = PID, .tid = tid};
}

static void the_next_sample_of_the_thread_has_the_frames(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 3, FRAME_WALK_WHOLE);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	struct record sample = make_sample(TID);
	walk_record_join(&walk, &sample, &num_unpaired);
	assert_int_equal(sample.sample.num_frames, 3);
	assert_int_equal(sample.sample.walk_end, FRAME_WALK_WHOLE);
	assert_int_equal(sample.sample.frames[2].code, 0x1002);
	assert_int_equal(sample.sample.gil, GIL_WAITED);
	assert_int_equal(sample.sample.gil_holder, HOLDER);

	struct record next = make_sample(TID);
	walk_record_join(&walk, &next, &num_unpaired);
	assert_int_equal(next.sample.num_frames, 0);
	assert_int_equal(next.sample.walk_end, FRAME_WALK_NONE);
	assert_int_equal(num_unpaired, 0);
}

static void its_stack_is_that_of_the_sample(void **state)
{
	enum { NUM_BYTES = 4096 };
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	add_stack(&bytes, 0x7FFF0010, NUM_BYTES);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	// The ring writes over what was taken.
	memset(&bytes, 0, sizeof(bytes));
	struct record sample = make_sample(TID);
	walk_record_join(&walk, &sample, &num_unpaired);
	assert_int_equal(sample.sample.num_frames, 2);
	assert_int_equal(sample.sample.stack_address, 0x7FFF0010);
	assert_int_equal(sample.sample.stack_size, NUM_BYTES);
	assert_int_equal(sample.sample.stack[0], 0x5A);
	assert_int_equal(sample.sample.stack[NUM_BYTES - 1], 1);

	// What the kernel copied stays.
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	add_stack(&bytes, 0x7FFF0010, NUM_BYTES);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	sample = make_sample(TID);
	sample.sample.stack = bytes.data;
	sample.sample.stack_size = 8;
	walk_record_join(&walk, &sample, &num_unpaired);
	assert_ptr_equal(sample.sample.stack, bytes.data);
	assert_int_equal(sample.sample.stack_size, 8);
	assert_int_equal(num_unpaired, 0);
}

static void a_stack_that_is_cut_off_is_damage(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	add_stack(&bytes, 0x7FFF0010, 64);
	for (size_t size = 16; size < bytes.size; size += 8)
		assert_true(walk_record_take(&walk, bytes.data, size, &num_unpaired));
	assert_int_equal(num_unpaired, (bytes.size - 16) / 8);
	put(&bytes, RAW + 20, UINT32_MAX, 4);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	assert_int_equal(num_unpaired, (bytes.size - 16) / 8 + 1);
	assert_false(walk.is_waiting);
}

static void records_of_other_events_are_not_taken(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID + 1, 1, FRAME_WALK_WHOLE);
	assert_false(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	make_walk(&bytes, WALK_ID, 1, FRAME_WALK_WHOLE);
	assert_false(walk_record_take(&walk, bytes.data, 8, &num_unpaired));
	put(&bytes, 0, PERF_ABI_LOST, 4);
	assert_false(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	assert_int_equal(num_unpaired, 0);
}

static void walks_without_their_sample_are_counted(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired);
	walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired);
	assert_int_equal(num_unpaired, 1);
	struct record other = make_sample(TID + 1);
	walk_record_join(&walk, &other, &num_unpaired);
	assert_int_equal(num_unpaired, 2);
	assert_int_equal(other.sample.num_frames, 0);
}

/** The kernel's word for that comes between them: the next sample of the thread is another one. */
static void a_walk_goes_with_its_lost_sample(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	walk_record_drop(&walk, &num_unpaired);
	struct record next = make_sample(TID);
	walk_record_join(&walk, &next, &num_unpaired);
	assert_int_equal(next.sample.num_frames, 0);
	assert_int_equal(num_unpaired, 1);
	walk_record_drop(&walk, &num_unpaired);
	assert_int_equal(num_unpaired, 1);
}

static void damage_is_no_walk(void **state)
{
	struct walk_record walk = {.id = WALK_ID};
	uint64_t num_unpaired = 0;
	struct bytes bytes;
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_NUM_ENDS);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	make_walk(&bytes, WALK_ID, FRAME_WALK_MAX_FRAMES + 1, FRAME_WALK_WHOLE);
	assert_true(walk_record_take(&walk, bytes.data, bytes.size, &num_unpaired));
	make_walk(&bytes, WALK_ID, 2, FRAME_WALK_WHOLE);
	for (size_t size = 16; size < bytes.size; size += 8)
		assert_true(walk_record_take(&walk, bytes.data, size, &num_unpaired));
	assert_int_equal(num_unpaired, 2 + (bytes.size - 16) / 8);
	struct record sample = make_sample(TID);
	walk_record_join(&walk, &sample, &num_unpaired);
	assert_int_equal(sample.sample.num_frames, 0);
}

int walk_record_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_sample_of_the_thread_has_the_frames),
		cmocka_unit_test(its_stack_is_that_of_the_sample),
		cmocka_unit_test(a_stack_that_is_cut_off_is_damage),
		cmocka_unit_test(records_of_other_events_are_not_taken),
		cmocka_unit_test(walks_without_their_sample_are_counted),
		cmocka_unit_test(a_walk_goes_with_its_lost_sample),
		cmocka_unit_test(damage_is_no_walk),
	};
	return cmocka_run_group_tests_name("walk_record", tests, NULL, NULL);
}
