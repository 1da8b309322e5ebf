// SPDX-License-Identifier: Apache-2.0
// Follows Python/errors.c. PyErr_SetString(), PyErr_Format() and the rest of the API, the `raise`
// statement and the interpreter itself call _PyErr_SetObject(thread, type, value). What goes on
// with an exception that is raised already (a bare `raise`, the end of `finally`, C code that puts
// one back) does not, since 3.12 it is _PyErr_SetRaisedException().
//
// Compilers split the function: its beginning, which checks the type, becomes part of some callers,
// and the rest is "_PyErr_SetObject.part.0" with the same arguments. All ways lead there.
//
// Where it has no name (3.14 of Debian, stripped), PyErr_SetObject(type, value) leads to it, which
// is exported: it only adds the thread state to its arguments, and goes on there.

#include "interpreter/python/python_raise.h"

#include "base/byte_order.h"

#include <string.h>

/** Of x86-64 as ELF programs have it; the last is followed by the distance. */
static const struct {
	uint8_t bytes[6];
	uint8_t num, num_any; /* bytes of any value behind it */
} wrapper[] = {
	{{0xf3, 0x0f, 0x1e, 0xfa}, 4, 0},       // endbr64
	{{0x48, 0x89, 0xf2}, 3, 0},             // mov %rsi,%rdx
	{{0x48, 0x89, 0xfe}, 3, 0},             // mov %rdi,%rsi
	{{0x64, 0x48, 0x8b, 0x3c, 0x25}, 5, 4}, // mov %fs:thread,%rdi
	{{0xe9}, 1, 4},                         // jmp
};

static bool find_named(struct object *object, const char *name, uint64_t *ret)
{
	struct object_function function;
	bool is_found = false;
	struct error *err = object_find_named_function(object, name, &function, &is_found);
	error_destroy(err); // what cannot be read has no names
	if (!err && is_found)
		*ret = function.address;
	return !err && is_found;
}

static bool follow_wrapper(struct object *object, uint64_t address, uint64_t *ret)
{
	enum { BYTES = 24 };
	struct object_bytes code = object_code(object, address, BYTES);
	size_t at = 0;
	for (size_t i = 0; i < sizeof(wrapper) / sizeof(*wrapper); i++) {
		size_t length = wrapper[i].num + wrapper[i].num_any;
		if (code.size < at + length ||
		    memcmp((const uint8_t *)code.data + at, wrapper[i].bytes, wrapper[i].num) != 0)
			return false;
		at += length;
	}
	int32_t distance = (int32_t)byte_order_load32(
		(const uint8_t *)code.data + at - sizeof(distance), false);
	*ret = address + at + (uint64_t)(int64_t)distance;
	return object_code(object, *ret, 1).size > 0;
}

bool python_raise_find(struct object *object, uint64_t *ret)
{
	static const char *const names[] = {"_PyErr_SetObject.part.0", "_PyErr_SetObject"};
	uint64_t wrapper_address;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (find_named(object, names[i], ret))
			return true;
	return find_named(object, "PyErr_SetObject", &wrapper_address) &&
	       follow_wrapper(object, wrapper_address, ret);
}
