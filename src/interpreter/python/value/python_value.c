// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_value.h"

#include "interpreter/python/value/python_dict.h"
#include "interpreter/python/value/python_literal.h"
#include "interpreter/python/value/python_set.h"
#include "interpreter/python/value/python_string.h"
#include "interpreter/python/value/python_type.h"

#include <inttypes.h>
#include <string.h>

// write_object() reads the object's type and calls the writer of `kinds` with that name. Only types
// of the interpreter itself match (python_type_is()), so that a class of the program with the same
// name cannot be misread. Any other object becomes `<name at 0x...>`: a repr() would have to run
// code of the target. Writers follow CPython's structures: PyLongObject
// (Include/cpython/longintrepr.h: 30-bit digits, the sign in ob_size, since 3.12 in lv_tag),
// PyListObject, PyTupleObject, and python_dict.c, python_set.c, python_string.c.
//
// Objects may be deep, huge, cyclic or being changed. The limits of items, depth and bytes of the
// header bound the text; a cycle ends at the maximum depth.

/** A value that is being written. */
struct writer {
	const struct python_runtime *runtime;
	struct string_builder *text;
	size_t end;     /* of the text: no item begins behind it */
	unsigned depth; /* containers around */
};

static void write_object(struct writer *writer, uint64_t object);

static bool python_value_read_word(const struct writer *writer, uint64_t address, uint64_t *ret)
{
	return process_memory_read(&writer->runtime->memory, address, ret, sizeof(*ret));
}

static bool write_none(struct writer *writer, uint64_t object)
{
	string_builder_append(writer->text, "None");
	return true;
}

/** The digits of an int and its sign. */
struct int_head {
	uint64_t num_digits;
	bool is_negative;
};

static bool read_int_head(const struct python_runtime *runtime, uint64_t object,
			  struct int_head *ret)
{
	// _PyLong_SIGN_MASK and _PyLong_NON_SIZE_BITS of Include/internal/pycore_long.h. With one
	// digit, 5 has the tag 0x8 and -5 has 0xa; 0 has no digits and the tag 0x1.
	enum { SIGN = 3, NEGATIVE = 2, SIGN_BITS = 3, NEW_TAGS = 12 };
	uint64_t tag;
	if (!process_memory_read(&runtime->memory, object + runtime->layout.long_tag, &tag,
				 sizeof(tag)))
		return false;
	if (runtime->layout.minor >= NEW_TAGS) {
		*ret = (struct int_head){tag >> SIGN_BITS, (tag & SIGN) == NEGATIVE};
		return true;
	}
	// Before 3.12: ob_size, the number of digits, negative for a negative number.
	bool is_negative = tag >> 63;
	*ret = (struct int_head){is_negative ? 0 - tag : tag, is_negative};
	return true;
}

bool python_value_read_index(const struct python_runtime *runtime, uint64_t object, uint64_t *ret)
{
	enum { MAX_DIGITS = (64 + PYTHON_LITERAL_DIGIT_BITS - 1) / PYTHON_LITERAL_DIGIT_BITS };
	struct int_head head;
	uint32_t digits[MAX_DIGITS] = {0};
	if (!object || !read_int_head(runtime, object, &head) || head.is_negative ||
	    head.num_digits > MAX_DIGITS ||
	    !process_memory_read(&runtime->memory, object + runtime->layout.long_digits, digits,
				 head.num_digits * sizeof(*digits)))
		return false;
	*ret = 0;
	for (int i = 0; i < MAX_DIGITS; i++)
		*ret |= (uint64_t)digits[i] << i * PYTHON_LITERAL_DIGIT_BITS;
	return true;
}

static bool write_bool(struct writer *writer, uint64_t object)
{
	struct int_head head;
	if (!read_int_head(writer->runtime, object, &head))
		return false;
	string_builder_append(writer->text, head.num_digits ? "True" : "False");
	return true;
}

static bool write_long_int(struct writer *writer, uint64_t object, uint64_t num_digits)
{
	const struct python_runtime *runtime = writer->runtime;
	uint32_t top;
	if (num_digits > INT64_MAX / sizeof(top) ||
	    !process_memory_read(&runtime->memory,
				 object + runtime->layout.long_digits +
					 (num_digits - 1) * sizeof(top),
				 &top, sizeof(top)) ||
	    !top)
		return false;
	uint64_t top_bits = 32 - (unsigned)__builtin_clz(top);
	string_builder_appendf(writer->text, "<int of %" PRIu64 " bits>",
			       (num_digits - 1) * PYTHON_LITERAL_DIGIT_BITS + top_bits);
	return true;
}

