// SPDX-License-Identifier: Apache-2.0

#include "session/setup/code_jumps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { AT = 0x1000 };

static struct object_bytes code_of(const uint8_t *bytes, size_t size)
{
	return (struct object_bytes){.data = bytes, .size = size, .address = AT};
}

static void jumps_of_x86_64_are_found(void **state)
{
	// endbr64; jmp -224 from its end; and short: jmp +16.
	static const uint8_t near_bytes[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xe9, 0x20, 0xff, 0xff, 0xff};
	static const uint8_t short_bytes[] = {0x90, 0xeb, 0x10};
	struct object_bytes code = code_of(near_bytes, sizeof(near_bytes));
	assert_true(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT + 9 - 224));
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT + 9 - 223));
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_OTHER, AT + 9 - 224));
	// The last bytes are missing.
	code.size--;
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT + 9 - 224));
	code = code_of(short_bytes, sizeof(short_bytes));
	assert_true(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT + 3 + 16));
	// A call returns here.
	static const uint8_t call_bytes[] = {0xe8, 0x20, 0xff, 0xff, 0xff};
	code = code_of(call_bytes, sizeof(call_bytes));
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT + 5 - 224));
}

static void a_loop_is_no_jump_elsewhere(void **state)
{
	static const uint8_t bytes[] = {0x90, 0x90, 0xeb, 0xfc};
	struct object_bytes code = code_of(bytes, sizeof(bytes));
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_X86_64, AT));
}

static void jumps_of_aarch64_are_found(void **state)
{
	// bti c; b -64 from itself; bl -64.
	static const uint8_t bytes[] = {0x5f, 0x24, 0x03, 0xd5, 0xf0, 0xff,
					0xff, 0x17, 0xf0, 0xff, 0xff, 0x97};
	struct object_bytes code = code_of(bytes, sizeof(bytes));
	assert_true(code_jumps_to(&code, OBJECT_MACHINE_AARCH64, AT + 4 - 64));
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_AARCH64, AT + 8 - 64));
	code.size = 7;
	assert_false(code_jumps_to(&code, OBJECT_MACHINE_AARCH64, AT + 4 - 64));
}

int code_jumps_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jumps_of_x86_64_are_found),
		cmocka_unit_test(a_loop_is_no_jump_elsewhere),
		cmocka_unit_test(jumps_of_aarch64_are_found),
	};
	return cmocka_run_group_tests_name("code_jumps", tests, NULL, NULL);
}
