// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interpreter/python/value/python_string.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

struct fixture {
	struct image image;
	struct code_budget budget;
	struct python_code_table table;
};

static struct fixture *create(uint32_t minor)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	assert_non_null(fixture);
	image_init(&fixture->image, minor);
	python_code_table_init(&fixture->table, &fixture->image.runtime, &fixture->budget);
	return fixture;
}

static void destroyp(struct fixture **fixture)
{
	python_code_table_deinit(&(*fixture)->table);
	free(*fixture);
}

static uint32_t find(struct fixture *fixture, const struct interpreted_frame *frame)
{
	uint32_t index;
	assert_no_error(python_code_table_find(&fixture->table, frame, &index));
	return index;
}

static const char *text_of(struct fixture *fixture, uint32_t id)
{
	return string_table_get(&fixture->table.strings, id);
}

static void it_reads_a_code_object(void **state)
{
	static const uint8_t table[] = {0x80 | 0 << 3, 0x00, 0x80 | 12 << 3, 3, 9};
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	uint64_t code = image_code(image, "A.f", 40, table, sizeof(table));
	struct interpreted_frame frame = {
		.code = code,
		.instruction = code + image->runtime.layout.code_bytecode + 2,
		.version = 77,
	};
	uint32_t index = find(fixture, &frame);
	const struct python_code *found = &fixture->table.items[index];
	assert_string_equal(text_of(fixture, found->qualified_name), "A.f");
	assert_string_equal(text_of(fixture, found->file), "file.py");
	struct code_position position = python_code_position(&fixture->table, index, &frame);
	assert_int_equal(position.line, 42);
	assert_int_equal(position.column, 4);
	assert_int_equal(position.end_column, 10);
	frame.instruction -= 4; // before the first one
	assert_int_equal(python_code_offset(&fixture->table, index, &frame), -1);
	assert_int_equal(python_code_position(&fixture->table, index, &frame).line, 40);
	assert_int_equal(find(fixture, &frame), index);
}

static void code_at_a_used_address_is_another(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	uint64_t code = image_code(image, "old", 1, "", 0);
	struct interpreted_frame frame = {.code = code, .version = 77};
	uint32_t old = find(fixture, &frame);
	image_word(image, code + image->runtime.layout.code_qualified_name,
		   image_text(image, "new"));
	image_half(image, code + image->runtime.layout.code_version, 78);
	assert_int_equal(find(fixture, &frame), old);
	frame.version = 78;
	uint32_t new = find(fixture, &frame);
	assert_string_equal(text_of(fixture, fixture->table.items[new].qualified_name), "new");
	frame.version = 79; // it has never been there
	assert_int_equal(find(fixture, &frame), PYTHON_CODE_NONE);
	assert_int_equal(fixture->table.num_gone, 1);
}

/** As the walk in the kernel does it. */
static void copy_part(const struct image *image, struct object_copy_part *part, uint64_t address)
{
	part->address = address;
	part->size = sizeof(part->bytes);
	memcpy(part->bytes, image->bytes + (address - IMAGE_BASE), sizeof(part->bytes));
}

static struct object_copy copy_of(const struct image *image, uint64_t code)
{
	const struct python_walk *walk = &image->runtime.walk;
	const uint32_t pointers[] = {walk->code_name, walk->code_qualified_name, walk->code_file,
				     walk->code_lines};
	struct object_copy copy = {0};
	copy_part(image, &copy.parts[0], code);
	for (size_t i = 0; i < 4; i++) {
		uint64_t address;
		memcpy(&address, image->bytes + (code + pointers[i] - IMAGE_BASE), 8);
		if (pointers[i])
			copy_part(image, &copy.parts[1 + i], address);
	}
	return copy;
}

static void code_that_is_gone_is_read_from_a_copy(void **state)
{
	for (uint32_t minor = PYTHON_OLDEST_MINOR; minor <= 12; minor++) {
		_cleanup_(destroyp) struct fixture *fixture = create(minor);
		struct image *image = &fixture->image;
		struct interpreted_frame frame = {.code = image_code(image, "f", 30, "", 0)};
		frame.version = image_code_version(image, frame.code);
		const struct object_copy copy = copy_of(image, frame.code);
		memset(image->bytes, 0, sizeof(image->bytes));
		assert_int_equal(find(fixture, &frame), PYTHON_CODE_NONE);
		uint32_t index;
		assert_no_error(
			python_code_table_find_copied(&fixture->table, &frame, &copy, &index));
		const struct python_code *found = &fixture->table.items[index];
		assert_string_equal(text_of(fixture, found->qualified_name), "f");
		assert_string_equal(text_of(fixture, found->file), "file.py");
		assert_int_equal(found->lines.first_line, 30);
		assert_int_equal(find(fixture, &frame), index); // from now on it is known
		frame.version++;
		assert_no_error(
			python_code_table_find_copied(&fixture->table, &frame, &copy, &index));
		assert_int_equal(index, PYTHON_CODE_NONE);
	}
}

