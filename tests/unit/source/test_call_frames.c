// SPDX-License-Identifier: Apache-2.0

#include "source/calls/call_frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/container/array.h"
#include "source/calls/call_names.h"

static struct call_output output_of(const char *call, enum call_file file)
{
	struct call_output output = {.file = file};
	assert_true(call_number(call, &output.number));
	return output;
}

/** As the symbolizer looks it up: of a caller, the byte in front of its address. */
static const char *name_of(struct call_frames *frames, uint64_t address)
{
	size_t num = 0;
	const struct sample_symbol *symbols = call_frames_symbols(frames, &num);
	for (size_t i = 0; i < num; i++)
		if (address - 1 >= symbols[i].address &&
		    address - 1 < symbols[i].address + symbols[i].size)
			return symbols[i].name;
	return NULL;
}

static void names_are_those_of_the_headers(void **state)
{
	static const char *const names[] = {"read", "write", "futex", "execve", "epoll_pwait"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint32_t number = UINT32_MAX;
		assert_true(call_number(names[i], &number));
		assert_string_equal(call_name(number), names[i]);
	}
	uint32_t number;
	assert_false(call_number("no_such_call", &number));
	assert_null(call_name(UINT32_MAX));
}

static void calls_have_their_file(void **state)
{
	struct call_frames *frames = calloc(1, sizeof(*frames));
	assert_non_null(frames);
	call_frames_init(frames);
	const struct call_output pipe = output_of("read", CALL_FILE_PIPE);
	const struct call_output socket = output_of("read", CALL_FILE_SOCKET);
	// Its first argument is no file, whatever file has this number.
	const struct call_output futex = output_of("futex", CALL_FILE_REGULAR);
	uint64_t of_pipe = call_frames_add(frames, &pipe);
	uint64_t of_socket = call_frames_add(frames, &socket);
	uint64_t of_futex = call_frames_add(frames, &futex);
	assert_string_equal(name_of(frames, of_pipe), "read (pipe)");
	assert_string_equal(name_of(frames, of_socket), "read (socket)");
	assert_string_equal(name_of(frames, of_futex), "futex");
	assert_true(record_is_kernel_address(of_pipe));
	assert_int_equal(of_pipe, call_frames_add(frames, &pipe));
	call_frames_deinit(frames);
	free(frames);
}

static void hostile_numbers_have_a_name(void **state)
{
	struct call_frames *frames = calloc(1, sizeof(*frames));
	assert_non_null(frames);
	call_frames_init(frames);
	const struct call_output unknown = {.number = UINT32_MAX, .file = UINT32_MAX};
	assert_string_equal(name_of(frames, call_frames_add(frames, &unknown)), "call 1023");
	call_frames_deinit(frames);
	free(frames);
}

static void other_threads_have_names(void **state)
{
	struct call_frames *frames = calloc(1, sizeof(*frames));
	assert_non_null(frames);
	call_frames_init(frames);
	const struct call_other lock = {CALL_OTHER_HOLDS, 1, 12, 0x55d0};
	const struct call_other gil = {CALL_OTHER_HOLDS_GIL, 1, 12, 0};
	struct call_other woken = {CALL_OTHER_WOKEN, 1, 12, 0};
	uint32_t number;
	assert_true(call_number("futex", &number));
	woken.address = number;
	uint64_t of_lock = call_frames_add_other(frames, &lock);
	uint64_t of_gil = call_frames_add_other(frames, &gil);
	uint64_t of_woken = call_frames_add_other(frames, &woken);
	assert_int_equal(of_lock, call_frames_add_other(frames, &lock));
	assert_string_equal(name_of(frames, of_lock), "[lock 0x55d0 held by thread 12]");
	assert_string_equal(name_of(frames, of_gil), "[GIL held by thread 12]");
	assert_string_equal(name_of(frames, of_woken), "[wakes thread 12 in futex]");
	call_frames_deinit(frames);
	free(frames);
}

static void too_many_threads_are_others(void **state)
{
	struct call_frames *frames = calloc(1, sizeof(*frames));
	assert_non_null(frames);
	call_frames_init(frames);
	struct call_other lock = {CALL_OTHER_HOLDS, 1, 1, 0};
	uint64_t last = 0, first = call_frames_add_other(frames, &lock);
	for (; lock.address < 2 * CALL_MAX_OTHERS; lock.address++)
		last = call_frames_add_other(frames, &lock);
	assert_int_equal(frames->num_others, CALL_MAX_OTHERS);
	assert_string_equal(name_of(frames, first), "[lock 0 held by thread 1]");
	assert_string_equal(name_of(frames, last), "[other threads]");
	call_frames_deinit(frames);
	free(frames);
}

int call_frames_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_those_of_the_headers),
		cmocka_unit_test(calls_have_their_file),
		cmocka_unit_test(hostile_numbers_have_a_name),
		cmocka_unit_test(other_threads_have_names),
		cmocka_unit_test(too_many_threads_are_others),
	};
	return cmocka_run_group_tests_name("call_frames", tests, NULL, NULL);
}
