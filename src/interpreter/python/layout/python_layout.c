// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_layout.h"

#include <stddef.h>

// The numbers were taken from the headers of each version of CPython:
// Include/internal/pycore_runtime.h (_PyRuntime), pycore_interp.h (PyInterpreterState),
// Include/cpython/pystate.h (PyThreadState), frameobject.h (PyFrameObject, up to 3.10),
// pycore_frame.h (_PyInterpreterFrame, since 3.11) and code.h (PyCodeObject). They are constants
// and not read from debug information, because installed interpreters rarely have any. Micro
// versions of one minor version share a layout.
//
// A reader copies the head of a structure in one go instead of member by member: one system call
// costs more than a few hundred bytes, and the members are then of the same moment.
// python_layout_thread_bytes(), python_layout_code_bytes() and frame_bytes() compute how long the
// copy has to be. python_published.c refuses offsets for which such a copy would not fit the
// buffers of the readers.

// What did not change from 3.6 to 3.12.
#define COMMON_OBJECTS                                                                            \
	.object_type = 8, .type_name = 24, .type_flags = 168, .bytes_size = 16, .bytes_data = 32, \
	.tuple_items = 24, .tuple_size = 16, .list_size = 16, .dict_used = 16, .float_value = 16, \
	.long_tag = 16, .long_digits = 24, .string_length = 16, .string_state = 32,               \
	.string_kind_shift = 2

// In 3.12 PyUnicodeObject lost its wchar_t copy (PEP 623).
#define OLD_STRINGS .string_ascii = 48, .string_compact = 72
#define NEW_STRINGS .string_ascii = 40, .string_compact = 56

// Up to 3.10 frames are objects, each with its own eval loop.
#define OBJECT_FRAMES                                                                              \
	.thread_next = 8, .thread_interpreter = 16, .thread_frame = 24, .kind = PYTHON_WALK_INDEX, \
	.frame_back = 24, .frame_code = 32

