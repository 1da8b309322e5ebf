// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_locals.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "interpreter/python/value/python_value.h"
#include "tests/unit/assert_error.h"
#include "tests/unit/python_image.h"

static struct image *create(uint32_t minor)
{
	struct image *image = malloc(sizeof(*image));
	assert_non_null(image);
	image_init(image, minor);
	return image;
}

static uint64_t make_type(struct image *image, const char *name, uint64_t flags)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t type = image_alloc(image, 512), text = image_alloc(image, strlen(name) + 1);
	image_put(image, text, name, strlen(name) + 1);
	image_word(image, type + layout->type_name, text);
	image_word(image, type + layout->type_flags, flags);
	return type;
}

static uint64_t make_object(struct image *image, const char *type, size_t size)
{
	uint64_t object = image_alloc(image, size);
	image_word(image, object + image->runtime.layout.object_type, make_type(image, type, 0));
	return object;
}

static uint64_t make_int(struct image *image, uint32_t value)
{
	uint64_t object = make_object(image, "int", 64);
	const struct python_layout *layout = &image->runtime.layout;
	image_word(image, object + layout->long_tag, layout->minor >= 12 ? 1 << 3 : 1);
	image_half(image, object + layout->long_digits, value);
	return object;
}

static uint64_t make_tuple(struct image *image, const uint64_t *items, size_t num)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t object = make_object(image, "tuple", 64 + num * sizeof(*items));
	image_word(image, object + layout->tuple_size, num);
	image_put(image, object + layout->tuple_items, items, num * sizeof(*items));
	return object;
}

static uint64_t make_list(struct image *image, uint64_t num, uint64_t items)
{
	uint64_t object = make_object(image, "list", 64);
	image_word(image, object + image->runtime.layout.list_size, num);
	image_word(image, object + image->runtime.layout.list_size + 8, items);
	return object;
}

static void assert_value(struct image *image, uint64_t object, const char *expected)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	python_value_append(&image->runtime, object, &text);
	assert_string_equal(string_builder_peek(&text), expected);
}

/** Its type and address is all that is shown. */
static void assert_named(struct image *image, uint64_t object, const char *type)
{
	char expected[64];
	snprintf(expected, sizeof(expected), "<%s at 0x%" PRIx64 ">", type, object);
	assert_value(image, object, expected);
}

static void values_are_as_repr_writes_them(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	uint64_t items[2] = {make_int(image, 5), make_object(image, "NoneType", 16)};
	uint64_t tuple = make_tuple(image, items, 2);
	assert_value(image, tuple, "(5, None)");
	assert_value(image, make_tuple(image, items, 1), "(5,)");
	assert_value(image, make_tuple(image, items, 0), "()");
	assert_value(image, make_list(image, 1, tuple + image->runtime.layout.tuple_items), "[5]");
	assert_value(image, make_list(image, 0, 0), "[]");
	uint64_t other = make_object(image, "array.array", 64);
	assert_named(image, other, "array.array");
}

static void types_of_the_program_are_named_only(void **state)
{
	enum { MADE_AT_RUN_TIME = 1 << 9 };
	_cleanup_free_ struct image *image = create(12);
	uint64_t object = make_int(image, 5);
	image_word(image, object + image->runtime.layout.object_type,
		   make_type(image, "int", MADE_AT_RUN_TIME));
	assert_named(image, object, "int");
}

static void what_is_no_object_is_not_followed(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	assert_value(image, 0, "<? at 0x0>");
	assert_value(image, 0x10, "<? at 0x10>");
	assert_value(image, UINT64_MAX, "<? at 0xffffffffffffffff>");
	uint64_t nameless = image_alloc(image, 64);
	image_word(image, nameless + image->runtime.layout.object_type, make_type(image, "", 0));
	assert_named(image, nameless, "?");
}

static void absurd_sizes_are_not_believed(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	static const uint64_t sizes[] = {UINT64_MAX, INT64_MAX, UINT64_C(1) << 61, 1000};
	for (size_t i = 0; i < 4; i++) {
		uint64_t list = make_list(image, sizes[i], UINT64_MAX - 8);
		assert_named(image, list, "list");
	}
	uint64_t number = make_int(image, 1);
	image_word(image, number + image->runtime.layout.long_tag, UINT64_MAX);
	assert_named(image, number, "int");
}

static void lists_in_themselves_end(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	uint64_t items = image_alloc(image, 16);
	uint64_t list = make_list(image, 2, items);
	image_word(image, items, list);
	image_word(image, items + 8, list);
	assert_value(image, list,
		     "[[[[...], [...]], [[...], [...]]], [[[...], [...]], [[...], [...]]]]");
}

static void long_ones_are_cut(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	uint64_t items = image_alloc(image, 8000);
	for (size_t i = 0; i < 1000; i++)
		image_word(image, items + i * 8, i < 10 ? make_int(image, 7) : 0);
	assert_value(image, make_list(image, 1000, items),
		     "[7, 7, 7, 7, 7, 7, 7, 7, 7, 7, ... 990 more]");
}

