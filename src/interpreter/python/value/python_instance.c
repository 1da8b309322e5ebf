// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_instance.h"

// Follows Objects/dictobject.c and Include/internal/pycore_object.h. Where an instance keeps its
// attributes has changed with nearly every version:
//
//	up to 3.10   a pointer to a dict, at tp_dictoffset
//	3.11         in front of the object, a pointer to the dict, or one to bare values
//	3.12         there, one pointer to either; its lowest bit says that it is to values
//	since 3.13   there, a pointer to a dict; values are behind the object, at tp_basicsize
//
// Bare values have their keys in the class (ht_cached_keys). Since 3.11 a class that inherits from
// one of C may have the old pointer to a dict; the flags of the type tell.

enum {
	HAS_INLINE_VALUES = 1 << 2, // Py_TPFLAGS_INLINE_VALUES, since 3.13
	HAS_MANAGED_DICT = 1 << 4,  // Py_TPFLAGS_MANAGED_DICT, since 3.11
	NAME_TO_BASIC_SIZE = 8,     // from tp_name to tp_basicsize, the same from 3.6 to 3.15
	FLAGS_TO_DICT_OFFSET = 120, // from tp_flags to tp_dictoffset, as well
	// In front of the object; that of builds without the GIL has no links of the collector.
	TO_DICT = -24,
	TO_DICT_FREE_THREADED = -8,
	TO_VALUES = -32, // in 3.11
	LARGEST_OFFSET = 1 << 20,
};

/** An instance and what its class tells. */
struct instance {
	const struct python_runtime *runtime;
	uint64_t object;
	uint64_t flags, size, keys, dict_offset;
};

static bool python_instance_read_class(struct instance *instance)
{
	const struct python_runtime *runtime = instance->runtime;
	const struct python_layout *layout = &runtime->layout;
	uint64_t type;
	if (!instance->object ||
	    !process_memory_read_pointer(&runtime->memory, instance->object + layout->object_type,
					 &type))
		return false;
	const struct process_memory_part parts[] = {
		{type + layout->type_flags, &instance->flags, 8},
		{type + layout->type_name + NAME_TO_BASIC_SIZE, &instance->size, 8},
		{type + layout->type_flags + FLAGS_TO_DICT_OFFSET, &instance->dict_offset, 8},
		{type + layout->type_cached_keys, &instance->keys, 8},
	};
	// Types of C end before their keys, which only instances of classes have.
	return process_memory_read_parts(&runtime->memory, parts, layout->type_cached_keys ? 4 : 3);
}

/** 0: there is none, or it cannot be read. */
static uint64_t python_instance_pointer(const struct instance *instance, int64_t offset)
{
	uint64_t pointer = 0;
	process_memory_read_pointer(&instance->runtime->memory, instance->object + (uint64_t)offset,
				    &pointer);
	return pointer;
}

static bool python_instance_read_inline(const struct instance *instance, struct python_dict *ret)
{
	// struct _dictvalues: capacity, size, embedded, valid, and what aligns the values.
	enum { VALID = 3, HEAD = 8 };
	const struct python_runtime *runtime = instance->runtime;
	const uint64_t values = instance->object + instance->size;
	uint8_t head[HEAD];
	return instance->flags & HAS_INLINE_VALUES && instance->size <= LARGEST_OFFSET &&
	       process_memory_read(&runtime->memory, values, head, HEAD) && head[VALID] &&
	       python_dict_read_values(runtime, instance->keys, values + HEAD, ret);
}

static bool python_instance_read_managed(const struct instance *instance, struct python_dict *ret)
{
	const struct python_runtime *runtime = instance->runtime;
	const struct python_layout *layout = &runtime->layout;
	uint64_t dict = python_instance_pointer(
		instance, layout->is_free_threaded ? TO_DICT_FREE_THREADED : TO_DICT);
	if (layout->minor == 11 && !dict)
		return python_dict_read_values(runtime, instance->keys,
					       python_instance_pointer(instance, TO_VALUES), ret);
	if (layout->minor == 12 && dict & 1)
		return python_dict_read_values(runtime, instance->keys, dict + 1, ret);
	return dict ? python_dict_read(runtime, dict, ret)
		    : python_instance_read_inline(instance, ret);
}

bool python_instance_read(const struct python_runtime *runtime, uint64_t object,
			  struct python_dict *ret)
{
	enum { FIRST_MANAGED = 11 };
	struct instance instance = {.runtime = runtime, .object = object};
	if (!python_instance_read_class(&instance))
		return false;
	if (runtime->layout.minor >= FIRST_MANAGED && instance.flags & HAS_MANAGED_DICT)
		return python_instance_read_managed(&instance, ret);
	// Of objects with a variable size it is negative, and counts from their end.
	if (!instance.dict_offset || instance.dict_offset > LARGEST_OFFSET)
		return false;
	uint64_t dict = python_instance_pointer(&instance, (int64_t)instance.dict_offset);
	return dict && python_dict_read(runtime, dict, ret);
}
