// SPDX-License-Identifier: Apache-2.0

// Stacks of all kinds, good and bad ones.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/core/sampling/frames.h"

enum { STACK = 0x10000, MAX = 8 };

/** From STACK on. */
struct stack {
	uint64_t words[16];
};

static bool read_frame(void *context, unsigned cpu, uint64_t address, struct driver_frame *ret)
{
	const struct stack *stack = context;
	assert_int_equal(cpu, 3);
	assert_int_equal(address % 8, 0);
	if (address < STACK || address >= STACK + sizeof(stack->words) - 8)
		return false;
	ret->next = stack->words[(address - STACK) / 8];
	ret->lr = stack->words[(address - STACK) / 8 + 1];
	return true;
}

static unsigned walk(const struct stack *stack, uint64_t fp, unsigned max, uint64_t *callers,
		     bool *ret_cut)
{
	static const struct driver_register_ops ops = {.read_frame = read_frame};
	const struct driver_registers registers = {&ops, (void *)stack};
	const struct driver_interrupted interrupted = {.fp = fp};
	*ret_cut = false;
	return driver_frames_walk(&registers, 3, &interrupted, max, callers, ret_cut);
}

// In the kernel's half every word is there, and leads to the frame 4 KiB above.
static bool read_endless_frame(void *context, unsigned cpu, uint64_t address,
			       struct driver_frame *ret)
{
	unsigned *num_read = context;
	++*num_read;
	ret->next = address + 4096;
	ret->lr = UINT64_C(0xfffff80000001000);
	return true;
}

static void test_kernel_stays_on_the_interrupted_stack(void **state)
{
	enum { MANY = 64 };
	const uint64_t sp = UINT64_C(0xffffa60f54c90000);
	static const struct driver_register_ops ops = {.read_frame = read_endless_frame};
	const struct {
		uint64_t fp;
		bool in_kernel;
		unsigned num;
	} cases[] = {
		{sp, true, 6}, // 24 KiB
		{sp + 8, true, 6},
		{sp + 4096 - 16, true, 6}, // the last one ends where the reach ends
		{sp + 4096 - 8, true, 5},  // it would end behind
		{sp + 24 * 1024, true, 0},
		{sp - 16, true, 0},           // of who has returned
		{UINT64_C(0x10000), true, 0}, // a user's address in the kernel
		{sp, false, 0},               // the kernel's address in user code
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned num_read = 0;
		const struct driver_registers registers = {&ops, &num_read};
		const struct driver_interrupted interrupted = {
			.fp = cases[i].fp, .sp = sp, .in_kernel = cases[i].in_kernel};
		uint64_t callers[MANY];
		bool is_cut = false;
		assert_int_equal(driver_frames_walk(&registers, 0, &interrupted, MANY, callers,
						    &is_cut),
				 cases[i].num);
		assert_int_equal(num_read, cases[i].num);
	}
}

// The reach of a stack pointer near the end of memory goes beyond it.
static void test_kernel_at_the_end_of_memory(void **state)
{
	static const struct driver_register_ops ops = {.read_frame = read_endless_frame};
	unsigned num_read = 0;
	const struct driver_registers registers = {&ops, &num_read};
	const struct driver_interrupted interrupted = {
		.fp = UINT64_MAX - 4095, .sp = UINT64_MAX - 8191, .in_kernel = true};
	uint64_t callers[MAX];
	bool is_cut = false;
	assert_int_equal(driver_frames_walk(&registers, 0, &interrupted, MAX, callers, &is_cut), 1);
	assert_int_equal(num_read, 1);
}

static void test_callers_innermost_first(void **state)
{
	struct stack stack = {.words = {STACK + 16, 0x1000, STACK + 48, 0x2000, 0, 0, 0, 0x3000}};
	uint64_t callers[MAX];
	bool is_cut;
	assert_int_equal(walk(&stack, STACK, MAX, callers, &is_cut), 3);
	assert_int_equal(callers[0], 0x1000);
	assert_int_equal(callers[1], 0x2000);
	assert_int_equal(callers[2], 0x3000);
	assert_false(is_cut);
}

static void test_no_more_than_asked_for(void **state)
{
	struct stack stack = {.words = {STACK + 16, 0x1000, STACK + 48, 0x2000, 0, 0, 0, 0x3000}};
	uint64_t callers[MAX];
	bool is_cut;
	assert_int_equal(walk(&stack, STACK, 2, callers, &is_cut), 2);
	assert_true(is_cut);
	assert_int_equal(walk(&stack, STACK, 3, callers, &is_cut), 3);
	assert_false(is_cut);
	assert_int_equal(walk(&stack, STACK, 0, callers, &is_cut), 0);
	assert_false(is_cut);
}

static void test_bits_of_authentication_are_no_address(void **state)
{
	struct stack stack = {
		.words = {STACK + 16, UINT64_C(0x3f00123456789abc), 0,
			  UINT64_C(0x1280f80012345678)},
	};
	uint64_t callers[MAX];
	bool is_cut;
	assert_int_equal(walk(&stack, STACK, MAX, callers, &is_cut), 2);
	assert_int_equal(callers[0], UINT64_C(0x0000123456789abc));
	assert_int_equal(callers[1], UINT64_C(0xfffff80012345678));
}

// What is no chain of frames ends the walk, and nothing is read twice.
static void test_broken_stacks(void **state)
{
	static const struct {
		uint64_t fp, next, lr;
		unsigned num;
	} cases[] = {
		{STACK, STACK, 0x1000, 1},             // itself
		{STACK + 16, STACK, 0x1000, 1},        // downwards
		{STACK, STACK + 4, 0x1000, 1},         // not aligned
		{STACK, UINT64_MAX - 7, 0x1000, 1},    // the end of memory
		{STACK, UINT64_C(1) << 40, 0x1000, 1}, // no memory
		{STACK, STACK + 16, 0, 0},             // the outermost function
		{0, 0, 0, 0},
		{STACK + 1, 0, 0, 0},
		{UINT64_MAX, 0, 0, 0},
		{STACK - 8, 0, 0, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stack stack = {.words = {0}};
		if (cases[i].num || cases[i].next) {
			stack.words[(cases[i].fp - STACK) / 8] = cases[i].next;
			stack.words[(cases[i].fp - STACK) / 8 + 1] = cases[i].lr;
		}
		uint64_t callers[MAX];
		bool is_cut;
		assert_int_equal(walk(&stack, cases[i].fp, MAX, callers, &is_cut), cases[i].num);
		assert_false(is_cut);
	}
}

static void test_frames_cannot_be_read(void **state)
{
	static const struct driver_register_ops ops = {.read_frame = NULL};
	const struct driver_registers registers = {&ops, NULL};
	const struct driver_interrupted interrupted = {.fp = STACK};
	uint64_t callers[MAX];
	bool is_cut = false;
	assert_int_equal(driver_frames_walk(&registers, 0, &interrupted, MAX, callers, &is_cut), 0);
}

int driver_frames_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callers_innermost_first),
		cmocka_unit_test(test_no_more_than_asked_for),
		cmocka_unit_test(test_bits_of_authentication_are_no_address),
		cmocka_unit_test(test_broken_stacks),
		cmocka_unit_test(test_frames_cannot_be_read),
		cmocka_unit_test(test_kernel_stays_on_the_interrupted_stack),
		cmocka_unit_test(test_kernel_at_the_end_of_memory),
	};
	return cmocka_run_group_tests_name("driver_frames", tests, NULL, NULL);
}