static void a_damaged_copy_is_none(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	struct interpreted_frame frame = {.code = image_code(image, "f", 30, "", 0), .version = 77};
	struct object_copy copy = copy_of(image, frame.code);
	uint32_t index;
	copy.parts[1].size = 8; // its name is on a page that was not there
	assert_no_error(python_code_table_find_copied(&fixture->table, &frame, &copy, &index));
	assert_int_equal(index, PYTHON_CODE_NONE);
	copy.parts[1].size = UINT32_MAX;
	assert_no_error(python_code_table_find_copied(&fixture->table, &frame, &copy, &index));
	assert_int_equal(index, PYTHON_CODE_NONE);
}

/** Up to 3.11 code has no number, and each module begins in line 1. */
static void a_module_at_a_used_address_is_another(void **state)
{
	for (uint32_t minor = PYTHON_OLDEST_MINOR; minor <= 11; minor++) {
		_cleanup_(destroyp) struct fixture *fixture = create(minor);
		struct image *image = &fixture->image;
		struct interpreted_frame frame = {.code = image_code(image, "<module>", 1, "", 0)};
		frame.version = image_code_version(image, frame.code);
		find(fixture, &frame);
		image_word(image, frame.code + image->runtime.layout.code_file,
			   image_text(image, "other.py"));
		uint32_t before = frame.version;
		frame.version = image_code_version(image, frame.code);
		assert_int_not_equal(frame.version, before);
		uint32_t other = find(fixture, &frame);
		assert_string_equal(text_of(fixture, fixture->table.items[other].file), "other.py");
	}
}

static void what_is_no_code_is_none(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	struct interpreted_frame frame = {.code = image_code(image, "f", 1, "", 0), .version = 77};
	image_word(image, frame.code + image->runtime.layout.object_type, 0x1000);
	assert_int_equal(find(fixture, &frame), PYTHON_CODE_NONE);
	frame.code = 0x10;
	assert_int_equal(find(fixture, &frame), PYTHON_CODE_NONE);
	frame.code = UINT64_MAX - 8;
	assert_int_equal(find(fixture, &frame), PYTHON_CODE_NONE);
}

static void a_table_of_lines_may_be_missing(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	struct interpreted_frame frame = {.code = image_code(image, "f", 1, "", 0), .version = 77};
	uint64_t huge = image_bytes_object(image, "", 0);
	image_word(image, huge + image->runtime.layout.bytes_size, UINT64_MAX);
	image_word(image, frame.code + image->runtime.layout.code_lines, huge);
	frame.instruction = frame.code + image->runtime.layout.code_bytecode;
	uint32_t index = find(fixture, &frame);
	assert_int_equal(python_code_position(&fixture->table, index, &frame).line, 0);
}

static void tables_of_lines_have_a_budget(void **state)
{
	static const uint8_t table[] = {0x80 | 12 << 3, 0x00};
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	const uint32_t start = image->runtime.layout.code_bytecode;
	struct interpreted_frame frame = {.code = image_code(image, "f", 30, table, sizeof(table)),
					  .version = 77};
	frame.instruction = frame.code + start;
	uint64_t full = fixture->budget.used = CODE_BUDGET_BYTES - 1;
	uint32_t index = find(fixture, &frame);
	assert_int_equal(python_code_position(&fixture->table, index, &frame).line, 0);
	assert_int_equal(fixture->budget.num_cuts, 1);
	assert_int_equal(fixture->budget.used, full);
	fixture->budget.used = CODE_BUDGET_BYTES - sizeof(table);
	frame.code = image_code(image, "g", 40, table, sizeof(table));
	frame.instruction = frame.code + start;
	index = find(fixture, &frame);
	assert_int_equal(python_code_position(&fixture->table, index, &frame).line, 42);
	assert_int_equal(fixture->budget.num_cuts, 1);
	assert_int_equal(fixture->budget.used, CODE_BUDGET_BYTES);
	python_code_table_deinit(&fixture->table);
	assert_int_equal(fixture->budget.used, CODE_BUDGET_BYTES - sizeof(table));
}

