// SPDX-License-Identifier: Apache-2.0

#include "object/probe_notes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/assert_error.h"

enum { ROOM = 512 };

/** A section while it is written. */
struct section {
	uint8_t bytes[ROOM];
	size_t size;
};

static void put(struct section *section, const void *bytes, size_t size)
{
	memcpy(section->bytes + section->size, bytes, size);
	section->size += size;
}

static void put32(struct section *section, uint32_t value)
{
	put(section, &value, sizeof(value));
}

static void put64(struct section *section, uint64_t value)
{
	put(section, &value, sizeof(value));
}

static void align(struct section *section)
{
	while (section->size % 4)
		section->bytes[section->size++] = 0;
}

static const char texts[] = "py\0line\0-4@%edi 8@%rsi";

static void put_note_of(struct section *section, const char *owner, uint32_t type, uint64_t address)
{
	put32(section, (uint32_t)strlen(owner) + 1);
	put32(section, 3 * sizeof(uint64_t) + sizeof(texts));
	put32(section, type);
	put(section, owner, strlen(owner) + 1);
	align(section);
	put64(section, address);
	put64(section, 0x2000); // base
	put64(section, 0x3000); // semaphore
	put(section, texts, sizeof(texts));
	align(section);
}

static void a_note_is_read(void **state)
{
	struct section section = {.size = 0};
	put_note_of(&section, "stapsdt", 3, 0x1000);
	struct probe_notes notes = probe_notes_create(section.bytes, section.size, 0);
	struct probe_note note;
	assert_true(probe_notes_next(&notes, &note));
	assert_string_equal(note.provider, "py");
	assert_string_equal(note.name, "line");
	assert_string_equal(note.arguments, "-4@%edi 8@%rsi");
	assert_int_equal(note.address, 0x1000);
	assert_int_equal(note.semaphore, 0x3000);
	assert_false(probe_notes_next(&notes, &note));
}

static void addresses_move_with_the_base(void **state)
{
	struct section section = {.size = 0};
	put_note_of(&section, "stapsdt", 3, 0x1000);
	struct probe_notes notes = probe_notes_create(section.bytes, section.size, 0x2100);
	struct probe_note note;
	assert_true(probe_notes_next(&notes, &note));
	assert_int_equal(note.address, 0x1100);
	assert_int_equal(note.semaphore, 0x3100);
}

static void other_notes_are_left_out(void **state)
{
	struct section section = {.size = 0};
	put_note_of(&section, "GNU", 3, 1);
	put_note_of(&section, "stapsdt", 4, 2);
	put_note_of(&section, "stapsdt", 3, 3);
	struct probe_notes notes = probe_notes_create(section.bytes, section.size, 0);
	struct probe_note note;
	assert_true(probe_notes_next(&notes, &note));
	assert_int_equal(note.address, 3);
	assert_false(probe_notes_next(&notes, &note));
}

/** Wherever it is cut, nothing behind the end is read, and no half a note is given. */
static void cut_sections_end(void **state)
{
	struct section section = {.size = 0};
	put_note_of(&section, "stapsdt", 3, 1);
	size_t whole = section.size;
	put_note_of(&section, "stapsdt", 3, 2);
	// The last byte only aligns what could follow.
	for (size_t size = 0; size < section.size - 1; size++) {
		struct probe_notes notes = probe_notes_create(section.bytes, size, 0);
		struct probe_note note;
		size_t num = 0;
		while (probe_notes_next(&notes, &note))
			num++;
		assert_true(num == (size >= whole - 1));
	}
}

static void sizes_that_wrap_around_end(void **state)
{
	struct section section = {.size = 0};
	put32(&section, UINT32_MAX);
	put32(&section, UINT32_MAX);
	put32(&section, 3);
	put_note_of(&section, "stapsdt", 3, 2);
	struct probe_notes notes = probe_notes_create(section.bytes, section.size, 0);
	struct probe_note note;
	assert_false(probe_notes_next(&notes, &note));
}

__attribute__((noinline)) int probe_notes_test_function(int number);
int probe_notes_test_function(int number)
{
	return number + 1;
}

static void functions_are_found_by_name(void **state)
{
	_cleanup_(object_destroyp) struct object *object = NULL;
	assert_no_error(object_open("/proc/self/exe", "", &object));
	struct object_function function;
	bool is_found;
	assert_no_error(object_find_named_function(object, "probe_notes_test_function", &function,
						   &is_found));
	assert_true(is_found);
	assert_false(function.is_chooser);
	uint64_t offset, address;
	assert_true(object_code_offset(object, function.address, &offset));
	assert_true(object_offset_to_address(object, offset, &address));
	assert_int_equal(address, function.address);
	// The headers are loaded, but are no code.
	assert_true(object_offset_to_address(object, 0, &address));
	assert_true(object_address_to_offset(object, address, &offset));
	assert_false(object_code_offset(object, address, &offset));
	assert_no_error(object_find_named_function(object, "probe_notes_no_function", &function,
						   &is_found));
	assert_false(is_found);
}

int probe_notes_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_note_is_read),
		cmocka_unit_test(addresses_move_with_the_base),
		cmocka_unit_test(other_notes_are_left_out),
		cmocka_unit_test(cut_sections_end),
		cmocka_unit_test(sizes_that_wrap_around_end),
		cmocka_unit_test(functions_are_found_by_name),
	};
	return cmocka_run_group_tests_name("probe_notes", tests, NULL, NULL);
}
