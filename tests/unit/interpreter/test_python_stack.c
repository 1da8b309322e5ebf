// SPDX-License-Identifier: Apache-2.0

#include "base/container/array.h"
#include "interpreter/python/stack/python_stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

enum { MAX = 64, SHIM = 3, FRAME_BYTES = 144 };

struct fixture {
	struct image image;
	struct python_stack_reader *reader;
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
	size_t num;
};

static struct fixture *create(uint32_t minor)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	image_init(&fixture->image, minor);
	assert_no_error(python_stack_reader_create(&fixture->image.runtime, &fixture->reader));
	return fixture;
}

static void destroyp(struct fixture **fixture)
{
	python_stack_reader_destroy((*fixture)->reader);
	free(*fixture);
}

static enum frame_walk_end read_stack(struct fixture *fixture, uint64_t thread, size_t max)
{
	return python_stack_read(fixture->reader, thread, fixture->frames, max, &fixture->num);
}

/** @num frames in a chunk, all of @code; the outermost is a shim if there are shims. */
static uint64_t stack_of(struct image *image, uint64_t code, size_t num, uint64_t *ret_thread)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t chunk = image_alloc(image, 64 + num * FRAME_BYTES);
	uint64_t frame = 0, address = chunk + 32;
	image_word(image, chunk + 8, 64 + num * FRAME_BYTES);
	for (size_t i = 0; i < num; i++, address += FRAME_BYTES) {
		bool is_shim = i == 0 && layout->kind == PYTHON_WALK_OWNER;
		image_frame(image, address, is_shim ? 0 : code, frame, 0x100 + i,
			    is_shim || (i == 0 && layout->kind == PYTHON_WALK_ENTRY) ? SHIM : 0);
		frame = address;
	}
	*ret_thread = image_thread(image, 1, frame);
	if (layout->thread_chunk) {
		image_word(image, *ret_thread + layout->thread_chunk, chunk);
		image_word(image, *ret_thread + layout->thread_chunk + 8, address);
	}
	return frame;
}

static void it_walks_every_version(void **state)
{
	for (uint32_t minor = PYTHON_OLDEST_MINOR; minor <= 12; minor++) {
		_cleanup_(destroyp) struct fixture *fixture = create(minor);
		uint64_t code = image_code(&fixture->image, "f", 1, "", 0);
		uint64_t thread;
		stack_of(&fixture->image, code, 4, &thread);
		assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_WHOLE);
		assert_int_equal(fixture->num, minor == 12 ? 3 : 4);
		for (size_t i = 0; i < fixture->num; i++) {
			const struct interpreted_frame *frame = &fixture->frames[i];
			bool is_entry = minor <= 10 || i == fixture->num - 1;
			assert_int_equal(frame->code, code);
			assert_int_equal(frame->instruction, 0x103 - i);
			assert_int_equal(frame->version, image_code_version(&fixture->image, code));
			assert_int_equal(frame->flags, is_entry ? INTERPRETED_FRAME_IS_ENTRY : 0);
		}
		if (minor == 12)
			assert_in_range(fixture->frames[2].stack, IMAGE_BASE,
					IMAGE_BASE + IMAGE_SIZE);
	}
}

static void what_the_jit_made_is_said_of_the_innermost_frame(void **state)
{
	enum { COMPILED = 272 };
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct python_runtime *runtime = &fixture->image.runtime;
	python_stack_reader_destroy(fixture->reader);
	runtime->layout.thread_compiled = COMPILED;
	runtime->walk = python_layout_walk(&runtime->layout);
	assert_no_error(python_stack_reader_create(runtime, &fixture->reader));
	uint64_t thread, code = image_code(&fixture->image, "f", 1, "", 0);
	stack_of(&fixture->image, code, 4, &thread);
	for (uint64_t compiled = 0; compiled <= 0x5000; compiled += 0x5000) {
		image_word(&fixture->image, thread + COMPILED, compiled);
		assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_WHOLE);
		assert_int_equal(fixture->num, 3);
		assert_int_equal(fixture->frames[0].flags,
				 compiled ? INTERPRETED_FRAME_IS_COMPILED : 0);
		assert_int_equal(fixture->frames[1].flags, 0);
		assert_int_equal(fixture->frames[2].flags, INTERPRETED_FRAME_IS_ENTRY);
	}
}

static void a_thread_may_run_nothing(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	uint64_t thread = image_thread(&fixture->image, 1, 0);
	assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_NO_FRAMES);
	assert_int_equal(read_stack(fixture, 0x10, MAX), FRAME_WALK_NO_MEMORY);
	assert_int_equal(fixture->num, 0);
}