static bool write_int(struct writer *writer, uint64_t object)
{
	const struct python_runtime *runtime = writer->runtime;
	struct int_head head;
	uint32_t digits[PYTHON_LITERAL_MAX_DIGITS];
	if (!read_int_head(writer->runtime, object, &head))
		return false;
	if (head.num_digits > PYTHON_LITERAL_MAX_DIGITS)
		return write_long_int(writer, object, head.num_digits);
	if (!process_memory_read(&runtime->memory, object + runtime->layout.long_digits, digits,
				 head.num_digits * sizeof(*digits)))
		return false;
	python_literal_append_int(writer->text, digits, head.num_digits, head.is_negative);
	return true;
}

static bool write_float(struct writer *writer, uint64_t object)
{
	double value;
	if (!process_memory_read(&writer->runtime->memory,
				 object + writer->runtime->layout.float_value, &value,
				 sizeof(value)))
		return false;
	python_literal_append_float(writer->text, value);
	return true;
}

static bool write_str(struct writer *writer, uint64_t object)
{
	uint32_t characters[PYTHON_VALUE_MAX_CHARACTERS];
	size_t num;
	uint64_t length;
	if (!python_string_read_characters(&writer->runtime->memory, &writer->runtime->layout,
					   object, characters, PYTHON_VALUE_MAX_CHARACTERS, &num,
					   &length))
		return false;
	python_literal_append_str(writer->text, characters, num, length - num);
	return true;
}

static bool python_value_write_bytes(struct writer *writer, uint64_t object)
{
	const struct python_layout *layout = &writer->runtime->layout;
	uint8_t bytes[PYTHON_VALUE_MAX_CHARACTERS];
	uint64_t size;
	if (!python_value_read_word(writer, object + layout->bytes_size, &size) || size > INT64_MAX)
		return false;
	size_t num = size < sizeof(bytes) ? (size_t)size : sizeof(bytes);
	if (!process_memory_read(&writer->runtime->memory, object + layout->bytes_data, bytes, num))
		return false;
	python_literal_append_bytes(writer->text, bytes, num, size - num);
	return true;
}

static bool python_value_is_full(const struct writer *writer)
{
	return writer->text->length >= writer->end || writer->depth > PYTHON_VALUE_MAX_DEPTH;
}

/** Between two items, and what follows the last one that is shown. */
static void write_comma(struct writer *writer, uint64_t index)
{
	if (index)
		string_builder_append(writer->text, ", ");
}

static void write_rest(struct writer *writer, uint64_t num_shown, uint64_t num)
{
	if (num_shown >= num)
		return;
	write_comma(writer, num_shown);
	string_builder_append(writer->text, "...");
	if (num_shown)
		string_builder_appendf(writer->text, " %" PRIu64 " more", num - num_shown);
}

/** Of a list or tuple, as far as they are shown. */
struct items {
	uint64_t num;
	uint64_t objects[PYTHON_VALUE_MAX_ITEMS];
};

/** @items->num: set. */
static bool read_items(const struct writer *writer, uint64_t address, struct items *items)
{
	uint64_t num = items->num < PYTHON_VALUE_MAX_ITEMS ? items->num : PYTHON_VALUE_MAX_ITEMS;
	return items->num <= INT64_MAX &&
	       process_memory_read(&writer->runtime->memory, address, items->objects,
				   num * sizeof(*items->objects));
}

static uint64_t write_items(struct writer *writer, const struct items *items)
{
	uint64_t num = 0;
	writer->depth++;
	for (; num < items->num && num < PYTHON_VALUE_MAX_ITEMS && !python_value_is_full(writer);
	     num++) {
		write_comma(writer, num);
		write_object(writer, items->objects[num]);
	}
	writer->depth--;
	write_rest(writer, num, items->num);
	return num;
}

/** ob_size, then a pointer to the items: a list can grow. */
static bool write_list(struct writer *writer, uint64_t object)
{
	uint64_t address = object + writer->runtime->layout.list_size, first = 0;
	struct items items;
	if (!python_value_read_word(writer, address, &items.num) ||
	    !python_value_read_word(writer, address + sizeof(items.num), &first) ||
	    !read_items(writer, first, &items))
		return false;
	string_builder_append_char(writer->text, '[');
	write_items(writer, &items);
	string_builder_append_char(writer->text, ']');
	return true;
}

