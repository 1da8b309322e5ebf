// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_instance.h"

#include "interpreter/python/value/python_type.h"

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
};

/** What python_instance_read() passes on. */
struct instance {
	const struct python_runtime *runtime;
	uint64_t object;
	struct python_type type;
};

/** 0: there is none, or it cannot be read. */
static uint64_t python_instance_pointer(const struct instance *instance, uint64_t address)
{
	uint64_t pointer = 0;
	process_memory_read_pointer(&instance->runtime->memory, address, &pointer);
	return pointer;
}

static bool python_instance_read_values(const struct instance *instance, uint64_t values,
					struct python_dict *ret)
{
	const struct python_runtime *runtime = instance->runtime;
	uint64_t keys = python_instance_pointer(instance, instance->type.address +
								  runtime->layout.type_cached_keys);
	return runtime->layout.type_cached_keys &&
	       python_dict_read_values(runtime, keys, values, ret);
}

static bool python_instance_read_inline(const struct instance *instance, struct python_dict *ret)
{
	// struct _dictvalues: capacity, size, embedded, valid, and what aligns the values.
	enum { LARGEST = 1 << 20, VALID = 3, HEAD = 8 };
	const struct python_runtime *runtime = instance->runtime;
	uint64_t size = python_instance_pointer(
		instance, instance->type.address + runtime->layout.type_name + NAME_TO_BASIC_SIZE);
	uint8_t head[HEAD];
	return instance->type.flags & HAS_INLINE_VALUES && size <= LARGEST &&
	       process_memory_read(&runtime->memory, instance->object + size, head, HEAD) &&
	       head[VALID] &&
	       python_instance_read_values(instance, instance->object + size + HEAD, ret);
}

static bool python_instance_read_managed(const struct instance *instance, struct python_dict *ret)
{
	const struct python_runtime *runtime = instance->runtime;
	const struct python_layout *layout = &runtime->layout;
	const int to_dict = layout->is_free_threaded ? TO_DICT_FREE_THREADED : TO_DICT;
	uint64_t dict = python_instance_pointer(instance, instance->object + (uint64_t)to_dict);
	if (layout->minor == 11 && !dict)
		return python_instance_read_values(
			instance,
			python_instance_pointer(instance, instance->object + (uint64_t)TO_VALUES),
			ret);
	if (layout->minor == 12 && dict & 1)
		return python_instance_read_values(instance, dict + 1, ret);
	return dict ? python_dict_read(runtime, dict, ret)
		    : python_instance_read_inline(instance, ret);
}

bool python_instance_read(const struct python_runtime *runtime, uint64_t object,
			  struct python_dict *ret)
{
	enum { FIRST_MANAGED = 11, LARGEST_OFFSET = 1 << 20 };
	struct instance instance = {.runtime = runtime, .object = object};
	if (!python_type_read(runtime, object, &instance.type))
		return false;
	if (runtime->layout.minor >= FIRST_MANAGED && instance.type.flags & HAS_MANAGED_DICT)
		return python_instance_read_managed(&instance, ret);
	// Of objects with a variable size it is negative, and counts from their end.
	uint64_t offset = python_instance_pointer(&instance, instance.type.address +
								     runtime->layout.type_flags +
								     FLAGS_TO_DICT_OFFSET);
	return offset && offset <= LARGEST_OFFSET &&
	       python_dict_read(runtime, python_instance_pointer(&instance, object + offset), ret);
}
