/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_WALK_H
#define WPERF_PYTHON_PYTHON_WALK_H

/**
 * What a walk over the frames of a CPython thread has to know, and what comes out of it: numbers
 * only, so that a BPF program, the emulator's plugin and a reader of memory do it alike.
 *
 * A thread is found by its id: pthread_self(), which on x86-64 is the TLS base and on AArch64 a
 * constant away from it, or, since 3.11, by the kernel's number of it.
 */

#include <stdint.h>

enum { PYTHON_WALK_MAX_FRAMES = 256, PYTHON_WALK_FRAME_BYTES = 128 };

/** How a frame says where it is, and that native code called it. */
enum python_walk_kind {
	PYTHON_WALK_INDEX, /* up to 3.10: a number; one C frame for each frame of Python */
	PYTHON_WALK_ENTRY, /* 3.11: a pointer; is_entry */
	PYTHON_WALK_OWNER, /* since 3.12: a pointer; frames of an owner as high as this are shims */
};

struct python_walk {
	uint64_t interpreters; /* address of the pointer to the first interpreter */
	uint64_t code_mask;    /* of the tags in a frame's pointer to its code */
	int64_t thread_id_offset; /* thread_id - TLS base */
	int64_t tls_slot; /* of the current thread state, from the TLS base; 0: not known */

	uint32_t interpreter_next, interpreter_threads;
	uint32_t thread_next, thread_id, thread_native_id; /* the last: 0 if there is none */
	uint32_t thread_active; /* byte of _status whose bit 1 << 0.. says so; 0: not known */
	uint32_t thread_frame;  /* of the frame, or of a pointer to what has it: */
	uint32_t cframe_frame;  /* offset there + 1; 0: thread_frame is the frame itself */

	uint32_t frame_size; /* at most PYTHON_WALK_FRAME_BYTES */
	uint32_t frame_code, frame_back, frame_instruction;
	uint32_t frame_mark; /* of is_entry or owner */
	uint32_t frame_tlbc; /* free-threaded since 3.14; 0: none */
	uint32_t kind;       /* enum python_walk_kind */
	uint32_t shim_owner; /* PYTHON_WALK_OWNER */
	uint32_t code_version; /* of a word that tells code objects at one address apart; 0: none */
};

enum python_frame_flag {
	/** Native code called the frame; its C frame is around `stack` if that is not 0. */
	PYTHON_FRAME_IS_ENTRY = 1,
};

/** A frame as it was walked over, innermost first. Shims have been folded into entries. */
struct python_frame {
	uint64_t code;        /* address of the code object */
	uint64_t instruction; /* pointer into its bytecode, or (PYTHON_WALK_INDEX) f_lasti */
	uint64_t stack;       /* of an entry: an address in the C frame that runs it; 0: not known */
	uint32_t version;     /* the word at code_version */
	uint16_t tlbc;        /* index of the bytecode's copy */
	uint16_t flags;       /* enum python_frame_flag */
};

/** How a walk ended. */
enum python_walk_end {
	PYTHON_WALK_WHOLE,
	PYTHON_WALK_NO_PYTHON,  /* no such process, or the thread is none of Python's */
	PYTHON_WALK_NO_FRAMES,  /* a thread of Python's that runs no code of Python */
	PYTHON_WALK_NO_MEMORY,  /* something that was to be read is not there, or paged out */
	PYTHON_WALK_TOO_DEEP,   /* more frames than there is room for */
	PYTHON_WALK_TORN,       /* it changed while it was read */
	PYTHON_WALK_NUM_ENDS,
};

#endif
