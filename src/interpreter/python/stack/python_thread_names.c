// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_thread_names.h"

#include "base/container/array.h"
#include "base/container/bisect.h"
#include "interpreter/python/value/python_instance.h"
#include "interpreter/python/value/python_string.h"
#include "interpreter/python/value/python_value.h"

#include <stdlib.h>
#include <string.h>

// Follows Lib/threading.py: its dict `_active` has the Thread of each thread that runs, by
// get_ident(), and each Thread has its name in `_name`, the same from 3.6 to 3.15. The module is
// found in sys.modules, to which the interpreter's state points. A name takes some 15 reads of
// memory, and the module one or two for each that was imported before it.
//
// The program runs on meanwhile. A dict that is resized while it is read gives wrong or no objects:
// what is no str is no name, and the next read finds the rest. Samples wait
// meanwhile, so the number of names is limited: 4,096 take some 50 ms.

enum {
	MAX_MODULES = 1 << 14,
	MAX_GLOBALS = 1 << 10,   // of the module, which has 100
	MAX_ATTRIBUTES = 1 << 8, // of a thread, which has 13, and those that a program adds
	MAX_CHARACTERS = 100,
};

/** The dict of a module, by its name; false: it is not loaded. */
static bool find_module(const struct python_runtime *runtime, uint64_t interpreter,
			const char *name, struct python_dict *ret)
{
	const struct process_memory *memory = &runtime->memory;
	// PyModuleObject.md_dict follows the head of the object.
	const uint32_t to_dict = runtime->layout.object_type + 8;
	uint64_t address, module;
	struct python_dict modules;
	if (!runtime->layout.interpreter_modules ||
	    !process_memory_read_pointer(memory, interpreter + runtime->layout.interpreter_modules,
					 &address) ||
	    !python_dict_read(runtime, address, &modules))
		return false;
	module = python_dict_find(runtime, &modules, name, MAX_MODULES);
	return module && process_memory_read_pointer(memory, module + to_dict, &address) &&
	       python_dict_read(runtime, address, ret);
}

/** @thread: a Thread. Appends its name with a NUL; false: it has none that is wanted. */
static bool append_name(const struct python_runtime *runtime, uint64_t thread,
			struct string_builder *text)
{
	struct python_dict attributes;
	if (!python_instance_read(runtime, thread, &attributes))
		return false;
	uint64_t name = python_dict_find(runtime, &attributes, "_name", MAX_ATTRIBUTES);
	const size_t before = text->length;
	if (!python_string_read(&runtime->memory, &runtime->layout, name, MAX_CHARACTERS, text,
				NULL) ||
	    text->length == before)
		return false;
	string_builder_append_n(text, "", 1);
	return strcmp(string_builder_peek(text) + before, "MainThread") != 0;
}

static int by_id(const void *left, const void *right)
{
	const struct python_thread_name *a = left, *b = right;
	return (a->id > b->id) - (a->id < b->id);
}

struct error *python_thread_names_read(struct python_thread_names *names,
				       const struct python_runtime *runtime, uint64_t interpreter)
{
	struct python_dict globals, active;
	struct python_dict_entry entry;
	names->num_items = 0;
	string_builder_clear(&names->text);
	if (!find_module(runtime, interpreter, "threading", &globals) ||
	    !python_dict_read(runtime, python_dict_find(runtime, &globals, "_active", MAX_GLOBALS),
			      &active))
		return NULL;
	for (int i = 0; i < PYTHON_THREAD_NAMES_MAX && python_dict_next(runtime, &active, &entry);
	     i++) {
		uint64_t id;
		const size_t offset = names->text.length;
		if (!python_value_read_index(runtime, entry.key, &id) ||
		    !append_name(runtime, entry.value, &names->text))
			continue;
		struct error *err =
			array_reserve(&names->items, &names->cap_items, names->num_items + 1);
		if (err)
			return err;
		names->items[names->num_items++] = (struct python_thread_name){id, offset};
	}
	if (names->num_items)
		qsort(names->items, names->num_items, sizeof(*names->items), by_id);
	return names->text.failed ? &error_no_memory : NULL;
}

const char *python_thread_names_find(const struct python_thread_names *names, uint64_t id)
{
	size_t index = BISECT_U64(names->items, names->num_items, id, id);
	if (!index || names->items[index - 1].id != id)
		return NULL;
	return string_builder_peek(&names->text) + names->items[index - 1].offset;
}

void python_thread_names_deinit(struct python_thread_names *names)
{
	free(names->items);
	string_builder_deinit(&names->text);
	*names = (struct python_thread_names)PYTHON_THREAD_NAMES_INIT;
}
