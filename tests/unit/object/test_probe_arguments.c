// SPDX-License-Identifier: Apache-2.0

#include "object/probe_arguments.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/** What is at @number of @arguments, as text that is easy to compare. */
static void check(const char *arguments, size_t number, enum object_machine machine,
		  const struct probe_argument *expected)
{
	struct probe_argument found;
	if (!probe_argument_find(arguments, number, machine, &found))
		fail_msg("'%s' has no argument %zu", arguments, number);
	assert_int_equal(found.kind, expected->kind);
	assert_int_equal(found.size, expected->size);
	assert_int_equal(found.is_signed, expected->is_signed);
	assert_int_equal(found.reg, expected->reg);
	assert_int_equal(found.index, expected->index);
	assert_int_equal(found.scale, expected->scale);
	assert_int_equal(found.displacement, expected->displacement);
}

enum { NONE = PROBE_NO_REGISTER };

static void x86_operands_are_read(void **state)
{
	const char *text = "8@%rdi -4@-20(%rbp) 1@%r15b 8@(%rax,%rbx,4) -8@$-7 2@%ax %rsi";
	static const struct probe_argument expected[] = {
		{PROBE_ARGUMENT_REGISTER, 8, false, 14, NONE, 1, 0},
		{PROBE_ARGUMENT_MEMORY, 4, true, 4, NONE, 1, -20},
		{PROBE_ARGUMENT_REGISTER, 1, false, 0, NONE, 1, 0},
		{PROBE_ARGUMENT_MEMORY, 8, false, 10, 5, 4, 0},
		{PROBE_ARGUMENT_CONSTANT, 8, true, NONE, NONE, 1, -7},
		{PROBE_ARGUMENT_REGISTER, 2, false, 10, NONE, 1, 0},
		{PROBE_ARGUMENT_REGISTER, 8, false, 13, NONE, 1, 0},
	};
	assert_int_equal(probe_arguments_count(text), 7);
	for (size_t i = 0; i < 7; i++)
		check(text, i + 1, OBJECT_MACHINE_X86_64, &expected[i]);
	struct probe_argument found;
	assert_false(probe_argument_find(text, 8, OBJECT_MACHINE_X86_64, &found));
	assert_false(probe_argument_find(text, 0, OBJECT_MACHINE_X86_64, &found));
}

static void aarch64_operands_are_read(void **state)
{
	const char *text = "8@x0 -4@w21 4@[sp, 12] 8@[x29, -16] -8@[x1] 8@5 8@sp 8@[x2, x3]";
	static const struct probe_argument expected[] = {
		{PROBE_ARGUMENT_REGISTER, 8, false, 0, NONE, 1, 0},
		{PROBE_ARGUMENT_REGISTER, 4, true, 21, NONE, 1, 0},
		{PROBE_ARGUMENT_MEMORY, 4, false, 31, NONE, 1, 12},
		{PROBE_ARGUMENT_MEMORY, 8, false, 29, NONE, 1, -16},
		{PROBE_ARGUMENT_MEMORY, 8, true, 1, NONE, 1, 0},
		{PROBE_ARGUMENT_CONSTANT, 8, false, NONE, NONE, 1, 5},
		{PROBE_ARGUMENT_REGISTER, 8, false, 31, NONE, 1, 0},
		{PROBE_ARGUMENT_MEMORY, 8, false, 2, 3, 1, 0},
	};
	assert_int_equal(probe_arguments_count(text), 8);
	for (size_t i = 0; i < 8; i++)
		check(text, i + 1, OBJECT_MACHINE_AARCH64, &expected[i]);
}

static void what_cannot_be_read_is_none(void **state)
{
	static const char *const texts[] = {
		"8@%xmm0",
		"8f@%xmm1",
		"3@%rdi",
		"16@%rdi",
		"8@",
		"@",
		"8@%",
		"8@%rdi(",
		"8@(%rax",
		"8@(%rax,%rbx,3",
		"8@(%rip)",
		"8@name(%rip)",
		"8@(%rax,",
		"8@%rdii",
		"-9@%rdi",
		"8@4(%rax))",
		"8@99999999999999999999(%rax)",
		"8@$",
		"8@%ah",
		"8@()",
		"8@(%rax,%rbx,0)",
		"0@%rdi",
		"8@%rdi,",
	};
	static const char *const aarch64[] = {"8@[sp",    "8@[",   "8@x31", "8@[x0, ]", "8@v0",
					      "8@[x0 4]", "8@x0]", "8@xx",  "8@x",      "8@[x0, 1"};
	struct probe_argument found;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (probe_argument_find(texts[i], 1, OBJECT_MACHINE_X86_64, &found))
			fail_msg("'%s' was taken", texts[i]);
	for (size_t i = 0; i < sizeof(aarch64) / sizeof(*aarch64); i++)
		if (probe_argument_find(aarch64[i], 1, OBJECT_MACHINE_AARCH64, &found))
			fail_msg("'%s' was taken", aarch64[i]);
	assert_false(probe_argument_find("8@%rdi", 1, OBJECT_MACHINE_OTHER, &found));
	assert_false(probe_argument_find("", 1, OBJECT_MACHINE_X86_64, &found));
}

static void calls_have_registers(void **state)
{
	struct probe_argument found;
	assert_true(probe_argument_of_call(1, OBJECT_MACHINE_X86_64, &found));
	assert_int_equal(found.reg, 14);
	assert_true(probe_argument_of_call(6, OBJECT_MACHINE_X86_64, &found));
	assert_int_equal(found.reg, 8);
	assert_false(probe_argument_of_call(7, OBJECT_MACHINE_X86_64, &found));
	assert_false(probe_argument_of_call(0, OBJECT_MACHINE_X86_64, &found));
	assert_true(probe_argument_of_call(8, OBJECT_MACHINE_AARCH64, &found));
	assert_int_equal(found.reg, 7);
	assert_false(probe_argument_of_call(9, OBJECT_MACHINE_AARCH64, &found));
	assert_true(probe_argument_of_return(OBJECT_MACHINE_X86_64, &found));
	assert_int_equal(found.reg, 10);
	assert_false(probe_argument_of_return(OBJECT_MACHINE_OTHER, &found));
}

int probe_arguments_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_operands_are_read),
		cmocka_unit_test(aarch64_operands_are_read),
		cmocka_unit_test(what_cannot_be_read_is_none),
		cmocka_unit_test(calls_have_registers),
	};
	return cmocka_run_group_tests_name("probe_arguments", tests, NULL, NULL);
}
