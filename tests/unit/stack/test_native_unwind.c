// SPDX-License-Identifier: Apache-2.0

#include "stack/native_unwind.h"

#include "base/container/array.h"
#include "tests/unit/cfi_bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

// Where things are in the process. The module with a table is linked at 0.
enum { CODE_START = 0x10000, CODE_SIZE = 0x10000, JIT_START = 0x40000, VDSO_START = 0x60000 };
enum { STACK = 0x7000, STACK_SLOTS = 128, MAX_FRAMES = 16 };

static const uint64_t wide_code = UINT64_C(1) << 50;

struct fixture {
	struct cfi_table table;
	struct unwind_space space;
	struct unwind_regs regs;
	uint64_t slots[STACK_SLOTS];
	struct stack_copy stack;
	uint64_t frames[MAX_FRAMES];
	bool is_return_address[MAX_FRAMES];
	size_t num_frames;
};

static bool is_within(uint64_t address, uint64_t start)
{
	return address >= start && address < start + CODE_SIZE;
}

static bool find_module(void *context, uint64_t address, struct unwind_module *ret)
{
	const struct fixture *fixture = context;
	*ret = (struct unwind_module){0};
	if (is_within(address, CODE_START))
		*ret = (struct unwind_module){.table = &fixture->table, .bias = CODE_START};
	if (is_within(address, wide_code))
		*ret = (struct unwind_module){.table = &fixture->table, .bias = wide_code};
	if (is_within(address, VDSO_START))
		ret->is_vdso = true;
	return ret->table || ret->is_vdso || is_within(address, JIT_START);
}

struct function {
	uint64_t start, size;
	const char *instructions;
	size_t length;
};

#define CODE(bytes) bytes, sizeof(bytes) - 1

static void add_functions(struct cfi_bytes *out, size_t common, const struct function *functions,
			  size_t num)
{
	for (size_t i = 0; i < num; i++)
		put_function(out, common, functions[i].start, functions[i].size,
			     functions[i].instructions, functions[i].length);
}

enum {
	LEAF = 0x100,       /* sp + 8 */
	PUSHES = 0x200,     /* sp + 16, frame pointer saved; from 0x280 on popped, sp + 8 */
	USES_FP = 0x300,    /* fp + 16 */
	OUTERMOST = 0x400,  /* no return address */
	SIGNAL = 0x500,     /* the kernel's frame */
	PLT = 0x600,        /* as its linker writes it */
	REALIGNED = 0x700,  /* at fp - 8 is the frame, at fp the frame pointer */
	STITCHED = 0x800,   /* libcrypto's: at sp + 16 is the frame - 8 */
	OTHER_REG = 0x900,  /* r10 + 0 */
	LOSES_FP = 0xa00,   /* sp + 8, the frame pointer is gone */
	STAYS = 0xb00,      /* sp + 0: goes round for ever */
	CALLS_LAST = 0xc00, /* its last instruction is a call: the next function is another one */
	ENDS_SECTION = 0xc80,
	GAP = 0xd00,
};

