/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_RECORD_INTERPRETED_FRAME_H
#define WPERF_RECORD_INTERPRETED_FRAME_H

/** The frames of Python below a sample, as they were when it was taken; python/ names them. */

#include <stdint.h>

enum { PYTHON_WALK_MAX_FRAMES = 1024 };

enum python_frame_flag {
	/** Native code called the frame; its C frame is around `stack` if that is not 0. */
	PYTHON_FRAME_IS_ENTRY = 1,
	/** The innermost one of a thread that runs machine code which CPython's JIT made: that
	 *  says only now and then where in the frame's code it is. */
	PYTHON_FRAME_IS_COMPILED = 2,
};

/** What a thread had of its interpreter's lock. */
enum python_gil_state {
	PYTHON_GIL_UNKNOWN, /* also: there is none */
	PYTHON_GIL_HELD,
	PYTHON_GIL_FREE,   /* it ran, or slept, without it */
	PYTHON_GIL_WAITED, /* it slept until it would get it, or was just about to */
	PYTHON_GIL_NUM_STATES,
};

/** A frame as it was walked over, innermost first. Shims have been folded into entries. */
struct python_frame {
	uint64_t code;        /* address of the code object */
	uint64_t instruction; /* pointer into its bytecode, or (PYTHON_WALK_INDEX) f_lasti, which
				 is -1 before the first one */
	uint64_t stack;   /* of an entry: an address in the C frame that runs it; 0: not known */
	uint32_t version; /* the word at code_version */
	uint16_t tlbc;    /* index of the bytecode's copy */
	uint16_t flags;   /* enum python_frame_flag */
};

/** How a walk ended; all but the first two may have found frames before. */
enum python_walk_end {
	PYTHON_WALK_NO_PYTHON, /* no walk, no such process, or the thread is none of Python's */
	PYTHON_WALK_NO_FRAMES, /* a thread of Python's that runs no code of Python */
	PYTHON_WALK_WHOLE,
	PYTHON_WALK_NO_MEMORY, /* something that was to be read is not there, or paged out */
	PYTHON_WALK_TOO_DEEP,  /* more frames than there is room for */
	PYTHON_WALK_TORN,      /* it changed while it was read */
	PYTHON_WALK_NO_TIME,   /* the rest would take too much of the program's CPU time */
	PYTHON_WALK_NUM_ENDS,
};

#endif
