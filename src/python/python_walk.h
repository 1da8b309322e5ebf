/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_PYTHON_PYTHON_WALK_H
#define WPERF_PYTHON_PYTHON_WALK_H

/**
 * What a walk over the frames of a CPython thread has to know, and what comes out of it: numbers
 * only, so that a BPF program, the emulator's plugin and a reader of memory do it alike.
 *
 * A thread is found by its id: pthread_self(), which on x86-64 is the TLS base and on AArch64 a
 * constant away from it, or, since 3.11, by the kernel's number of it.
 */

#include "record/python_frame.h"

#include <stdint.h>

enum {
	PYTHON_WALK_FRAME_BYTES = 136,
	PYTHON_WALK_ACTIVE = 1 << 4, /* bit of the word at thread_active */
};

/** How a frame says where it is, and that native code called it. */
enum python_walk_kind {
	PYTHON_WALK_INDEX, /* up to 3.10: a number; one C frame for each frame of Python */
	PYTHON_WALK_ENTRY, /* 3.11: a pointer; is_entry */
	PYTHON_WALK_OWNER, /* since 3.12: a pointer; frames of an owner as high as this are shims */
};

struct python_walk {
	uint64_t interpreters;    /* address of the pointer to the first interpreter */
	uint64_t code_mask;       /* what is no tag in a frame's pointer to its code */
	int64_t thread_id_offset; /* thread_id - TLS base */
	int64_t tls_slot;         /* of the current thread state, from the TLS base; 0: not known */

	uint32_t interpreter_next, interpreter_threads;
	uint32_t thread_next, thread_id, thread_native_id; /* the last: 0 if there is none */
	uint32_t thread_active;   /* of _status, see PYTHON_WALK_ACTIVE; 0: not known */
	uint32_t thread_frame;    /* of the frame, or of a pointer to what has it: */
	uint32_t cframe_frame;    /* offset there + 1; 0: thread_frame is the frame itself */
	uint32_t thread_compiled; /* of a word that is not 0 in code that the JIT made; 0: none */

	/** 3.10, 3.11: each C frame that runs Python has a CFrame, linked from the innermost. */
	uint32_t thread_cframe; /* of the pointer to it; 0: none */
	uint32_t cframe_previous;

	uint32_t frame_size; /* at most PYTHON_WALK_FRAME_BYTES */
	uint32_t frame_code, frame_back, frame_instruction;
	uint32_t frame_mark;   /* of is_entry or owner; PYTHON_WALK_INDEX: of no interest */
	uint32_t frame_tlbc;   /* free-threaded since 3.14; 0: none */
	uint32_t kind;         /* enum python_walk_kind */
	uint32_t shim_owner;   /* PYTHON_WALK_OWNER */
	uint32_t code_version; /* of a word that tells code objects at one address apart; 0: none */
};

#endif
