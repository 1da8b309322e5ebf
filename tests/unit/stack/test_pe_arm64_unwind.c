// SPDX-License-Identifier: Apache-2.0

// What compilers make is compared in tests/unwind/pe_arm64.py; here is what they do not make.

#include "stack/native_unwind.h"
#include "stack/pe/pe_unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { CODE = 0x1000, INFO = 0x2000, SIZE = 0x1000, MAX_FUNCTIONS = 4 };

struct image {
	uint8_t info[SIZE];
	uint32_t functions[MAX_FUNCTIONS][2];
	size_t num_functions;
};

static struct object_bytes bytes_at(void *context, uint32_t address)
{
	static const uint8_t code[SIZE];
	struct image *image = context;
	if (address >= CODE && address < CODE + SIZE)
		return (struct object_bytes){&code[address - CODE], CODE + SIZE - address, address};
	if (address >= INFO && address < INFO + SIZE)
		return (struct object_bytes){&image->info[address - INFO], INFO + SIZE - address,
					     address};
	return (struct object_bytes){0};
}

static struct cfi_table table_of(struct image *image)
{
	const struct pe_unwind_image input = {
		.arm64_functions = {(const uint8_t *)image->functions,
				    image->num_functions * sizeof(*image->functions), 0},
		.bytes_at = bytes_at,
		.context = image,
	};
	struct cfi_table table = CFI_TABLE_INIT;
	assert_no_error(pe_unwind_create(&input, &table));
	return table;
}

static void add_word(struct image *image, uint32_t place, uint32_t word)
{
	image->functions[image->num_functions][0] = CODE + place;
	image->functions[image->num_functions++][1] = word;
}

/** A function of 16 instructions without ends that has these codes. */
static struct image image_with(const uint8_t *codes, size_t size)
{
	struct image image = {0};
	const uint32_t head = 16 | (uint32_t)(size + 3) / 4 << 27;
	memcpy(image.info, &head, sizeof(head));
	memcpy(image.info + sizeof(head), codes, size);
	add_word(&image, 0, INFO);
	return image;
}

static const struct cfi_row *row_at(const struct cfi_table *table, uint32_t place)
{
	const struct cfi_row *row = cfi_table_find(table, CODE + place);
	assert_non_null(row);
	return row;
}

static void expect_interrupted(const uint8_t *codes, size_t size, struct cfi_row expected)
{
	struct image image = image_with(codes, size);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	const struct cfi_row *row = row_at(&table, 40);
	assert_int_equal(table.num_bad, 0);
	assert_int_equal(row->cfa, expected.cfa);
	assert_int_equal(row->cfa_offset, expected.cfa_offset);
	assert_int_equal(row->return_address, expected.return_address);
	assert_int_equal(row->return_offset, expected.return_offset);
	assert_int_equal(row->frame_pointer, expected.frame_pointer);
	assert_int_equal(row->frame_pointer_offset, expected.frame_pointer_offset);
	assert_true(row->is_signal_frame);
	assert_int_equal(row->lacks_link_register, expected.lacks_link_register);
}

static void it_goes_on_with_what_was_interrupted(void **state)
{
	(void)state;
	// All registers of Arm64, from where the frame begins, 32 bytes above the stack pointer.
	static const uint8_t context[] = {0x02, 0xea, 0xe4};
	expect_interrupted(context, sizeof(context),
			   (struct cfi_row){.cfa = CFI_CFA_DEREF_SP,
					    .cfa_offset = 32 + 0x100,
					    .return_address = CFI_SAVED_SP,
					    .return_offset = 32 + 0x108,
					    .frame_pointer = CFI_SAVED_SP,
					    .frame_pointer_offset = 32 + 0xf0});
	static const uint8_t ec[] = {0xec, 0xeb, 0xe4};
	expect_interrupted(ec, sizeof(ec),
			   (struct cfi_row){.cfa = CFI_CFA_DEREF_SP,
					    .cfa_offset = 0x98,
					    .return_address = CFI_SAVED_SP,
					    .return_offset = 0xf8,
					    .frame_pointer = CFI_SAVED_SP,
					    .frame_pointer_offset = 0xa0,
					    .lacks_link_register = true});
	// The stack pointer and an address; below them a frame with a frame pointer.
	static const uint8_t machine[] = {0xe1, 0x40, 0x03, 0xe9, 0xe4};
	expect_interrupted(machine, sizeof(machine),
			   (struct cfi_row){.cfa = CFI_CFA_DEREF_FP,
					    .cfa_offset = 48,
					    .return_address = CFI_SAVED_FP,
					    .return_offset = 56,
					    .frame_pointer = CFI_SAVED_FP,
					    .frame_pointer_offset = 0,
					    .lacks_link_register = true});
}