static const struct python_layout layouts[] = {
	{
		.minor = 6,
		COMMON_OBJECTS,
		OLD_STRINGS,
		OBJECT_FRAMES,
		.interpreter_modules = 16,
		.interpreter_threads = 8,
		.thread_id = 152,
		.frame_instruction = 120,
		.frame_mark = 132,
		.frame_running = 1,
		.frame_locals = 376,
		.lines_format = PYTHON_LINES_STEPS,
		.code_file = 96,
		.code_name = 104,
		.code_lines = 112,
		.code_first_line = 36,
		.code_head = 32,
		.code_num_locals = 24,
		.code_local_names = 64,
	},
	{
		// _PyRuntime is new: interpreters are found without symbols. They have numbers.
		.minor = 7,
		COMMON_OBJECTS,
		OLD_STRINGS,
		OBJECT_FRAMES,
		.runtime_interpreters = 24,
		.interpreter_id = 16,
		.interpreter_modules = 40,
		.interpreter_threads = 8,
		.gil_holder = 1272,
		.gil_locked = 1280,
		.thread_id = 176,
		.frame_instruction = 104,
		.frame_mark = 116,
		.frame_running = 1,
		.frame_locals = 360,
		.lines_format = PYTHON_LINES_STEPS,
		.code_file = 96,
		.code_name = 104,
		.code_lines = 112,
		.code_first_line = 36,
		.code_head = 32,
		.code_num_locals = 24,
		.code_local_names = 64,
	},
	{
		// Code objects count positional-only parameters (PEP 570): what follows has moved.
		.minor = 8,
		COMMON_OBJECTS,
		OLD_STRINGS,
		OBJECT_FRAMES,
		.runtime_interpreters = 32,
		.interpreter_id = 16,
		.interpreter_modules = 56,
		.interpreter_threads = 8,
		.gil_holder = 1160,
		.gil_locked = 1168,
		.thread_id = 176,
		.frame_instruction = 104,
		.frame_mark = 116,
		.frame_running = 1,
		.frame_locals = 360,
		.lines_format = PYTHON_LINES_STEPS,
		.code_file = 104,
		.code_name = 112,
		.code_lines = 120,
		.code_first_line = 40,
		.code_head = 40,
		.code_num_locals = 28,
		.code_local_names = 72,
	},
	{
		.minor = 9,
		COMMON_OBJECTS,
		OLD_STRINGS,
		OBJECT_FRAMES,
		.runtime_interpreters = 32,
		.interpreter_id = 24,
		.interpreter_modules = 856,
		.interpreter_threads = 8,
		.gil_holder = 360,
		.gil_locked = 368,
		.thread_id = 176,
		.frame_instruction = 104,
		.frame_mark = 116,
		.frame_running = 1,
		.frame_locals = 360,
		.lines_format = PYTHON_LINES_STEPS,
		.code_file = 104,
		.code_name = 112,
		.code_lines = 120,
		.code_first_line = 40,
		.code_head = 40,
		.code_num_locals = 28,
		.code_local_names = 72,
	},
	{
		// The line table has ranges (PEP 626), and threads have a list of C frames.
		.minor = 10,
		COMMON_OBJECTS,
		OLD_STRINGS,
		OBJECT_FRAMES,
		.runtime_interpreters = 32,
		.interpreter_id = 24,
		.interpreter_modules = 856,
		.interpreter_threads = 8,
		.gil_holder = 360,
		.gil_locked = 368,
		.thread_id = 176,
		.thread_cframe = 48,
		.cframe_previous = 8,
		.frame_instruction = 96,
		.frame_mark = 108,
		.frame_running = 0,
		.frame_locals = 352,
		.lines_format = PYTHON_LINES_RANGES,
		.code_file = 104,
		.code_name = 112,
		.code_lines = 120,
		.code_first_line = 40,
		.code_head = 40,
		.code_num_locals = 28,
		.code_local_names = 72,
	},
	{
		// Frames are no objects any more: calls between Python functions stay in one eval
		// loop, whose entry frame is marked. Threads know the number of the system, code
		// its qualified name, and each instruction its line and columns (PEP 657).
		.minor = 11,
		COMMON_OBJECTS,
		OLD_STRINGS,
		.runtime_interpreters = 40,
		.interpreter_id = 48,
		.interpreter_modules = 888,
		.interpreter_threads = 16,
		.gil_holder = 368,
		.gil_locked = 376,
		.thread_next = 8,
		.thread_interpreter = 16,
		.thread_id = 152,
		.thread_native_id = 160,
		.thread_frame = 56,
		.cframe_frame = 8 + 1,
		.thread_cframe = 56,
		.cframe_previous = 16,
		.thread_chunk = 296,
		.kind = PYTHON_WALK_ENTRY,
		.frame_back = 48,
		.frame_code = 32,
		.frame_instruction = 56,
		.frame_mark = 68,
		.frame_locals = 72,
		.type_cached_keys = 872,
		.lines_format = PYTHON_LINES_LOCATIONS,
		.code_file = 112,
		.code_name = 120,
		.code_lines = 136,
		.code_first_line = 72,
		.code_qualified_name = 128,
		.code_bytecode = 184,
		.code_head = 56,
		.code_num_locals = 76,
		.code_local_names = 96,
		.code_local_kinds = 104,
	},
	{
		// Each interpreter has its own GIL (PEP 684). Shim frames separate eval loops.
		.minor = 12,
		COMMON_OBJECTS,
		NEW_STRINGS,
		.runtime_interpreters = 40,
		.interpreter_id = 8,
		.interpreter_modules = 944,
		.interpreter_threads = 72,
		.interpreter_gil = 384,
		.gil_holder = 8,
		.gil_locked = 16,
		.thread_next = 8,
		.thread_interpreter = 16,
		.thread_id = 136,
		.thread_native_id = 144,
		.thread_status = 24,
		.thread_frame = 56,
		.cframe_frame = 0 + 1,
		.thread_chunk = 232,
		.kind = PYTHON_WALK_OWNER,
		.shim_owner = 3,
		.frame_back = 8,
		.frame_code = 0,
		.frame_instruction = 56,
		.frame_mark = 70,
		.frame_locals = 72,
		.type_cached_keys = 880,
		.lines_format = PYTHON_LINES_LOCATIONS,
		.code_file = 112,
		.code_name = 120,
		.code_lines = 136,
		.code_first_line = 68,
		.code_qualified_name = 128,
		.code_bytecode = 192,
		.code_version = 92,
		.code_num_locals = 72,
		.code_local_names = 96,
		.code_local_kinds = 104,
	},
};

const struct python_layout *python_layout_find(uint32_t minor)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (layouts[i].minor == minor)
			return &layouts[i];
	return NULL;
}

bool python_layout_find_windows(uint32_t minor, struct python_layout *ret)
{
	// What stands behind the two numbers of a thread since 3.11.
	// They are `unsigned long`: 8 bytes on Linux, 4 on Windows.
	static const struct {
		uint32_t minor, thread_native_id, thread_chunk;
	} moved[] = {{11, 156, 288}, {12, 140, 224}};
	const struct python_layout *layout = python_layout_find(minor);
	if (!layout || minor < PYTHON_OLDEST_MINOR_OF_WINDOWS)
		return false;
	*ret = *layout;
	ret->is_windows = true;
	for (size_t i = 0; i < sizeof(moved) / sizeof(*moved); i++) {
		if (moved[i].minor != minor)
			continue;
		ret->thread_native_id = moved[i].thread_native_id;
		ret->thread_chunk = moved[i].thread_chunk;
	}
	return true;
}