static const struct function functions_x86_64[] = {
	{LEAF, 0x80, CODE("")},
	{PUSHES, 0x100, CODE("\x0e\x10\x86\x02\x02\x80\x0e\x08")},
	{USES_FP, 0x80, CODE("\x0c\x06\x10\x86\x02")},
	{OUTERMOST, 0x80, CODE("\x07\x10")},
	{PLT, 0x80, CODE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22")},
	{REALIGNED, 0x80, CODE("\x0f\x03\x76\x78\x06\x10\x06\x02\x76\0")},
	{STITCHED, 0x80, CODE("\x0f\x05\x77\x10\x06\x23\x08")},
	{OTHER_REG, 0x80, CODE("\x0d\x0a")},
	{LOSES_FP, 0x80, CODE("\x07\x06")},
	{STAYS, 0x80, CODE("\x0e\0\x90\0")},
	{CALLS_LAST, 0x80, CODE("\x0e\x18")},
	{ENDS_SECTION, 0x20, CODE("\x0e\x20")},
};

static void setup(struct fixture *fixture, enum cfi_machine machine)
{
	*fixture = (struct fixture){
		.space = {.machine = machine, .find_module = find_module, .context = fixture},
		.regs = {.sp = STACK},
		.stack = {.address = STACK,
			  .bytes = (const uint8_t *)fixture->slots,
			  .size = sizeof(fixture->slots)},
	};
}

static void create_table(struct fixture *fixture, const struct cfi_bytes *out)
{
	struct cfi_section section = cfi_bytes_section(out);
	assert_no_error(cfi_table_create(&section, fixture->space.machine, &fixture->table));
	assert_int_equal(fixture->table.num_bad, 0);
}

static void setup_x86_64(struct fixture *fixture)
{
	setup(fixture, CFI_X86_64);
	struct cfi_bytes out = {0};
	size_t common = put_common_x86_64(&out, "zR");
	add_functions(&out, common, functions_x86_64, ARRAY_SIZE(functions_x86_64));
	size_t signal = put_common_x86_64(&out, "zRS");
	// Starts one early, as a handler returns to its first instruction.
	static const struct function trampoline = {
		SIGNAL - 1, 0x10,
		CODE("\x0f\x04\x77\xa0\x01\x06\x10\x10\x03\x77\xa8\x01\x10\x06\x03\x77\xf8\0")};
	add_functions(&out, signal, &trampoline, 1);
	create_table(fixture, &out);
}

static void deinit(struct fixture *fixture)
{
	cfi_table_deinit(&fixture->table);
}

static enum unwind_end walk(struct fixture *fixture)
{
	return native_unwind(&fixture->space, &fixture->regs, &fixture->stack, fixture->frames,
			     fixture->is_return_address, NULL, MAX_FRAMES, &fixture->num_frames);
}

#define assert_walk(fixture, expected_end, ...)                                       \
	do {                                                                          \
		const uint64_t expected_[] = {__VA_ARGS__};                           \
		assert_int_equal(walk(fixture), expected_end);                        \
		assert_int_equal((fixture)->num_frames, ARRAY_SIZE(expected_));       \
		assert_memory_equal((fixture)->frames, expected_, sizeof(expected_)); \
	} while (0)

static void test_calls(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + LEAF;
	fixture.regs.fp = STACK + 5 * 8;
	fixture.slots[0] = CODE_START + PUSHES + 9;
	fixture.slots[1] = STACK + 4 * 8; // the frame pointer that PUSHES saved
	fixture.slots[2] = CODE_START + USES_FP + 9;
	fixture.slots[5] = CODE_START + OUTERMOST + 9;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + LEAF, CODE_START + PUSHES + 9,
		    CODE_START + USES_FP + 9, CODE_START + OUTERMOST + 9);
	assert_false(fixture.is_return_address[0]);
	assert_true(fixture.is_return_address[1]);
	assert_true(fixture.is_return_address[3]);
}

/** Behind its pop the rule still says where the frame pointer was: below the stack pointer. */
static void test_popped_frame_pointer(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + PUSHES + 0x80;
	fixture.regs.fp = STACK + 4 * 8;
	fixture.slots[0] = CODE_START + USES_FP + 9;
	fixture.slots[5] = CODE_START + OUTERMOST + 9;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + PUSHES + 0x80,
		    CODE_START + USES_FP + 9, CODE_START + OUTERMOST + 9);
}

/** The address behind a call may be another function's first. */
static void test_call_at_the_end(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + LEAF;
	fixture.slots[0] = CODE_START + ENDS_SECTION;
	fixture.slots[3] = CODE_START + OUTERMOST + 1;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + LEAF, CODE_START + ENDS_SECTION,
		    CODE_START + OUTERMOST + 1);
	// But the sample's own address is what it is.
	fixture.regs.ip = CODE_START + ENDS_SECTION;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + ENDS_SECTION,
		    CODE_START + OUTERMOST + 1);
}

static void test_plt(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.slots[0] = CODE_START + OUTERMOST + 1;
	fixture.slots[1] = CODE_START + OUTERMOST + 2;
	fixture.regs.ip = CODE_START + PLT + 10;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip, CODE_START + OUTERMOST + 1);
	fixture.regs.ip = CODE_START + PLT + 11;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip, CODE_START + OUTERMOST + 2);
}

