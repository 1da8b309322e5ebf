// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/value/python_locals.h"

#include "interpreter/python/value/python_string.h"
#include "interpreter/python/value/python_value.h"

#include <string.h>

// A frame has its variables as an array of references (f_localsplus, since 3.11 localsplus), and
// the code object has their names in the same order. Since 3.11 one tuple has all names
// (co_localsplusnames), and co_localspluskinds says which of them are cells. Up to 3.10 there are
// three tuples: co_varnames, then co_cellvars, then co_freevars.
//
// The thread runs meanwhile. python_locals_read_state() copies the code, the instruction and all
// references; python_locals_add() writes the values, which takes long; then the copy is made again.
// If both are the same, the values were those of that moment, except for objects that other threads
// change. If not, all is done again, and after MAX_TRIES nothing is shown.

enum {
	MAX_NAME = 200,
	MAX_TRIES = 5,
	// Up to 3.10 a code object has three tuples of names, side by side but not in this order.
	NUM_OLD_TUPLES = 3,
	OLD_CELLS = 16, // from co_varnames to co_cellvars
	OLD_FREE = 8,   // to co_freevars
	FIRST_WITH_KINDS = 11,
	FIRST_WITH_TAGS = 14,
	TAG_BITS = 3,
};

void python_locals_deinit(struct python_locals *locals)
{
	string_builder_deinit(&locals->text);
}

/** The variables of a frame, before they are read. */
struct slots {
	uint64_t names[PYTHON_LOCALS_MAX]; /* objects */
	uint64_t values[PYTHON_LOCALS_MAX];
	bool are_shared[PYTHON_LOCALS_MAX]; /* its value is in a cell */
	size_t num;
	bool is_cut;
};

/** Names of the tuple behind those that are there. @most: as many as the code object says. */
static bool python_locals_add_names(const struct python_runtime *runtime, uint64_t tuple,
				    bool are_shared, struct slots *slots)
{
	uint64_t size;
	if (!process_memory_read(&runtime->memory, tuple + runtime->layout.tuple_size, &size,
				 sizeof(size)))
		return false;
	uint64_t room = PYTHON_LOCALS_MAX - slots->num;
	slots->is_cut |= size > room;
	size_t num = (size_t)(size < room ? size : room);
	if (!process_memory_read(&runtime->memory, tuple + runtime->layout.tuple_items,
				 slots->names + slots->num, num * sizeof(*slots->names)))
		return false;
	for (size_t i = 0; i < num; i++)
		slots->are_shared[slots->num++] = are_shared;
	return true;
}

static bool add_kinds(const struct python_runtime *runtime, uint64_t code, struct slots *slots)
{
	enum { CELL = 0x40, FREE = 0x80 }; // CO_FAST_CELL and CO_FAST_FREE of pycore_code.h
	uint8_t kinds[PYTHON_LOCALS_MAX];
	uint64_t object;
	if (!process_memory_read_pointer(&runtime->memory, code + runtime->layout.code_local_kinds,
					 &object) ||
	    !process_memory_read(&runtime->memory, object + runtime->layout.bytes_data, kinds,
				 slots->num))
		return false;
	for (size_t i = 0; i < slots->num; i++)
		slots->are_shared[i] = kinds[i] & (CELL | FREE);
	return true;
}

static bool python_locals_read_names(const struct python_runtime *runtime, uint64_t code,
				     struct slots *slots)
{
	const struct process_memory *memory = &runtime->memory;
	uint64_t names = code + runtime->layout.code_local_names, tuple;
	if (!process_memory_read_pointer(memory, names, &tuple) ||
	    !python_locals_add_names(runtime, tuple, false, slots))
		return false;
	if (runtime->layout.minor >= FIRST_WITH_KINDS)
		return add_kinds(runtime, code, slots);
	static const uint32_t shared[] = {OLD_CELLS, OLD_FREE};
	for (size_t i = 0; i < sizeof(shared) / sizeof(*shared); i++)
		if (!process_memory_read_pointer(memory, names + shared[i], &tuple) ||
		    !python_locals_add_names(runtime, tuple, true, slots))
			return false;
	return true;
}

/** What has to stay as it is while values are read. */
struct frame_state {
	uint64_t code, instruction;
	uint64_t values[PYTHON_LOCALS_MAX];
};

static bool python_locals_read_state(const struct python_runtime *runtime, uint64_t address,
				     size_t num, struct frame_state *state)
{
	const struct python_layout *layout = &runtime->layout;
	bool is_index = layout->kind == PYTHON_WALK_INDEX;
	*state = (struct frame_state){0};
	const struct process_memory_part parts[] = {
		{address + layout->frame_code, &state->code, sizeof(state->code)},
		{address + layout->frame_instruction, &state->instruction, is_index ? 4 : 8},
		{address + layout->frame_locals, state->values, num * sizeof(*state->values)},
	};
	// Without variables there is nothing to be read of them.
	return process_memory_read_parts(&runtime->memory, parts, num ? 3 : 2);
}

static bool is_of(const struct python_runtime *runtime, const struct frame_state *state,
		  const struct interpreted_frame *frame)
{
	return (state->code & runtime->walk.code_mask) == frame->code &&
	       state->instruction == frame->instruction;
}

/** The object that a variable refers to; 0: none. */
static uint64_t object_of(const struct python_runtime *runtime, uint64_t word)
{
	// Both bits: a small number of the interpreter's own.
	if (runtime->layout.minor >= FIRST_WITH_TAGS && (word & TAG_BITS) == TAG_BITS)
		return 0;
	return word & runtime->walk.code_mask;
}

static void add_local(struct python_locals *locals, const struct python_runtime *runtime,
		      uint64_t name, uint64_t object)
{
	struct python_local *local = &locals->items[locals->num_items];
	struct string_builder *text = &locals->text;
	local->name = text->length;
	if (!python_string_read(&runtime->memory, &runtime->layout, name, MAX_NAME, text, NULL))
		return;
	string_builder_append_char(text, '\0');
	local->value = text->length;
	python_value_append(runtime, object, text);
	string_builder_append_char(text, '\0');
	locals->num_items++;
}

static void python_locals_add(struct python_locals *locals, const struct python_runtime *runtime,
			      const struct slots *slots, const struct frame_state *state)
{
	locals->num_items = 0;
	string_builder_clear(&locals->text);
	for (size_t i = 0; i < slots->num; i++) {
		uint64_t object = object_of(runtime, state->values[i]);
		if (slots->are_shared[i])
			object = python_value_in_cell(runtime, object);
		if (object)
			add_local(locals, runtime, slots->names[i], object);
	}
}

struct error *python_locals_read(struct python_locals *locals, const struct python_runtime *runtime,
				 const struct interpreted_frame *frame, uint64_t address, bool *ret)
{
	struct slots slots = {0};
	*ret = false;
	locals->num_items = 0;
	locals->is_cut = false;
	if (!python_locals_read_names(runtime, frame->code, &slots))
		return NULL;
	locals->is_cut = slots.is_cut;
	for (int i = 0; !*ret && i < MAX_TRIES; i++) {
		struct frame_state before, after;
		if (!python_locals_read_state(runtime, address, slots.num, &before) ||
		    !is_of(runtime, &before, frame))
			break;
		python_locals_add(locals, runtime, &slots, &before);
		*ret = python_locals_read_state(runtime, address, slots.num, &after) &&
		       !memcmp(&before, &after, sizeof(before));
	}
	if (!*ret)
		locals->num_items = 0;
	return locals->text.failed ? &error_no_memory : NULL;
}