static void instructions_may_be_numbers(void **state)
{
	static const uint8_t table[] = {4, 1, 4, 1, 4, 1};
	_cleanup_(destroyp) struct fixture *fixture = create(10);
	struct interpreted_frame frame = {
		.code = image_code(&fixture->image, "f", 10, table, sizeof(table))};
	frame.version = image_code_version(&fixture->image, frame.code);
	uint32_t index = find(fixture, &frame);
	static const uint32_t lines[] = {11, 11, 12, 12, 13, 13};
	for (uint32_t i = 0; i < 6; i++) {
		frame.instruction = i;
		assert_int_equal(python_code_position(&fixture->table, index, &frame).line,
				 lines[i]);
	}
	frame.instruction = UINT32_MAX; // -1: it has not begun
	assert_int_equal(python_code_position(&fixture->table, index, &frame).line, 10);
}

static void threads_may_have_copies_of_bytecode(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(12);
	struct image *image = &fixture->image;
	struct python_layout *layout = &image->runtime.layout;
	layout->code_tlbc = 224;
	uint64_t code = image_code(image, "f", 1, "", 0);
	uint64_t array = image_alloc(image, 64);
	image_word(image, code + layout->code_tlbc, array);
	image_word(image, array, 3);
	image_word(image, array + 8 + 16, 0x5000);
	struct interpreted_frame frame = {
		.code = code, .version = 77, .instruction = 0x5008, .tlbc = 2};
	uint32_t index = find(fixture, &frame);
	assert_int_equal(python_code_offset(&fixture->table, index, &frame), 8);
	image_word(image, array, 0); // looked up once
	assert_int_equal(python_code_offset(&fixture->table, index, &frame), 8);
	frame.tlbc = 1; // not made
	assert_int_equal(python_code_offset(&fixture->table, index, &frame), -1);
	frame.tlbc = UINT16_MAX;
	assert_int_equal(python_code_offset(&fixture->table, index, &frame), -1);
}

static void assert_text(struct fixture *fixture, uint64_t address, uint32_t max,
			const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	const struct python_runtime *runtime = &fixture->image.runtime;
	assert_true(
		python_string_read(&runtime->memory, &runtime->layout, address, max, &text, NULL));
	assert_string_equal(string_builder_peek(&text), expected);
}

static void it_reads_strings_of_all_kinds(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(8);
	struct image *image = &fixture->image;
	static const uint16_t two[] = {'a', 0xe9, 0x540d, 0xdcff, 0xd800, 0};
	static const uint32_t four[] = {0x10348, 'z', 0x110000, 0xdc80};
	assert_text(fixture, image_text(image, "plain"), 100, "plain");
	assert_text(fixture, image_string(image, "\xe9t\xe9", 3, 1), 100, "\u00e9t\u00e9");
	assert_text(fixture, image_string(image, two, 6, 2), 100, "a\u00e9\u540d\xff\xef\xbf\xbd");
	assert_text(fixture, image_string(image, four, 4, 4), 100, "\U00010348z\xef\xbf\xbd\x80");
	assert_text(fixture, image_string(image, two, 6, 2), 2, "a\u00e9");
	assert_text(fixture, image_text(image, ""), 100, "");
}

static void what_is_no_string_is_refused(void **state)
{
	_cleanup_(destroyp) struct fixture *fixture = create(8);
	struct image *image = &fixture->image;
	const struct python_runtime *runtime = &image->runtime;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	uint64_t string = image_text(image, "x");
	static const uint32_t states[] = {
		0, UINT32_MAX, 8U << 2, (3U | 8) << 2, (2U | 8 | 16) << 2, 1U << 2};
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		image_half(image, string + runtime->layout.string_state, states[i]);
		assert_false(python_string_read(&runtime->memory, &runtime->layout, string, 100,
						&text, NULL));
	}
	image_half(image, string + runtime->layout.string_state, (1U | 8 | 16) << 2);
	image_word(image, string + runtime->layout.string_length, UINT64_MAX);
	assert_false(
		python_string_read(&runtime->memory, &runtime->layout, string, 100, &text, NULL));
	assert_false(python_string_read(&runtime->memory, &runtime->layout, 0, 100, &text, NULL));
	assert_int_equal(text.length, 0);
}

int python_code_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_reads_a_code_object),
		cmocka_unit_test(code_at_a_used_address_is_another),
		cmocka_unit_test(code_that_is_gone_is_read_from_a_copy),
		cmocka_unit_test(a_damaged_copy_is_none),
		cmocka_unit_test(a_module_at_a_used_address_is_another),
		cmocka_unit_test(what_is_no_code_is_none),
		cmocka_unit_test(a_table_of_lines_may_be_missing),
		cmocka_unit_test(tables_of_lines_have_a_budget),
		cmocka_unit_test(instructions_may_be_numbers),
		cmocka_unit_test(threads_may_have_copies_of_bytecode),
		cmocka_unit_test(it_reads_strings_of_all_kinds),
		cmocka_unit_test(what_is_no_string_is_refused),
	};
	return cmocka_run_group_tests_name("python_code", tests, NULL, NULL);
}
