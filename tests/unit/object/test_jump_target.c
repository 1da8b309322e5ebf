// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/jump_target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_target(const char *text, uint64_t expected)
{
	uint64_t target = 0;
	assert_true(jump_target_parse(text, &target));
	assert_int_equal(target, expected);
}

static void assert_none(const char *text)
{
	uint64_t target;
	assert_false(jump_target_parse(text, &target));
}

static void test_jumps(void **state)
{
	assert_target("jne\t0x1136", 0x1136);
	assert_target("jmp    0x401000", 0x401000);
	assert_target("b\t0x40", 0x40);
	assert_target("b.ne\t0x710  // b.any", 0x710);
	assert_target("cbz\tx0, 0x1c", 0x1c);
	assert_target("tbz\tw0, #0x3, 0x40", 0x40);
	assert_target("tbnz\tw0, #3, 0x40", 0x40);
	assert_target("loop\t0xffffffffffffffff", UINT64_MAX);
}

static void test_others(void **state)
{
	assert_none("");
	assert_none("callq\t0x1129");
	assert_none("bl\t0x40");
	assert_none("blr\tx8");
	assert_none("br\tx8");
	assert_none("bfi\tx0, x1, #0x3, #0x2");
	assert_none("btq\t$0x3, %rax");
	assert_none("jmpq\t*%rax");
	assert_none("jmpq\t*0x2e55(%rip)");
	assert_none("movl\t$0x40, %esi");
	assert_none("jne\t0x");
	assert_none("jne\t0x11111111111111111");
	assert_none("<unknown>");
}

int jump_target_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests_name("jump_target", tests, NULL, NULL);
}