/** ob_size, and the items in the object itself. */
static bool write_tuple(struct writer *writer, uint64_t object)
{
	const struct python_layout *layout = &writer->runtime->layout;
	struct items items;
	if (!python_value_read_word(writer, object + layout->tuple_size, &items.num) ||
	    !read_items(writer, object + layout->tuple_items, &items))
		return false;
	string_builder_append_char(writer->text, '(');
	uint64_t num_shown = write_items(writer, &items);
	string_builder_append(writer->text, items.num == 1 && num_shown ? ",)" : ")");
	return true;
}

static uint64_t write_entries(struct writer *writer, struct python_dict *dict)
{
	uint64_t num = 0;
	struct python_dict_entry entry;
	writer->depth++;
	while (num < PYTHON_VALUE_MAX_ITEMS && num < dict->num_used &&
	       !python_value_is_full(writer) && python_dict_next(writer->runtime, dict, &entry)) {
		write_comma(writer, num++);
		write_object(writer, entry.key);
		string_builder_append(writer->text, ": ");
		write_object(writer, entry.value);
	}
	writer->depth--;
	return num;
}

static bool write_dict(struct writer *writer, uint64_t object)
{
	struct python_dict dict;
	if (!python_dict_read(writer->runtime, object, &dict) || dict.num_used > INT64_MAX)
		return false;
	string_builder_append_char(writer->text, '{');
	uint64_t num_shown = write_entries(writer, &dict);
	write_rest(writer, num_shown, dict.num_used);
	string_builder_append_char(writer->text, '}');
	return true;
}

static uint64_t write_members(struct writer *writer, struct python_set *set)
{
	uint64_t num = 0, member;
	writer->depth++;
	while (num < PYTHON_VALUE_MAX_ITEMS && num < set->num_used &&
	       !python_value_is_full(writer) && python_set_next(writer->runtime, set, &member)) {
		write_comma(writer, num++);
		write_object(writer, member);
	}
	writer->depth--;
	return num;
}

static bool write_set_as(struct writer *writer, uint64_t object, const char *open,
			 const char *close, const char *empty)
{
	struct python_set set;
	if (!python_set_read(writer->runtime, object, &set))
		return false;
	if (!set.num_used) {
		string_builder_append(writer->text, empty);
		return true;
	}
	string_builder_append(writer->text, open);
	write_rest(writer, write_members(writer, &set), set.num_used);
	string_builder_append(writer->text, close);
	return true;
}

static bool write_set(struct writer *writer, uint64_t object)
{
	return write_set_as(writer, object, "{", "}", "set()");
}

static bool write_frozenset(struct writer *writer, uint64_t object)
{
	return write_set_as(writer, object, "frozenset({", "})", "frozenset()");
}

/** False: nothing was written. */
static const struct {
	const char *type;
	bool (*write)(struct writer *writer, uint64_t object);
} kinds[] = {
	{"NoneType", write_none},
	{"bool", write_bool},
	{"int", write_int},
	{"float", write_float},
	{"str", write_str},
	{"bytes", python_value_write_bytes},
	{"list", write_list},
	{"tuple", write_tuple},
	{"dict", write_dict},
	{"set", write_set},
	{"frozenset", write_frozenset},
};

static bool write_known(struct writer *writer, const struct python_type *type, uint64_t object)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (python_type_is(type, kinds[i].type))
			return kinds[i].write(writer, object);
	return false;
}

static void write_object(struct writer *writer, uint64_t object)
{
	struct python_type type;
	if (!python_type_read(writer->runtime, object, &type)) {
		string_builder_appendf(writer->text, "<? at 0x%" PRIx64 ">", object);
		return;
	}
	if (write_known(writer, &type, object))
		return;
	string_builder_append_char(writer->text, '<');
	python_type_append_name(writer->runtime, &type, writer->text);
	string_builder_appendf(writer->text, " at 0x%" PRIx64 ">", object);
}

void python_value_append(const struct python_runtime *runtime, uint64_t object,
			 struct string_builder *text)
{
	struct writer writer = {
		.runtime = runtime,
		.text = text,
		.end = text->length + PYTHON_VALUE_MAX_BYTES,
	};
	write_object(&writer, object);
}

/** PyCellObject: behind the head is ob_ref, NULL while the variable has no value. */
uint64_t python_value_in_cell(const struct python_runtime *runtime, uint64_t object)
{
	struct python_type type;
	uint64_t content;
	if (!python_type_read(runtime, object, &type) || !python_type_is(&type, "cell"))
		return object;
	return process_memory_read(&runtime->memory,
				   object + runtime->layout.object_type + sizeof(uint64_t),
				   &content, sizeof(content))
		       ? content
		       : 0;
}