static void deep_stacks_are_cut(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(11);
	uint64_t thread;
	stack_of(&fixture->image, 0x100, 1000, &thread);
	assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_TOO_DEEP);
	assert_int_equal(fixture->num, MAX);
}

static void circles_end(void **state)
{
	static const struct {
		uint64_t code;
		uint8_t mark;
		enum frame_walk_end end;
	} circles[] = {
		{0x100, 0, FRAME_WALK_TOO_DEEP},
		{0x100, SHIM, FRAME_WALK_TORN},
		{0, 0, FRAME_WALK_TORN}, // of calls that end
	};
	for (size_t i = 0; i < ARRAY_SIZE(circles); i++) {
		_cleanup_(destroyp) struct fixture *fixture = create(12);
		uint64_t thread;
		uint64_t frame = stack_of(&fixture->image, 0x100, 3, &thread);
		image_frame(&fixture->image, frame, circles[i].code, frame, 0, circles[i].mark);
		assert_int_equal(read_stack(fixture, thread, MAX), circles[i].end);
	}
}

static void a_broken_chain_says_so(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	uint64_t thread;
	uint64_t frame = stack_of(&fixture->image, 0x100, 3, &thread);
	image_frame(&fixture->image, frame, 0x100, 0x8, 0, 0);
	assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_NO_MEMORY);
	assert_int_equal(fixture->num, 1);
}

/** Memory whose stack changes whenever parts of it have been read, or once. */
struct restless {
	struct image *image;
	uint64_t frame, code;
	unsigned changes_left;
};

static size_t read_restless(void *context, uint64_t address, void *bytes, size_t size)
{
	struct restless *restless = context;
	struct process_memory still = memory_pieces_memory(&restless->image->pieces);
	return still.read(still.context, address, bytes, size);
}

/** The code of a caller changes between one part and the next. */
static bool read_restless_parts(void *context, const struct process_memory_part *parts, size_t num)
{
	struct restless *restless = context;
	for (size_t i = 0; i < num; i++) {
		if (read_restless(context, parts[i].address, parts[i].bytes, parts[i].size) !=
		    parts[i].size)
			return false;
		if (!restless->changes_left)
			continue;
		restless->changes_left--;
		image_word(restless->image, restless->frame, ++restless->code);
	}
	return true;
}

static enum frame_walk_end read_restlessly(struct fixture *fixture, unsigned changes)
{
	uint64_t thread;
	uint64_t frame = stack_of(&fixture->image, 0x100, 4, &thread);
	struct restless restless = {
		.image = &fixture->image,
		.frame = frame - FRAME_BYTES, // the caller of the innermost
		.code = 0x100,
		.changes_left = changes,
	};
	fixture->image.runtime.memory = (struct process_memory){
		.read = read_restless, .read_parts = read_restless_parts, .context = &restless};
	return read_stack(fixture, thread, MAX);
}

static void what_changes_is_read_again(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	assert_int_equal(read_restlessly(fixture, 2), FRAME_WALK_WHOLE);
	struct python_stack_counts counts = python_stack_reader_counts(fixture->reader);
	assert_int_equal(counts.num_reads, 1);
	assert_true(counts.num_tries > 1);
	assert_int_equal(fixture->num, 3);
}

static void what_never_rests_is_torn(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	assert_int_equal(read_restlessly(fixture, 1000), FRAME_WALK_TORN);
}

static void frames_of_generators_are_elsewhere(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	uint64_t thread;
	uint64_t frame = stack_of(image, 0x100, 3, &thread);
	uint64_t generator = image_alloc(image, FRAME_BYTES);
	image_frame(image, generator, 0x200, frame - FRAME_BYTES, 5, 1);
	image_frame(image, frame, 0x100, generator, 7, 0);
	assert_int_equal(read_stack(fixture, thread, MAX), FRAME_WALK_WHOLE);
	assert_int_equal(fixture->num, 3);
	assert_int_equal(fixture->frames[1].code, 0x200);
}

int python_stack_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_walks_every_version),
		cmocka_unit_test(what_the_jit_made_is_said_of_the_innermost_frame),
		cmocka_unit_test(a_thread_may_run_nothing),
		cmocka_unit_test(deep_stacks_are_cut),
		cmocka_unit_test(circles_end),
		cmocka_unit_test(a_broken_chain_says_so),
		cmocka_unit_test(what_changes_is_read_again),
		cmocka_unit_test(what_never_rests_is_torn),
		cmocka_unit_test(frames_of_generators_are_elsewhere),
	};
	return cmocka_run_group_tests_name("python_stack", tests, NULL, NULL);
}
