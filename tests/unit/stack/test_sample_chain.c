// SPDX-License-Identifier: Apache-2.0

#include "stack/sample_chain.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "record/perf_data/user_regs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// A native stack with frame pointers, in memory that belongs to no file, so that it is unwound
// without tables: leaf <- eval loop <- main <- start. Two interpreted frames are run by the eval
// loop; the outer one is their entry and knows an address in the loop's C frame.

enum {
	PID = 7,
	CODE = 0x1000,
	IN_LEAF = 0x1010,
	IN_LOOP = 0x1110,
	IN_MAIN = 0x1210,
	IN_START = 0x1310,
	STACK = 0x8000,
	LEAF_FP = STACK + 0x10,
	LOOP_SP = STACK + 0x20,
	LOOP_FP = STACK + 0x30,
	MAIN_FP = STACK + 0x50,
};

static const uint64_t stack_words[] = {
	0, 0, LOOP_FP, IN_LOOP, // of leaf
	0, 0, MAIN_FP, IN_MAIN, // of the loop
	0, 0, 0,       IN_START,
};

#define INTERPRETED SAMPLE_CHAIN_INTERPRETED
#define USER        RECORD_CONTEXT_USER
#define KERNEL      RECORD_CONTEXT_KERNEL

static const uint64_t places[] = {40, 41};
static const uint64_t addresses[] = {0x7e0000000400, 0x7e0000000410};
static const struct interpreted_frame entry_is_known[] = {
	{.code = 1},
	{.code = 2, .flags = INTERPRETED_FRAME_IS_ENTRY, .stack = LOOP_SP + 8},
};
static const struct interpreted_frame entry_is_unknown[] = {
	{.code = 1},
	{.code = 2, .flags = INTERPRETED_FRAME_IS_ENTRY},
};

struct fixture {
	struct process_table table;
	struct process *process;
	struct eval_loops loops;
	struct interpreted_stack interpreted;
	struct sample_chain_rules rules;
	struct sample_chain chain;
	uint64_t words[SAMPLE_CHAIN_MAX_WORDS];
};

static struct fixture fixture;

static int set_up(void **state)
{
	(void)state;
	fixture = (struct fixture){.table = PROCESS_TABLE_INIT, .loops = EVAL_LOOPS_INIT};
	const struct record map = {
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_USER,
		.pid = PID,
		.tid = PID,
		.map = {.start = CODE, .length = 0x1000, .path = "//anon", .is_executable = true},
	};
	assert_no_error(process_table_apply(&fixture.table, &map));
	assert_no_error(process_table_process(&fixture.table, PID, &fixture.process));
	// The file is not there: no address is in a loop.
	const struct module module = {.kind = MODULE_FILE, .path = "/absent/python3"};
	uint32_t number;
	assert_no_error(eval_loops_add(&fixture.loops, all_interpreters[0], &module, &number));
	fixture.interpreted = (struct interpreted_stack){
		.frames = entry_is_known,
		.num_frames = ARRAY_SIZE(entry_is_known),
		.num_called = ARRAY_SIZE(entry_is_known),
		.places = places,
		.addresses = addresses,
		.loops = &fixture.loops,
		.loops_module = number,
	};
	fixture.rules.has_callers = true;
	const struct module_file_search nowhere = {.are_processes_here = false};
	assert_no_error(stack_walker_create("x86_64", &nowhere, &fixture.rules.walker));
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	stack_walker_destroy(fixture.rules.walker);
	eval_loops_deinit(&fixture.loops);
	process_table_deinit(&fixture.table);
	return 0;
}

static void set_chain(enum record_mode mode, const struct record_sample *sample)
{
	const struct record record = {
		.kind = RECORD_SAMPLE, .mode = mode, .pid = PID, .tid = PID, .sample = *sample};
	const struct sample_chain_parts parts = {
		.record = &record,
		.process = fixture.process,
		.modules = &fixture.table.modules,
		.interpreted = &fixture.interpreted,
	};
	sample_chain_set(&fixture.chain, &fixture.rules, &parts, fixture.words);
}

/** A sample in the leaf, with registers and a copy of the stack. */
static void set_walked_chain(void)
{
	static const struct user_regs regs = {.ip = IN_LEAF, .sp = STACK, .frame = LEAF_FP};
	const struct user_regs_layout *layout = user_regs_layout_find("x86_64");
	uint64_t values[USER_REGS_MAX];
	user_regs_put(layout, &regs, values);
	const struct record_sample sample = {
		.ip = IN_LEAF,
		.regs_abi = 2,
		.regs_mask = user_regs_mask(layout),
		.regs = values,
		.stack = (const uint8_t *)stack_words,
		.stack_size = sizeof(stack_words),
	};
	set_chain(RECORD_MODE_USER, &sample);
	assert_true(fixture.chain.was_walked);
	assert_int_equal(fixture.chain.end, UNWIND_END_OUTERMOST);
}

/** A sample with the kernel's chain of its callers. */
static void set_kernels_chain(enum record_mode mode, uint64_t ip)
{
	static const uint64_t chain[] = {USER, IN_LEAF, IN_LOOP, IN_MAIN};
	const struct record_sample sample = {
		.ip = ip, .chain = chain, .chain_length = ARRAY_SIZE(chain)};
	set_chain(mode, &sample);
	assert_false(fixture.chain.was_walked);
}

