/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_PYTHON_PYTHON_WALK_H
#define WPERF_PYTHON_PYTHON_WALK_H

/**
 * What a walk over the frames of a CPython thread has to know, and what comes out of it: numbers
 * only, so that a BPF program, the emulator's plugin and a reader of memory do it alike.
 *
 * A thread is found by its id, pthread_self(): on x86-64 that is the TLS base. On AArch64 it lies
 * below it, by the size of what the C library keeps of a thread, in front of all other memory of
 * that thread. There the kernel knows the TLS base of a program's first thread only when another
 * one had its core for the first time: until then the kernel's number of the thread tells, which
 * Python has since 3.11, or that there is no other thread.
 */

#include "record/python_frame.h"

#include <stdint.h>

enum {
	PYTHON_WALK_FRAME_BYTES = 136,
	PYTHON_WALK_ACTIVE = 1 << 4, /* bit of the word at thread_active */
	/* thread_id_reach of AArch64: more than the struct pthread of glibc (some 1800 bytes) and
	   of musl (some 200), less than two of glibc's. */
	PYTHON_WALK_AARCH64_REACH = 3072,
	/* Behind `locked` there is a counter of switches, and then, as glibc lays them out, a
	   condition of 48 bytes, a mutex of 40, and both once more. On AArch64 mutexes have 48. */
	PYTHON_GIL_LOCKED_TO_CONDITIONS = 16,
	PYTHON_GIL_CONDITIONS_BYTES = 2 * (48 + 40),
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
	uint64_t thread_id_reach; /* the most that the TLS base is above thread_id; 0: they are
				     equal */
	int64_t tls_slot;         /* of the current thread state, from the TLS base; 0: not known */

	/** The lock, if gil_holder is not 0, as python_gil.h has it. */
	uint64_t gil;             /* its address; 0: of a pointer at interpreter_gil */
	uint32_t interpreter_gil; /* in the interpreter of the thread */
	uint32_t gil_holder, gil_locked, gil_waiting_place, gil_waiting_place_size;
	uint32_t thread_interpreter;

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