static uint32_t python_layout_largest(const uint32_t *offsets, size_t num)
{
	uint32_t most = 0;
	for (size_t i = 0; i < num; i++)
		most = offsets[i] > most ? offsets[i] : most;
	return most;
}

uint32_t python_layout_thread_bytes(const struct python_layout *layout)
{
	enum { CHUNK_WORDS = 2 }; // the chunk and its top
	const uint32_t ends[] = {
		layout->thread_next + 8,     layout->thread_interpreter + 8,
		layout->thread_id + 8,       layout->thread_native_id + 8,
		layout->thread_status + 4,   layout->thread_frame + 8,
		layout->thread_cframe + 8,   layout->thread_chunk + 8 * CHUNK_WORDS,
		layout->thread_compiled + 8,
	};
	return python_layout_largest(ends, sizeof(ends) / sizeof(*ends));
}

// What is between the two are numbers of arguments, and until 3.11 a counter of calls: no version
// publishes the offset.
uint32_t python_layout_code_flags(const struct python_layout *layout)
{
	uint32_t distance = layout->minor <= 10 ? 4 : layout->minor == 11 ? 24 : 20;
	return layout->code_first_line - distance;
}

uint32_t python_layout_code_bytes(const struct python_layout *layout)
{
	const uint32_t ends[] = {
		layout->object_type + 8,
		layout->code_file + 8,
		layout->code_name + 8,
		layout->code_lines + 8,
		layout->code_first_line + 4,
		layout->code_qualified_name + 8,
		layout->code_version + 4,
		layout->code_tlbc + 8,
		layout->code_head + 8 * PYTHON_WALK_HEAD_WORDS,
		layout->code_num_locals + 4,
		layout->code_local_names + 8,
		layout->code_local_kinds + 8,
	};
	return python_layout_largest(ends, sizeof(ends) / sizeof(*ends));
}

static uint32_t frame_bytes(const struct python_layout *layout)
{
	const uint32_t ends[] = {
		layout->frame_back + 8,
		layout->frame_code + 8,
		layout->frame_instruction + (layout->kind == PYTHON_WALK_INDEX ? 4 : 8),
		layout->frame_mark + 2, // the owner is behind is_entry
		layout->frame_tlbc + 4,
	};
	return python_layout_largest(ends, sizeof(ends) / sizeof(*ends));
}

struct python_walk python_layout_walk(const struct python_layout *layout)
{
	bool has_gil = layout->gil_holder && !layout->is_free_threaded;
	// The two low bits of a reference are tags where references may be borrowed: _PyStackRef of
	// Include/internal/pycore_stackref.h.
	bool has_tags = layout->is_free_threaded || layout->minor >= 14;
	return (struct python_walk){
		.code_mask = has_tags ? ~UINT64_C(3) : ~UINT64_C(0),
		.interpreter_gil = layout->interpreter_gil,
		.gil_holder = has_gil ? layout->gil_holder : 0,
		.gil_locked = layout->gil_locked,
		.gil_waiting_place = layout->gil_locked + PYTHON_WALK_GIL_LOCKED_TO_CONDITIONS,
		.gil_waiting_place_size = PYTHON_WALK_GIL_CONDITIONS_BYTES,
		.thread_interpreter = layout->thread_interpreter,
		.interpreter_next = layout->interpreter_next,
		.interpreter_threads = layout->interpreter_threads,
		.thread_next = layout->thread_next,
		.thread_id = layout->thread_id,
		.thread_native_id = layout->thread_native_id,
		.thread_active = layout->thread_status,
		.thread_frame = layout->thread_frame,
		.cframe_frame = layout->cframe_frame,
		.thread_compiled = layout->thread_compiled,
		.thread_cframe = layout->thread_cframe,
		.cframe_previous = layout->cframe_previous,
		.frame_size = frame_bytes(layout),
		.frame_code = layout->frame_code,
		.frame_back = layout->frame_back,
		.frame_instruction = layout->frame_instruction,
		.frame_mark = layout->frame_mark,
		.frame_tlbc = layout->frame_tlbc,
		.kind = layout->kind,
		.shim_owner = layout->shim_owner,
		.type_name = layout->type_name,
		.code_version = layout->code_version,
		.code_head = layout->code_head,
		.code_name = layout->code_name,
		.code_qualified_name = layout->code_qualified_name,
		.code_file = layout->code_file,
		.code_lines = layout->code_lines,
	};
}