static void assert_numbers(const uint64_t *numbers, size_t num, const uint64_t *expected,
			   size_t num_expected)
{
	assert_int_equal(num, num_expected);
	for (size_t i = 0; i < num; i++)
		assert_int_equal(numbers[i], expected[i]);
}

// The words behind the number of the maps; what recordings have.
#define ASSERT_WORDS(...)                                                    \
	assert_numbers(fixture.chain.words + 1, fixture.chain.num_words - 1, \
		       (const uint64_t[]){__VA_ARGS__},                      \
		       ARRAY_SIZE(((const uint64_t[]){__VA_ARGS__})))
#define ASSERT_RAW(...)                                                                           \
	assert_numbers(fixture.chain.raw, fixture.chain.num_raw, (const uint64_t[]){__VA_ARGS__}, \
		       ARRAY_SIZE(((const uint64_t[]){__VA_ARGS__})))

static void interpreted_frames_are_in_the_place_of_their_loop(void **state)
{
	set_walked_chain();
	assert_int_equal(fixture.chain.words[0], fixture.process->generation);
	ASSERT_WORDS(USER, IN_LEAF, INTERPRETED, 40, 41, USER, IN_MAIN - 1, IN_START - 1);
	ASSERT_RAW(USER, IN_LEAF, addresses[0], addresses[1], IN_MAIN, IN_START);
	assert_int_equal(fixture.chain.num_entries, 1);
	assert_int_equal(fixture.chain.num_placed, 1);
}

static void what_called_a_task_is_left_out(void **state)
{
	static const struct interpreted_frame frames[] = {
		{.code = 1},
		{.code = 2, .flags = INTERPRETED_FRAME_IS_ENTRY, .stack = LOOP_SP + 8},
		{.code = 3, .flags = INTERPRETED_FRAME_IS_TASK},
	};
	static const uint64_t task_places[] = {40, 41, 42}, task_addresses[] = {80, 81, 82};
	fixture.interpreted.frames = frames;
	fixture.interpreted.num_frames = ARRAY_SIZE(frames);
	fixture.interpreted.places = task_places;
	fixture.interpreted.addresses = task_addresses;
	set_walked_chain();
	ASSERT_WORDS(USER, IN_LEAF, INTERPRETED, 40, 41, INTERPRETED, 42);
	ASSERT_RAW(USER, IN_LEAF, 80, 81, 82);
	assert_int_equal(fixture.chain.num_placed, 1);
	set_kernels_chain(RECORD_MODE_USER, IN_LEAF);
	ASSERT_RAW(USER, IN_LEAF, 80, 81, 82);
}

static void frames_without_a_known_loop_are_behind_the_leaf(void **state)
{
	fixture.interpreted.frames = entry_is_unknown;
	set_walked_chain();
	ASSERT_WORDS(USER, IN_LEAF, INTERPRETED, 40, 41);
	assert_int_equal(fixture.chain.num_entries, 1);
	assert_int_equal(fixture.chain.num_placed, 0);
}

static void a_stack_without_interpreted_frames_is_native(void **state)
{
	fixture.interpreted = (struct interpreted_stack){.num_frames = 0};
	set_walked_chain();
	ASSERT_WORDS(USER, IN_LEAF, IN_LOOP - 1, IN_MAIN - 1, IN_START - 1);
	ASSERT_RAW(USER, IN_LEAF, IN_LOOP, IN_MAIN, IN_START);
	assert_int_equal(fixture.chain.num_entries, 0);
	set_kernels_chain(RECORD_MODE_USER, IN_LEAF);
	ASSERT_WORDS(USER, IN_LEAF, IN_LOOP - 1, IN_MAIN - 1);
	ASSERT_RAW(USER, IN_LEAF, IN_LOOP, IN_MAIN);
}

static void chains_of_frame_pointers_keep_their_leaf(void **state)
{
	enum { KERNEL_ADDRESS = 0x5000 };
	set_kernels_chain(RECORD_MODE_USER, IN_LEAF);
	ASSERT_WORDS(USER, IN_LEAF, INTERPRETED, 40, 41);
	ASSERT_RAW(USER, IN_LEAF, addresses[0], addresses[1]);
	set_kernels_chain(RECORD_MODE_KERNEL, KERNEL_ADDRESS);
	ASSERT_WORDS(KERNEL, KERNEL_ADDRESS, INTERPRETED, 40, 41);
	ASSERT_RAW(KERNEL, KERNEL_ADDRESS, USER, addresses[0], addresses[1]);
	set_kernels_chain(RECORD_MODE_USER, 0); // it slept
	ASSERT_WORDS(INTERPRETED, 40, 41);
	ASSERT_RAW(USER, addresses[0], addresses[1]);
}

static void only_interpreted_frames_are_there_if_asked_for(void **state)
{
	fixture.rules.interpreted_rule = INTERPRETED_ONLY;
	set_walked_chain();
	ASSERT_WORDS(INTERPRETED, 40, 41);
	ASSERT_RAW(USER, addresses[0], addresses[1]);
}

#define TEST_CHAIN(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int sample_chain_tests(void)
{
	const struct CMUnitTest tests[] = {
		TEST_CHAIN(interpreted_frames_are_in_the_place_of_their_loop),
		TEST_CHAIN(what_called_a_task_is_left_out),
		TEST_CHAIN(frames_without_a_known_loop_are_behind_the_leaf),
		TEST_CHAIN(a_stack_without_interpreted_frames_is_native),
		TEST_CHAIN(chains_of_frame_pointers_keep_their_leaf),
		TEST_CHAIN(only_interpreted_frames_are_there_if_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
