/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_INTERPRETER_PYTHON_KERNEL_PYTHON_WALK_H
#define WPERF_INTERPRETER_PYTHON_KERNEL_PYTHON_WALK_H

/**
 * The input and the result of a walk over the frames of a CPython thread: numbers only, so that a
 * BPF program, the emulator's plugin and a reader of memory can share them.
 *
 * A thread is identified by its id, pthread_self(). On x86-64 that is the TLS base. On AArch64 it
 * is below the TLS base, by the size of the C library's thread structure, which precedes all other
 * memory of the thread. There, the kernel does not know the TLS base of a program's first thread
 * until that was switched out for the first time; before that, the thread is identified by its
 * native id, which Python has since 3.11, or because it is the only one.
 */

#include "record/interpreted_frame.h"

#include <stdint.h>

enum {
	PYTHON_WALK_FRAME_BYTES = 136,
	PYTHON_WALK_ACTIVE = 1 << 4, /* bit of the word at thread_active */
	/* thread_id_reach of AArch64: more than the struct pthread of glibc (some 1800 bytes) and
	   of musl (some 200), less than two of glibc's. */
	PYTHON_WALK_AARCH64_REACH = 3072,
	/* After `locked` there are a counter of switches and, in glibc's layout, a condition of 48
	   bytes, a mutex of 40, and both again. On AArch64 mutexes have 48. */
	PYTHON_WALK_GIL_LOCKED_TO_CONDITIONS = 16,
	PYTHON_WALK_GIL_CONDITIONS_BYTES = 2 * (48 + 40),
	PYTHON_WALK_HEAD_WORDS = 11, /* what has code_head, in words of 8 bytes */
	/* Behind a task (INTERPRETED_FRAME_IS_TASK), in the place of frames: the first bytes of its
	   name, an object. The frame of the task has the object's address in `stack`, and in
	   `instruction` how many bytes were read. */
	PYTHON_WALK_NAME_FRAMES = 3,
	PYTHON_WALK_NAME_BYTES = 96,
	PYTHON_WALK_NAME_LEAST_BYTES = 48, /* what is before the characters */
	/* Behind an exception (INTERPRETED_FRAME_IS_RAISE), which is behind all frames: the name of
	   its type, up to a NUL. */
	PYTHON_WALK_TYPE_NAME_FRAMES = 2,
};

/** How a frame stores its instruction, and that native code called it. */
enum python_walk_kind {
	PYTHON_WALK_INDEX, /* up to 3.10: an index; one C frame for each Python frame */
	PYTHON_WALK_ENTRY, /* 3.11: a pointer; is_entry */
	PYTHON_WALK_OWNER, /* since 3.12: a pointer; frames with owner >= shim_owner are shims */
};

struct python_walk {
	uint64_t interpreters;    /* address of the pointer to the first interpreter */
	uint64_t code_mask;       /* removes tags from a frame's pointer to its code */
	uint64_t raise_address;   /* of the function that raises exceptions; 0: not asked for */
	uint64_t thread_id_reach; /* the most that the TLS base is above thread_id; 0: they are
				     equal */
	int64_t tls_slot; /* offset of the current thread state from the TLS base; 0: not known */

	/** The GIL, if gil_holder is not 0: see python_gil.h. */
	uint64_t gil;             /* its address; 0: see interpreter_gil */
	uint32_t interpreter_gil; /* a pointer to it, in the interpreter of the thread */
	uint32_t gil_holder, gil_locked, gil_waiting_place, gil_waiting_place_size;
	uint32_t thread_interpreter;

	uint32_t interpreter_next, interpreter_threads;
	uint32_t thread_next, thread_id, thread_native_id; /* the last: 0 if there is none */
	uint32_t thread_active;   /* _status, see PYTHON_WALK_ACTIVE; 0: not known */
	uint32_t thread_frame;    /* the frame, or a pointer to what contains it */
	uint32_t cframe_frame;    /* its offset there + 1; 0: thread_frame is the frame */
	uint32_t thread_compiled; /* a word that is not 0 while the JIT's code runs; 0: none */

	/** 3.10, 3.11: each C frame that runs Python has a CFrame, linked from the innermost. */
	uint32_t thread_cframe; /* the pointer to it; 0: none */
	uint32_t cframe_previous;

	uint32_t frame_size; /* at most PYTHON_WALK_FRAME_BYTES */
	uint32_t frame_code, frame_back, frame_instruction;
	uint32_t frame_mark; /* is_entry or owner; not used with PYTHON_WALK_INDEX */
	uint32_t frame_tlbc; /* free-threaded since 3.14; 0: none */
	uint32_t kind;       /* enum python_walk_kind */
	uint32_t shim_owner; /* PYTHON_WALK_OWNER */

	/** What tells a code object from others that were at its address before. Since 3.12 a
	 * number (0: none). Up to 3.11 the part of the object that has the first line and the
	 * pointers to code, names, file and line table: the line alone is 1 for each module. */
	uint32_t code_version, code_head;

	/** asyncio since 3.14; all but the first mean something only if that is not 0. */
	uint32_t thread_running_task; /* a pointer; 0: tasks are not wanted, or not published */
	uint32_t task_coroutine, task_name, task_awaited_by, task_awaited_by_is_set;
	uint32_t generator_frame, generator_state; /* of coroutines; the latter is a byte, */
	int8_t waits_from, waits_to; /* which is in this range if it waits for what is */
	uint8_t waited_for;          /* so many words below the top of its stack */
	uint32_t frame_stack, object_type;
	uint32_t type_name; /* for raise_address: a pointer to text */

	/** What is copied of a code object, which may be gone before it is read. */
	uint32_t code_name, code_qualified_name, code_file, code_lines; /* pointers; 0: none */
};

_Static_assert(PYTHON_WALK_NAME_FRAMES * sizeof(struct interpreted_frame) == PYTHON_WALK_NAME_BYTES,
	       "a name has room");

static inline uint32_t python_walk_mix_head(const uint64_t head[PYTHON_WALK_HEAD_WORDS])
{
	uint64_t mixed = 0;
	for (int i = 0; i < PYTHON_WALK_HEAD_WORDS; i++)
		mixed = (mixed ^ head[i]) * UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
	return (uint32_t)(mixed >> 32);
}

#endif
