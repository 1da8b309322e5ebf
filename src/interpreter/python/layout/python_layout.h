/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_LAYOUT_H
#define WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_LAYOUT_H

/**
 * The offsets in CPython's structures, by version. Up to 3.12 they are in a table here, which is
 * the same for x86-64 and AArch64, and since 3.8 also for debug builds. From 3.13 on, an
 * interpreter publishes them at the start of its runtime (python_published.h).
 *
 * On Windows `long` has 32 bits, so a thread's id and native id, which are the same there, share a
 * word. All other offsets that wperf uses are as on Linux: tests/live/python_layout.py checks that
 * by compiling CPython's headers for Windows on x64 and Arm64. 3.9.2 and 3.11.2 were also compared
 * with CPython's own configuration for Windows.
 *
 * Members are offsets in bytes. If 0 is not a possible offset, it means that there is none.
 */

#include "interpreter/python/kernel/python_walk.h"
#include "interpreter/python/stack/python_lines.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PYTHON_OLDEST_MINOR = 6,
	PYTHON_OLDEST_MINOR_OF_WINDOWS = 8,
	PYTHON_NEWEST_MINOR = 15, /* of the known offsets */
	PYTHON_LAYOUT_THREAD_BYTES = 512,
	PYTHON_LAYOUT_CODE_BYTES = 512,
};

struct python_layout {
	uint32_t minor; /* 12 of 3.12 */
	bool is_windows;
	bool is_free_threaded;
	bool is_debug_offsets; /* published by the interpreter */

	uint32_t runtime_interpreters; /* 0: in a variable (3.6) */
	uint32_t interpreter_next, interpreter_id, interpreter_threads;
	uint32_t interpreter_modules;    /* the dict sys.modules */
	uint32_t interpreter_gil;        /* a pointer to the lock; 0: the lock is in the runtime */
	uint32_t gil_holder, gil_locked; /* in the lock, or in the runtime; 0: not known */

	uint32_t thread_next, thread_interpreter, thread_id;
	uint32_t thread_native_id; /* 0: none */
	uint32_t thread_status;    /* 0: none */
	uint32_t thread_frame;     /* the frame, or a pointer to what contains it */
	uint32_t cframe_frame;     /* its offset there + 1; 0: thread_frame is the frame */
	uint32_t thread_cframe, cframe_previous; /* 3.10, 3.11; 0: none */
	uint32_t thread_chunk;                   /* followed by its top and its limit; 0: none */
	uint32_t thread_compiled;                /* the JIT's code that runs; 0: none */

	enum python_walk_kind kind;
	uint32_t shim_owner;
	uint32_t frame_back, frame_code, frame_instruction;
	uint32_t frame_mark;    /* a byte: owner, is_entry, or (PYTHON_WALK_INDEX) state */
	uint32_t frame_running; /* value of that byte if it runs */
	uint32_t frame_tlbc;    /* free-threaded since 3.14; 0: none */
	uint32_t frame_locals;  /* the first local variable */
	uint32_t frame_stack;   /* the pointer to the top of the value stack; 0: none */

	uint32_t generator_frame; /* also of coroutines; 0: not known (before 3.14) */
	uint32_t generator_state; /* a byte */
	uint32_t node_next;       /* in nodes of C lists */

	enum python_lines_format lines_format;
	uint32_t code_file, code_name, code_lines, code_first_line;
	uint32_t code_qualified_name;     /* 0: none */
	uint32_t code_bytecode;           /* the first instruction, in the object; 0: elsewhere */
	uint32_t code_version, code_head; /* see struct python_walk */
	uint32_t code_tlbc;               /* 0: none */
	uint32_t code_num_locals, code_local_names;
	uint32_t code_local_kinds; /* 0: none */

	uint32_t object_type, type_name, type_flags;
	uint32_t type_cached_keys; /* of classes: the keys of their instances; 0: none (3.10) */
	uint32_t bytes_size, bytes_data;
	uint32_t tuple_items, tuple_size, list_size, dict_used;
	uint32_t float_value;
	uint32_t long_tag, long_digits;
	uint32_t string_length, string_state, string_ascii, string_compact;
	uint32_t string_kind_shift; /* of the kind in string_state */
};

/** The layout of 3.@minor; NULL: it publishes its own, or is too old. */
const struct python_layout *python_layout_find(uint32_t minor);

/** The same on Windows; false: as NULL. */
bool python_layout_find_windows(uint32_t minor, struct python_layout *ret);

/** The number in a word of thread_id or thread_native_id. */
static inline uint64_t python_layout_thread_number(const struct python_layout *layout,
						   uint64_t word)
{
	return layout->is_windows ? (uint32_t)word : word;
}

/** Where a code object has its flags (CO_COROUTINE ...): before its first line. */
uint32_t python_layout_code_flags(const struct python_layout *layout);

/** How many bytes of a thread state and a code object contain all offsets of the layout. */
uint32_t python_layout_thread_bytes(const struct python_layout *layout);
uint32_t python_layout_code_bytes(const struct python_layout *layout);

/** The walk with all offsets of the layout; its addresses and offsets to TLS are 0. */
struct python_walk python_layout_walk(const struct python_layout *layout);

#endif
