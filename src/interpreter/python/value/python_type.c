// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_type.h"

#include "interpreter/python/value/python_dict.h"
#include "interpreter/python/value/python_string.h"

#include <string.h>

// Follows PyTypeObject (Include/cpython/object.h). Static types of C are known by tp_name alone. A
// class statement makes a type with Py_TPFLAGS_HEAPTYPE whose tp_name has no module:
// python_type_append_module() reads it from the dict of the type (tp_dict). A program can name its
// class `int`; therefore python_type_is() never matches types that were made at run time.

enum {
	MADE_AT_RUN_TIME = 1 << 9, // Py_TPFLAGS_HEAPTYPE
	FLAGS_TO_DICT = 96,        // from tp_flags to tp_dict, the same from 3.6 to 3.15
};

bool python_type_read(const struct python_runtime *runtime, uint64_t object,
		      struct python_type *ret)
{
	const struct process_memory *memory = &runtime->memory;
	const struct python_layout *layout = &runtime->layout;
	uint64_t name;
	if (!object ||
	    !process_memory_read_pointer(memory, object + layout->object_type, &ret->address))
		return false;
	const struct process_memory_part parts[] = {
		{ret->address + layout->type_name, &name, sizeof(name)},
		{ret->address + layout->type_flags, &ret->flags, sizeof(ret->flags)},
	};
	if (!process_memory_read_parts(memory, parts, 2) || !name)
		return false;
	memset(ret->name, 0, sizeof(ret->name));
	memory->read(memory->context, name, ret->name, sizeof(ret->name) - 1);
	return ret->name[0] != 0;
}

bool python_type_is(const struct python_type *type, const char *name)
{
	return !(type->flags & MADE_AT_RUN_TIME) && !strcmp(type->name, name);
}

// A class statement puts __module__ into the class first of all.
static void python_type_append_module(const struct python_runtime *runtime,
				      const struct python_type *type, struct string_builder *text)
{
	enum { AMONG_THE_FIRST = 8 };
	uint64_t address;
	struct python_dict dict;
	if (!process_memory_read_pointer(&runtime->memory,
					 type->address + runtime->layout.type_flags + FLAGS_TO_DICT,
					 &address) ||
	    !python_dict_read(runtime, address, &dict))
		return;
	uint64_t module = python_dict_find(runtime, &dict, "__module__", AMONG_THE_FIRST);
	if (python_string_read(&runtime->memory, &runtime->layout, module, PYTHON_TYPE_NAME_SIZE,
			       text, NULL))
		string_builder_append_char(text, '.');
}

void python_type_append_name(const struct python_runtime *runtime, const struct python_type *type,
			     struct string_builder *text)
{
	if ((type->flags & MADE_AT_RUN_TIME) && !strchr(type->name, '.'))
		python_type_append_module(runtime, type, text);
	string_builder_append(text, type->name);
}
