/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_LAYOUT_H
#define WPERF_PYTHON_PYTHON_LAYOUT_H

/**
 * Where CPython has what, by version. Up to 3.12 it is a table of ours (x86-64 and AArch64 agree in
 * it, and so do builds for debugging since 3.8); from 3.13 on an interpreter publishes it at the
 * start of its runtime (python_published.h).
 *
 * On Windows `long` has 32 bits, and with it what CPython makes of it: the number of a thread and
 * that which the system knows it by, which are one there, share a word. All else that we read is
 * where Linux has it: tests/live/python_layout.py compiles CPython's own headers for Windows on x64
 * and on Arm64, and compares. 3.9.2 and 3.11.2 were compared with CPython's own configuration, too.
 *
 * Members are offsets in bytes. Where 0 is no possible offset it says that there is none.
 */

#include "python/python_lines.h"
#include "python/python_walk.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PYTHON_OLDEST_MINOR = 6,
	PYTHON_OLDEST_MINOR_OF_WINDOWS = 8,
	PYTHON_NEWEST_MINOR = 15, /* that this was made with */
	PYTHON_LAYOUT_THREAD_BYTES = 512,
	PYTHON_LAYOUT_CODE_BYTES = 512,
};

struct python_layout {
	uint32_t minor; /* 12 of 3.12 */
	bool is_windows;
	bool is_free_threaded;
	bool is_debug_offsets; /* it is what the interpreter said itself */

	uint32_t runtime_interpreters; /* 0: a variable of its own (3.6) */
	uint32_t interpreter_next, interpreter_id, interpreter_threads;
	uint32_t interpreter_gil; /* of a pointer to the lock; 0: the runtime has the only one */
	uint32_t gil_holder, gil_locked; /* in the lock, or in the runtime; 0: not known */

	uint32_t thread_next, thread_interpreter, thread_id;
	uint32_t thread_native_id; /* 0: none */
	uint32_t thread_status;    /* 0: none */
	uint32_t thread_frame;     /* of the frame, or of a pointer to what has it: */
	uint32_t cframe_frame;     /* offset there + 1; 0: thread_frame is the frame itself */
	uint32_t thread_cframe, cframe_previous; /* 3.10, 3.11; 0: none */
	uint32_t thread_chunk;                   /* then its top, then its limit; 0: none */
	uint32_t thread_compiled; /* of what the JIT made of the running code; 0: none */

	enum python_walk_kind kind;
	uint32_t shim_owner;
	uint32_t frame_back, frame_code, frame_instruction;
	uint32_t
		frame_mark; /* of a byte: owner, is_entry, or (PYTHON_WALK_INDEX) whether it runs */
	uint32_t frame_running; /* what the byte is then */
	uint32_t frame_tlbc;    /* free-threaded since 3.14; 0: none */
	uint32_t frame_locals;  /* of the first local variable */
	uint32_t frame_stack;   /* of the pointer behind what the frame computes with; 0: none */

	uint32_t generator_frame; /* also of coroutines; 0: not known (before 3.14) */
	uint32_t generator_state; /* of a byte */
	uint32_t node_next;       /* in what links lists in C */

	enum python_lines_format lines_format;
	uint32_t code_file, code_name, code_lines, code_first_line;
	uint32_t code_qualified_name; /* 0: none */
	uint32_t code_bytecode; /* of the first instruction, within the object; 0: elsewhere */
	uint32_t code_version;  /* see struct python_walk */
	uint32_t code_tlbc;     /* 0: none */
	uint32_t code_num_locals, code_local_names;
	uint32_t code_local_kinds; /* 0: none */

	uint32_t object_type, type_name, type_flags;
	uint32_t bytes_size, bytes_data;
	uint32_t tuple_items, tuple_size, list_size, dict_used;
	uint32_t float_value;
	uint32_t long_tag, long_digits;
	uint32_t string_length, string_state, string_ascii, string_compact;
	uint32_t string_kind_shift; /* of the bits of string_state */
};

/** The layout of 3.@minor, or NULL: it publishes its own, or is older than all that we know. */
const struct python_layout *python_layout_find(uint32_t minor);

/** The same on Windows; false for NULL. */
bool python_layout_find_windows(uint32_t minor, struct python_layout *ret);

/** A word that begins with a number of a thread: thread_id and thread_native_id. */
static inline uint64_t python_layout_thread_number(const struct python_layout *layout,
						   uint64_t word)
{
	return layout->is_windows ? (uint32_t)word : word;
}

/** Bytes of a thread state, and of a code object, that hold all that the layout has of them. */
uint32_t python_layout_thread_bytes(const struct python_layout *layout);
uint32_t python_layout_code_bytes(const struct python_layout *layout);

/** All of @walk that does not depend on where things are: its addresses and offsets to TLS are 0.
 */
struct python_walk python_layout_walk(const struct python_layout *layout);

#endif