static bool find_module(void *context, uint64_t address, struct unwind_module *ret)
{
	*ret = (struct unwind_module){.table = context};
	return address >= CODE && address < CODE + SIZE;
}

/** How many frames a walk from a handler finds, whose stack begins with a context. */
static size_t walk_from(const uint8_t *codes, size_t size, const uint64_t *context,
			size_t num_words, uint64_t *frames)
{
	enum { STACK = 0x70000, MAX_FRAMES = 8 };
	struct image image = image_with(codes, size);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	const struct unwind_space space = {
		.machine = CFI_AARCH64, .find_module = find_module, .context = &table};
	const struct unwind_regs regs = {.ip = CODE + 40, .sp = STACK, .lr = CODE + 44};
	const struct stack_copy stack = {STACK, (const uint8_t *)context,
					 num_words * sizeof(*context)};
	bool is_return_address[MAX_FRAMES];
	size_t num = 0;
	native_unwind(&space, &regs, &stack, frames, is_return_address, NULL, MAX_FRAMES, &num);
	return num;
}

static void it_walks_through_what_was_interrupted(void **state)
{
	(void)state;
	uint64_t words[0x40] = {0};
	uint64_t frames[8];
	// A leaf was interrupted; of all registers of Arm64 its return address is one.
	words[0x100 / 8] = 0x70200;
	words[0x108 / 8] = CODE + 0x200;
	words[0xf8 / 8] = CODE + 0x300;
	static const uint8_t context[] = {0xea, 0xe4};
	assert_int_equal(walk_from(context, sizeof(context), words, 0x40, frames), 3);
	assert_int_equal(frames[1], CODE + 0x200);
	assert_int_equal(frames[2], CODE + 0x300);
	// Those of a machine frame are two, and the leaf's caller is not known.
	words[0] = 0x70200;
	words[1] = CODE + 0x200;
	static const uint8_t machine[] = {0xe9, 0xe4};
	assert_int_equal(walk_from(machine, sizeof(machine), words, 0x40, frames), 2);
	assert_int_equal(frames[1], CODE + 0x200);
}

static void it_says_what_it_does_not_know(void **state)
{
	(void)state;
	static const uint8_t codes[][8] = {
		{0x81, 0xdf, 0x02, 0xe4}, // a frame with registers of SVE
		{0xe8, 0xe4},             // the kernel's trap frame
		{0xfa, 1, 2, 3, 0xe4},    // no code yet, of four bytes
		{0xfd, 0xe4},             // nor this one
		{0xe7, 0x80, 0x00, 0xe4}, // any register, in a way that is none yet
		{0x81, 0xe9, 0x01, 0xe4}, // an interruption that is not the beginning
	};
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		struct image image = image_with(codes[i], sizeof(codes[i]));
		_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
		assert_int_equal(row_at(&table, 40)->cfa, CFI_CFA_UNKNOWN);
		assert_int_equal(row_at(&table, 64)->cfa, CFI_CFA_SP); // behind it
	}
}

static void it_skips_saves_of_sve_registers(void **state)
{
	(void)state;
	// z8 and p4
	static const uint8_t codes[] = {0xe7, 0x00, 0xc1, 0xe7, 0x14, 0xc0, 0xe4};
	struct image image = image_with(codes, sizeof(codes));
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	assert_int_equal(row_at(&table, 40)->cfa, CFI_CFA_SP);
	assert_int_equal(row_at(&table, 40)->cfa_offset, 0);
}