static void test_realigned(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + REALIGNED;
	fixture.regs.fp = STACK + 2 * 8;
	fixture.slots[1] = STACK + 10 * 8; // the frame address
	fixture.slots[2] = STACK + 20 * 8; // the caller's frame pointer
	fixture.slots[9] = CODE_START + USES_FP + 1;
	fixture.slots[21] = CODE_START + OUTERMOST + 1;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip, CODE_START + USES_FP + 1,
		    CODE_START + OUTERMOST + 1);
	fixture.regs.ip = CODE_START + STITCHED;
	fixture.slots[2] = STACK + 9 * 8;
	fixture.regs.fp = STACK + 20 * 8;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip, CODE_START + USES_FP + 1,
		    CODE_START + OUTERMOST + 1);
}

static void test_signal(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + LEAF;
	fixture.slots[0] = CODE_START + SIGNAL;
	fixture.slots[1 + 120 / 8] = STACK + 60 * 8;            // rbp
	fixture.slots[1 + 160 / 8] = STACK + 40 * 8;            // rsp
	fixture.slots[1 + 168 / 8] = CODE_START + ENDS_SECTION; // rip: the first instruction
	fixture.slots[43] = CODE_START + USES_FP + 1;
	fixture.slots[61] = CODE_START + OUTERMOST + 1;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip, CODE_START + SIGNAL,
		    CODE_START + ENDS_SECTION, CODE_START + USES_FP + 1,
		    CODE_START + OUTERMOST + 1);
	static const bool is_return_address[] = {false, false, false, true, true};
	assert_memory_equal(fixture.is_return_address, is_return_address,
			    sizeof(is_return_address));

	// On a stack of its own: what was interrupted is known, its callers are not in the copy.
	fixture.slots[1 + 160 / 8] = STACK - 0x1000;
	assert_int_equal(walk(&fixture), UNWIND_END_STACK);
	fixture.slots[1 + 160 / 8] = STACK + 0x100000;
	assert_walk(&fixture, UNWIND_END_STACK, fixture.regs.ip, CODE_START + SIGNAL,
		    CODE_START + ENDS_SECTION);
}

static void test_call_of_nothing(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.slots[0] = CODE_START + PUSHES + 1;
	fixture.slots[2] = CODE_START + OUTERMOST + 1;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, 0, CODE_START + PUSHES + 1,
		    CODE_START + OUTERMOST + 1);
	fixture.slots[0] = 1;
	assert_walk(&fixture, UNWIND_END_NO_CODE, 0);
}

static void test_frame_pointers(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = JIT_START + 1;
	fixture.regs.fp = STACK + 8;
	fixture.slots[1] = STACK + 4 * 8;
	fixture.slots[2] = JIT_START + 2;
	fixture.slots[4] = 0;
	fixture.slots[5] = CODE_START + GAP + 3; // between functions frame pointers help, too
	assert_walk(&fixture, UNWIND_END_NO_RULE, JIT_START + 1, JIT_START + 2,
		    CODE_START + GAP + 3);
	fixture.slots[4] = STACK + 6 * 8;
	fixture.slots[7] = JIT_START + 3;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, JIT_START + 1, JIT_START + 2,
		    CODE_START + GAP + 3, JIT_START + 3);

	fixture.regs.fp = STACK - 8;
	assert_walk(&fixture, UNWIND_END_NO_RULE, JIT_START + 1);
	fixture.regs.fp = STACK + 9;
	assert_walk(&fixture, UNWIND_END_NO_RULE, JIT_START + 1);
	fixture.regs.fp = STACK + sizeof(fixture.slots) - 8;
	assert_walk(&fixture, UNWIND_END_STACK, JIT_START + 1);
	fixture.regs.fp = UINT64_MAX - 7;
	assert_walk(&fixture, UNWIND_END_STACK, JIT_START + 1);
}