static void dicts_skip_what_was_deleted(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	uint64_t dict = make_object(image, "dict", 64), keys = image_alloc(image, 8192);
	image_word(image, dict + image->runtime.layout.dict_used, 2);
	image_word(image, dict + image->runtime.layout.dict_used + 16, keys);
	static const uint8_t sizes[] = {3, 3, 1}; // an index of 8 bytes; only strings
	image_put(image, keys + 8, sizes, sizeof(sizes));
	image_word(image, keys + 24, 3);
	uint64_t entry = keys + 32 + 8;
	image_word(image, entry, make_int(image, 1));
	image_word(image, entry + 8, make_int(image, 2));
	image_word(image, entry + 32, make_int(image, 3));
	image_word(image, entry + 40, make_int(image, 4));
	assert_value(image, dict, "{1: 2, 3: 4}");
	image_word(image, keys + 24, UINT64_MAX); // of which most were deleted
	image_word(image, dict + image->runtime.layout.dict_used, 9);
	assert_value(image, dict, "{1: 2, 3: 4, ... 7 more}");
	image_put(image, keys + 9, "\xff", 1);
	assert_named(image, dict, "dict");
}

/** A frame of 3.12 with a variable, one without a value, and one in a cell. */
struct frame_fixture {
	struct image *image;
	struct interpreted_frame frame;
	uint64_t address, slots;
};

static struct frame_fixture make_frame(struct image *image)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t names[3] = {image_text(image, "number"), image_text(image, "unset"),
			     image_text(image, "shared")};
	uint64_t code = image_code(image, "f", 1, "", 0);
	image_word(image, code + layout->code_local_names, make_tuple(image, names, 3));
	image_word(image, code + layout->code_local_kinds,
		   image_bytes_object(image, "\x20\x20\x40", 3));
	uint64_t cell = make_object(image, "cell", 32);
	image_word(image, cell + layout->object_type + 8, make_int(image, 8));
	uint64_t address = image_alloc(image, 256);
	image_frame(image, address, code, 0, code + layout->code_bytecode, 0);
	image_word(image, address + layout->frame_locals, make_int(image, 7));
	image_word(image, address + layout->frame_locals + 16, cell);
	return (struct frame_fixture){
		.image = image,
		.frame = {.code = code, .instruction = code + layout->code_bytecode},
		.address = address,
		.slots = address + layout->frame_locals,
	};
}

static bool read_locals(struct frame_fixture *fixture, struct python_locals *locals)
{
	bool is_there;
	assert_no_error(python_locals_read(locals, &fixture->image->runtime, &fixture->frame,
					   fixture->address, &is_there));
	return is_there;
}

static void variables_with_a_value_are_told(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	struct frame_fixture fixture = make_frame(image);
	_cleanup_(python_locals_deinit) struct python_locals locals = PYTHON_LOCALS_INIT;
	assert_true(read_locals(&fixture, &locals));
	assert_int_equal(locals.num_items, 2);
	assert_string_equal(python_locals_name(&locals, 0), "number");
	assert_string_equal(python_locals_value(&locals, 0), "7");
	assert_string_equal(python_locals_name(&locals, 1), "shared");
	assert_string_equal(python_locals_value(&locals, 1), "8");
}

static void a_frame_that_goes_on_has_no_variables(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	struct frame_fixture fixture = make_frame(image);
	_cleanup_(python_locals_deinit) struct python_locals locals = PYTHON_LOCALS_INIT;
	fixture.frame.instruction += 2;
	assert_false(read_locals(&fixture, &locals));
	fixture.frame.instruction -= 2;
	image_word(image, fixture.address + image->runtime.layout.frame_code, 0x1234);
	assert_false(read_locals(&fixture, &locals));
	fixture.address = UINT64_MAX - 4;
	assert_false(read_locals(&fixture, &locals));
	assert_int_equal(locals.num_items, 0);
}

static void too_many_names_are_cut(void **state)
{
	_cleanup_free_ struct image *image = create(12);
	struct frame_fixture fixture = make_frame(image);
	_cleanup_(python_locals_deinit) struct python_locals locals = PYTHON_LOCALS_INIT;
	uint64_t none = 0, names = make_tuple(image, &none, 0);
	image_word(image, names + image->runtime.layout.tuple_size, UINT64_MAX);
	image_word(image, fixture.frame.code + image->runtime.layout.code_local_names, names);
	assert_true(read_locals(&fixture, &locals));
	assert_true(locals.is_cut);
	image_word(image, fixture.frame.code + image->runtime.layout.code_local_names, 0);
	assert_false(read_locals(&fixture, &locals));
}

int python_locals_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_as_repr_writes_them),
		cmocka_unit_test(types_of_the_program_are_named_only),
		cmocka_unit_test(what_is_no_object_is_not_followed),
		cmocka_unit_test(absurd_sizes_are_not_believed),
		cmocka_unit_test(lists_in_themselves_end),
		cmocka_unit_test(long_ones_are_cut),
		cmocka_unit_test(dicts_skip_what_was_deleted),
		cmocka_unit_test(variables_with_a_value_are_told),
		cmocka_unit_test(a_frame_that_goes_on_has_no_variables),
		cmocka_unit_test(too_many_names_are_cut),
	};
	return cmocka_run_group_tests_name("python_locals", tests, NULL, NULL);
}
