// SPDX-License-Identifier: Apache-2.0

#include "stack/pe/pe_unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { CODE = 0x1000, INFO = 0x2000, SIZE = 0x100, MAX_FUNCTIONS = 4 };

/** An image: code, what is said of its functions, and their table. */
struct image {
	uint8_t code[SIZE], info[SIZE];
	uint32_t functions[MAX_FUNCTIONS][3];
};

static struct object_bytes bytes_at(void *context, uint32_t address)
{
	struct image *image = context;
	if (address >= CODE && address < CODE + SIZE)
		return (struct object_bytes){image->code + (address - CODE), CODE + SIZE - address,
					     address};
	if (address >= INFO && address < INFO + SIZE)
		return (struct object_bytes){image->info + (address - INFO), INFO + SIZE - address,
					     address};
	return (struct object_bytes){0};
}

static struct cfi_table table_of(struct image *image)
{
	const struct pe_unwind_image input = {
		.x64_functions = {(const uint8_t *)image->functions, sizeof(image->functions), 0},
		.bytes_at = bytes_at,
		.context = image,
	};
	struct cfi_table table = CFI_TABLE_INIT;
	assert_no_error(pe_unwind_create(&input, &table));
	return table;
}

static void add_function(struct image *image, size_t index, uint32_t start, uint32_t end,
			 uint32_t info)
{
	image->functions[index][0] = CODE + start;
	image->functions[index][1] = CODE + end;
	image->functions[index][2] = INFO + info;
}

static void expect(const struct cfi_table *table, uint32_t place, enum cfi_cfa cfa, int32_t offset,
		   enum cfi_saved frame_pointer, int32_t frame_pointer_offset)
{
	const struct cfi_row *row = cfi_table_find(table, CODE + place);
	assert_non_null(row);
	assert_int_equal(row->cfa, cfa);
	if (cfa == CFI_CFA_UNKNOWN)
		return;
	assert_int_equal(row->cfa_offset, offset);
	assert_int_equal(row->return_address, CFI_SAVED_CFA);
	assert_int_equal(row->return_offset, -8);
	assert_int_equal(row->frame_pointer, frame_pointer);
	if (frame_pointer == CFI_SAVED_CFA)
		assert_int_equal(row->frame_pointer_offset, frame_pointer_offset);
}

static void it_follows_a_beginning_to_its_end(void **state)
{
	(void)state;
	struct image image = {0};
	// push rbp; push r12; sub rsp, 40 ... add rsp, 40; pop r12; pop rbp; ret
	static const uint8_t info[] = {1, 7, 3, 0, 7, 4 << 4 | 2, 3, 12 << 4, 1, 5 << 4};
	static const uint8_t end[] = {0x41, 0x5c, 0x5d, 0xc3};
	memcpy(image.info, info, sizeof(info));
	memcpy(image.code + 28, end, sizeof(end));
	add_function(&image, 0, 0, 32, 0);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	expect(&table, 0, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0);
	expect(&table, 1, CFI_CFA_SP, 16, CFI_SAVED_CFA, -16);
	expect(&table, 3, CFI_CFA_SP, 24, CFI_SAVED_CFA, -16);
	expect(&table, 7, CFI_CFA_SP, 64, CFI_SAVED_CFA, -16);
	expect(&table, 27, CFI_CFA_SP, 64, CFI_SAVED_CFA, -16);
	expect(&table, 28, CFI_CFA_SP, 24, CFI_SAVED_CFA, -16);
	expect(&table, 30, CFI_CFA_SP, 16, CFI_SAVED_CFA, -16);
	expect(&table, 31, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0);
	expect(&table, 32, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0); // a leaf function
	assert_int_equal(table.num_bad, 0);
}