static void test_ends(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + OTHER_REG;
	assert_walk(&fixture, UNWIND_END_NO_RULE, fixture.regs.ip);

	fixture.regs.ip = CODE_START + STAYS;
	fixture.slots[0] = CODE_START + STAYS + 1;
	assert_walk(&fixture, UNWIND_END_LOOP, fixture.regs.ip);

	fixture.regs.ip = CODE_START + USES_FP;
	fixture.regs.fp = STACK - 16;
	assert_walk(&fixture, UNWIND_END_STACK, fixture.regs.ip);
	fixture.regs.fp = UINT64_MAX - 15;
	assert_walk(&fixture, UNWIND_END_STACK, fixture.regs.ip);

	fixture.regs.ip = CODE_START + LOSES_FP;
	fixture.slots[0] = CODE_START + USES_FP + 1;
	assert_walk(&fixture, UNWIND_END_NO_RULE, fixture.regs.ip, CODE_START + USES_FP + 1);
}

static void test_bad_return_address(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + LEAF;
	fixture.slots[0] = 0x999;
	assert_walk(&fixture, UNWIND_END_NO_CODE, fixture.regs.ip);
	fixture.slots[0] = 0;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, fixture.regs.ip);
	fixture.stack.size = 7;
	assert_walk(&fixture, UNWIND_END_STACK, fixture.regs.ip);
	fixture.stack.size = 0;
	assert_walk(&fixture, UNWIND_END_STACK, fixture.regs.ip);
}

static void test_room(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_x86_64(&fixture);
	fixture.regs.ip = CODE_START + LEAF;
	for (size_t i = 0; i < MAX_FRAMES - 2; i++)
		fixture.slots[i] = CODE_START + LEAF + 1;
	fixture.slots[MAX_FRAMES - 2] = CODE_START + OUTERMOST + 1;
	assert_int_equal(walk(&fixture), UNWIND_END_OUTERMOST);
	assert_int_equal(fixture.num_frames, MAX_FRAMES);
	fixture.slots[MAX_FRAMES - 2] = CODE_START + LEAF + 1;
	fixture.slots[MAX_FRAMES - 1] = CODE_START + OUTERMOST + 1;
	assert_int_equal(walk(&fixture), UNWIND_END_NO_ROOM);
	assert_int_equal(fixture.num_frames, MAX_FRAMES);
}

enum {
	ARM_LEAF = 0x100,     /* sp + 0, return address in x30 */
	ARM_FRAME = 0x200,    /* sp + 32, record at its bottom */
	ARM_FP = 0x300,       /* fp + 16 */
	ARM_START = 0x400,    /* the outermost */
	ARM_RESOLVER = 0x480, /* sp + 208, return address above: as the resolver of glibc */
};

static const struct function functions_aarch64[] = {
	{ARM_LEAF, 0x80, CODE("")},
	{ARM_FRAME, 0x80, CODE("\x2d\x0e\x20\x9d\x04\x9e\x03")},
	{ARM_FP, 0x80, CODE("\x0c\x1d\x10\x9d\x02\x9e\x01")},
	{ARM_START, 0x80, CODE("\x07\x1e")},
	{ARM_RESOLVER, 0x80, CODE("\x0e\xd0\x01\x11\x1e\x7f")},
};

static void setup_aarch64(struct fixture *fixture)
{
	setup(fixture, CFI_AARCH64);
	struct cfi_bytes out = {0};
	size_t common = put_common_aarch64(&out, "zR");
	add_functions(&out, common, functions_aarch64, ARRAY_SIZE(functions_aarch64));
	create_table(fixture, &out);
	fixture->regs.fp = STACK + 4 * 8;
	fixture->slots[0] = STACK + 6 * 8; // the frame record of ARM_FRAME
	fixture->slots[1] = CODE_START + ARM_FP + 4;
	fixture->slots[7] = CODE_START + ARM_START + 4;
}

static void test_aarch64_leaf(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = CODE_START + ARM_LEAF;
	fixture.regs.lr = CODE_START + ARM_FRAME + 4;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + ARM_LEAF,
		    CODE_START + ARM_FRAME + 4, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
	// A leaf cannot call: that its caller is another one is damage.
	fixture.regs.lr = CODE_START + ARM_LEAF + 4;
	assert_walk(&fixture, UNWIND_END_NO_RULE, CODE_START + ARM_LEAF, CODE_START + ARM_LEAF + 4);
}