static void it_reads_records_of_many_codes(void **state)
{
	(void)state;
	// 40 words of codes and 1 end are more than the first word can say.
	struct image image = {0};
	const uint32_t head[] = {256, 1 | 40 << 16, 200 | 158U << 22};
	memcpy(image.info, head, sizeof(head));
	uint8_t *codes = image.info + sizeof(head);
	memset(codes, 0xe3, 160);
	codes[156] = 0x02;
	codes[157] = 0xe4;
	codes[158] = 0x02;
	codes[159] = 0xe4;
	add_word(&image, 0, INFO);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	assert_int_equal(table.num_bad, 0);
	assert_int_equal(row_at(&table, 0)->cfa_offset, 0);
	assert_int_equal(row_at(&table, 4)->cfa_offset, 32);
	assert_int_equal(row_at(&table, 800)->cfa_offset, 32);
	assert_int_equal(row_at(&table, 804)->cfa_offset, 0);
	assert_int_equal(row_at(&table, 808)->cfa_offset, 32);
	assert_int_equal(row_at(&table, 1024)->cfa_offset, 0);
}

static void it_leaves_out_what_is_damaged(void **state)
{
	(void)state;
	struct image image = {0};
	const uint32_t infos[] = {
		16 | 1 << 18 | 1 << 27, 0xe4,              // a version that does not exist
		16 | 1 << 27,           0xe3e3e3e3,        // codes without an end
		16 | 1 << 22 | 1 << 27, 8 | 9 << 22, 0xe4, // an end whose codes are not there
	};
	memcpy(image.info, infos, sizeof(infos));
	add_word(&image, 0, INFO);
	add_word(&image, 64, INFO + 8);
	add_word(&image, 128, INFO + 16);
	add_word(&image, 32, 1 | 4 << 2); // begins before the one before
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	assert_int_equal(table.num_bad, 4);
	assert_int_equal(row_at(&table, 0)->cfa, CFI_CFA_UNKNOWN);
	assert_int_equal(row_at(&table, 64)->cfa, CFI_CFA_UNKNOWN);
	assert_int_equal(row_at(&table, 128)->cfa, CFI_CFA_SP);
}

static void it_refuses_words_that_no_compiler_makes(void **state)
{
	(void)state;
	const uint32_t words[] = {
		1 | 8 << 2 | 12 << 16 | 8U << 23,          // twelve registers
		1 | 8 << 2 | 10 << 16 | 1U << 23,          // more than the frame has room for
		1 | 8 << 2 | 1 << 16 | 1 << 21 | 1U << 23, // x19 with the return address
	};
	struct image image = {0};
	for (uint32_t i = 0; i < 3; i++)
		add_word(&image, i * 64, words[i]);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	assert_int_equal(table.num_bad, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(row_at(&table, i * 64)->cfa, CFI_CFA_UNKNOWN);
}

static void it_goes_by_the_code_map(void **state)
{
	(void)state;
	static const struct object_code_range ranges[] = {
		{CODE, 64, OBJECT_MACHINE_AARCH64},
		{CODE + 128, 64, OBJECT_MACHINE_X86_64},
	};
	static const uint8_t codes[] = {0x02, 0xe4};
	struct image image = image_with(codes, sizeof(codes));
	const struct pe_unwind_image input = {
		.arm64_functions = {(const uint8_t *)image.functions, 8, 0},
		.ranges = ranges,
		.num_ranges = 2,
		.bytes_at = bytes_at,
		.context = &image,
	};
	_cleanup_(cfi_table_deinit) struct cfi_table table = CFI_TABLE_INIT;
	assert_no_error(pe_unwind_create(&input, &table));
	assert_int_equal(row_at(&table, 40)->cfa_offset, 32);
	assert_int_equal(row_at(&table, 40)->return_address, CFI_SAVED_SAME);
	assert_int_equal(row_at(&table, 100)->cfa, CFI_CFA_GAP);
	assert_int_equal(row_at(&table, 140)->cfa_offset, 8); // a leaf of x64
	assert_int_equal(row_at(&table, 140)->return_address, CFI_SAVED_CFA);
	assert_int_equal(row_at(&table, 192)->cfa, CFI_CFA_GAP);
}

int pe_arm64_unwind_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_goes_on_with_what_was_interrupted),
		cmocka_unit_test(it_walks_through_what_was_interrupted),
		cmocka_unit_test(it_says_what_it_does_not_know),
		cmocka_unit_test(it_skips_saves_of_sve_registers),
		cmocka_unit_test(it_reads_records_of_many_codes),
		cmocka_unit_test(it_leaves_out_what_is_damaged),
		cmocka_unit_test(it_refuses_words_that_no_compiler_makes),
		cmocka_unit_test(it_goes_by_the_code_map),
	};
	return cmocka_run_group_tests_name("pe_arm64_unwind", tests, NULL, NULL);
}