static void it_knows_ends_in_the_middle(void **state)
{
	(void)state;
	struct image image = {0};
	// push rsi; push r12; sub rsp, 40
	static const uint8_t info[] = {1, 7, 3, 0, 7, 4 << 4 | 2, 3, 12 << 4, 1, 6 << 4};
	static const uint8_t code[] = {
		0x48, 0x83, 0xc4, 40, 0x41, 0x5c, 0x5e, 0xc3,       // 16: returns
		0x48, 0x83, 0xc4, 40, 0x41, 0x5c, 0x5e, 0xeb, 0xee, // 24: goes on at its own 15
		0x48, 0x83, 0xc4, 40, 0x41, 0x5c, 0x5e, 0xe9, 0,    0,    1, 0, // 33: elsewhere
		0x48, 0x83, 0xc4, 48, 0x41, 0x5c, 0x5e, 0xc3, // 45: of another frame
		0x48, 0x83, 0xc4, 40, 0x41, 0x5c, 0x5e, 0x48, 0xff, 0x25, 0, 0,
		0,    0, // 53: to an address in memory
	};
	memcpy(image.info, info, sizeof(info));
	memcpy(image.code + 16, code, sizeof(code));
	add_function(&image, 0, 0, 80, 0);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	static const struct {
		uint32_t place;
		int32_t offset;
	} cases[] = {{16, 64}, {20, 24}, {22, 16}, {23, 8},  {24, 64}, {28, 64}, {33, 64}, {37, 24},
		     {40, 8},  {45, 64}, {49, 64}, {53, 64}, {57, 24}, {60, 8},  {67, 64}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect(&table, cases[i].place, CFI_CFA_SP, cases[i].offset, CFI_SAVED_SAME, 0);
}

static void it_knows_ends_by_the_frame_pointer(void **state)
{
	(void)state;
	struct image image = {0};
	// push rbp; sub rsp, 48; lea rbp, [rsp + 48] ... lea rsp, [rbp]; pop rbp; ret
	static const uint8_t info[] = {1, 10, 3, 5 | 3 << 4, 10, 3, 5, 5 << 4 | 2, 1, 5 << 4};
	static const uint8_t code[] = {0x48, 0x8d, 0x65, 0, 0x5d, 0xc3};
	memcpy(image.info, info, sizeof(info));
	memcpy(image.code + 16, code, sizeof(code));
	add_function(&image, 0, 0, 48, 0);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	expect(&table, 19, CFI_CFA_FP, 16, CFI_SAVED_CFA, -16);
	expect(&table, 20, CFI_CFA_SP, 16, CFI_SAVED_CFA, -16);
	expect(&table, 21, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0);
	expect(&table, 22, CFI_CFA_FP, 16, CFI_SAVED_CFA, -16);
}

static void it_follows_frame_registers(void **state)
{
	(void)state;
	struct image image = {0};
	// push rbp; sub rsp, 0x1000; lea rbp, [rsp + 0x80]
	static const uint8_t rbp[] = {1, 16, 4, 5 | 8 << 4, 16, 3, 8, 1, 0, 2, 1, 5 << 4};
	// The same with rbx, of which a walk knows nothing.
	static const uint8_t rbx[] = {1, 4, 1, 3, 4, 3};
	memcpy(image.info, rbp, sizeof(rbp));
	memcpy(image.info + 32, rbx, sizeof(rbx));
	add_function(&image, 0, 0, 32, 0);
	add_function(&image, 1, 32, 64, 32);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	expect(&table, 8, CFI_CFA_SP, 16 + 0x1000, CFI_SAVED_CFA, -16);
	expect(&table, 16, CFI_CFA_FP, 16 + 0x1000 - 0x80, CFI_SAVED_CFA, -16);
	expect(&table, 32, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0);
	expect(&table, 36, CFI_CFA_UNKNOWN, 0, CFI_SAVED_SAME, 0);
}

static void it_follows_what_is_saved_without_a_push(void **state)
{
	(void)state;
	struct image image = {0};
	// sub rsp, 0x100008; mov [rsp + 0x30], rbp; movaps [rsp + 0x40], xmm6
	static const uint8_t info[] = {1,          16, 7, 0, 16,         6 << 4 | 8, 4, 0,  12,
				       5 << 4 | 4, 6,  0, 8, 1 << 4 | 1, 8,          0, 16, 0};
	memcpy(image.info, info, sizeof(info));
	add_function(&image, 0, 0, 32, 0);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	expect(&table, 8, CFI_CFA_SP, 0x100010, CFI_SAVED_SAME, 0);
	expect(&table, 12, CFI_CFA_SP, 0x100010, CFI_SAVED_CFA, 0x30 - 0x100010);
	expect(&table, 20, CFI_CFA_SP, 0x100010, CFI_SAVED_CFA, 0x30 - 0x100010);
}

static void it_goes_on_with_what_was_interrupted(void **state)
{
	(void)state;
	struct image image = {0};
	// The CPU pushed five words, or six; push rbp; sub rsp, 32
	static const uint8_t five[] = {1, 5, 3, 0, 5, 3 << 4 | 2, 1, 5 << 4, 0, 10};
	static const uint8_t six[] = {1, 5, 3, 0, 5, 3 << 4 | 2, 1, 5 << 4, 0, 10 | 1 << 4};
	memcpy(image.info, five, sizeof(five));
	memcpy(image.info + 32, six, sizeof(six));
	add_function(&image, 0, 0, 32, 0);
	add_function(&image, 1, 32, 64, 32);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	for (int32_t error = 0; error <= 8; error += 8) {
		const struct cfi_row *row = cfi_table_find(&table, CODE + 10 + 4 * (uint32_t)error);
		assert_int_equal(row->cfa, CFI_CFA_DEREF_SP);
		assert_int_equal(row->cfa_offset, 40 + error + 24);
		assert_int_equal(row->return_address, CFI_SAVED_SP);
		assert_int_equal(row->return_offset, 40 + error);
		assert_int_equal(row->frame_pointer, CFI_SAVED_SP);
		assert_int_equal(row->frame_pointer_offset, 32);
		assert_true(row->is_signal_frame);
	}
}

static void it_goes_on_with_the_part_before(void **state)
{
	(void)state;
	struct image image = {0};
	// push rbp; sub rsp, 32, and elsewhere: mov [rsp + 8], rbp behind what was done before
	static const uint8_t first[] = {1, 5, 2, 0, 5, 3 << 4 | 2, 1, 5 << 4};
	static const uint8_t second[] = {1 | 4 << 3, 4, 1, 0, 4, 1 << 4 | 2, 0, 0};
	const uint32_t parent[] = {CODE, CODE + 16, INFO};
	memcpy(image.info, first, sizeof(first));
	memcpy(image.info + 32, second, sizeof(second));
	memcpy(image.info + 32 + sizeof(second), parent, sizeof(parent));
	add_function(&image, 0, 0, 16, 0);
	add_function(&image, 1, 64, 96, 32);
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	expect(&table, 20, CFI_CFA_SP, 8, CFI_SAVED_SAME, 0); // between them
	expect(&table, 64, CFI_CFA_SP, 48, CFI_SAVED_CFA, -16);
	expect(&table, 68, CFI_CFA_SP, 64, CFI_SAVED_CFA, -16);
}

static void it_leaves_out_what_is_damaged(void **state)
{
	(void)state;
	struct image image = {0};
	// A version that does not exist, itself as the part before, and a place that is not there.
	static const uint8_t itself[] = {1 | 4 << 3, 0, 0, 0};
	const uint32_t parent[] = {CODE, CODE + 16, INFO + 32};
	image.info[0] = 7;
	memcpy(image.info + 32, itself, sizeof(itself));
	memcpy(image.info + 32 + sizeof(itself), parent, sizeof(parent));
	add_function(&image, 0, 0, 16, 0);
	add_function(&image, 1, 16, 32, 32);
	add_function(&image, 2, 32, 48, 0x5000);
	add_function(&image, 3, 8, 24, 0); // begins before the one before
	_cleanup_(cfi_table_deinit) struct cfi_table table = table_of(&image);
	for (uint32_t place = 0; place < 48; place += 16)
		expect(&table, place, CFI_CFA_UNKNOWN, 0, CFI_SAVED_SAME, 0);
	assert_int_equal(table.num_bad, 4);
}

int pe_unwind_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_follows_a_beginning_to_its_end),
		cmocka_unit_test(it_knows_ends_in_the_middle),
		cmocka_unit_test(it_knows_ends_by_the_frame_pointer),
		cmocka_unit_test(it_follows_frame_registers),
		cmocka_unit_test(it_follows_what_is_saved_without_a_push),
		cmocka_unit_test(it_goes_on_with_what_was_interrupted),
		cmocka_unit_test(it_goes_on_with_the_part_before),
		cmocka_unit_test(it_leaves_out_what_is_damaged),
	};
	return cmocka_run_group_tests_name("pe_unwind", tests, NULL, NULL);
}