static void test_aarch64_signed(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = CODE_START + ARM_LEAF;
	fixture.regs.lr = UINT64_C(0x2a5b000000000000) | (CODE_START + ARM_FRAME + 4);
	fixture.slots[1] |= UINT64_C(0xff7f000000000000);
	fixture.slots[7] |= UINT64_C(0x0030000000000000);
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + ARM_LEAF,
		    CODE_START + ARM_FRAME + 4, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
	// Where addresses have 52 bits, only those above are the signature.
	fixture.slots[1] = UINT64_C(0x7f30000000000000) | (wide_code + ARM_FP + 4);
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + ARM_LEAF,
		    CODE_START + ARM_FRAME + 4, wide_code + ARM_FP + 4, CODE_START + ARM_START + 4);
	// Nothing is there: nothing is made of it.
	fixture.slots[1] = UINT64_C(0x7f30000000000000);
	assert_walk(&fixture, UNWIND_END_NO_CODE, CODE_START + ARM_LEAF,
		    CODE_START + ARM_FRAME + 4);
}

static void test_aarch64_call_of_nothing(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.lr = CODE_START + ARM_FRAME + 4;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, 0, CODE_START + ARM_FRAME + 4,
		    CODE_START + ARM_FP + 4, CODE_START + ARM_START + 4);
}

/** The vdso's trampoline has no rows; the interrupted leaf has its caller in x30. */
static void test_aarch64_signal(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = VDSO_START + 0x80;
	fixture.slots[544 / 8] = STACK + 110 * 8;
	fixture.slots[552 / 8] = CODE_START + ARM_FP + 4;
	fixture.slots[560 / 8] = STACK + 100 * 8;
	fixture.slots[568 / 8] = CODE_START + ARM_LEAF;
	fixture.slots[111] = CODE_START + ARM_START + 4;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, VDSO_START + 0x80, CODE_START + ARM_LEAF,
		    CODE_START + ARM_FP + 4, CODE_START + ARM_START + 4);
	static const bool is_return_address[] = {false, false, true, true};
	assert_memory_equal(fixture.is_return_address, is_return_address,
			    sizeof(is_return_address));
}

static void test_aarch64_frame_pointers(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = JIT_START + 8;
	fixture.regs.fp = STACK;
	fixture.slots[1] |= UINT64_C(0x5500000000000000);
	assert_walk(&fixture, UNWIND_END_OUTERMOST, JIT_START + 8, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
}

/** Between functions, where the linker's stubs are, the caller is still in x30. */
static void test_aarch64_stub(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = CODE_START + GAP + 8;
	fixture.regs.lr = CODE_START + ARM_FRAME + 4;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + GAP + 8,
		    CODE_START + ARM_FRAME + 4, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
	fixture.regs.lr = 0;
	fixture.regs.fp = STACK;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + GAP + 8, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
}

/** A stub pushed two registers, of which the rules of what it jumped to know nothing. */
static void test_aarch64_resolver(void **state)
{
	_cleanup_(deinit) struct fixture fixture;
	setup_aarch64(&fixture);
	fixture.regs.ip = CODE_START + ARM_RESOLVER + 8;
	fixture.slots[27] = CODE_START + ARM_FRAME + 4;
	fixture.slots[28] = STACK + 40 * 8;
	fixture.slots[29] = CODE_START + ARM_FP + 4;
	fixture.slots[41] = CODE_START + ARM_START + 4;
	assert_walk(&fixture, UNWIND_END_OUTERMOST, CODE_START + ARM_RESOLVER + 8,
		    CODE_START + ARM_FRAME + 4, CODE_START + ARM_FP + 4,
		    CODE_START + ARM_START + 4);
}

int native_unwind_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_popped_frame_pointer),
		cmocka_unit_test(test_call_at_the_end),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_realigned),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_call_of_nothing),
		cmocka_unit_test(test_frame_pointers),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_bad_return_address),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_aarch64_leaf),
		cmocka_unit_test(test_aarch64_signed),
		cmocka_unit_test(test_aarch64_call_of_nothing),
		cmocka_unit_test(test_aarch64_signal),
		cmocka_unit_test(test_aarch64_frame_pointers),
		cmocka_unit_test(test_aarch64_stub),
		cmocka_unit_test(test_aarch64_resolver),
	};
	return cmocka_run_group_tests_name("native_unwind", tests, NULL, NULL);
}
