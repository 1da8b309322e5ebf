/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_RECORD_INTERPRETED_FRAME_H
#define WPERF_RECORD_INTERPRETED_FRAME_H

/** Frames of an interpreter below a sample, as they were when it was taken: addresses and
 *  versions of its structures, which the interpreter's folder names later. */

#include <stdint.h>

enum { FRAME_WALK_MAX_FRAMES = 1024 };

enum interpreted_frame_flag {
	/** Native code called the frame; its C frame is around `stack` if that is not 0. */
	INTERPRETED_FRAME_IS_ENTRY = 1,
	/** The innermost one of a thread that runs machine code which the interpreter's JIT made:
	 *  that says only now and then where in the frame's code it is. */
	INTERPRETED_FRAME_IS_COMPILED = 2,
	/** Not a frame but the task that runs those before it. Those behind it wait for the task.
	 */
	INTERPRETED_FRAME_IS_TASK = 4,
	/** The first one: not a frame but an exception that the next one raises. */
	INTERPRETED_FRAME_IS_RAISE = 8,
};

/** What a thread had of its interpreter's lock. */
enum gil_state {
	GIL_UNKNOWN, /* also: there is none */
	GIL_HELD,
	GIL_FREE,   /* it ran, or slept, without it */
	GIL_WAITED, /* it slept until it would get it, or was just about to */
	GIL_NUM_STATES,
};

/** A frame as it was walked over, innermost first. Shims have been folded into entries. */
struct interpreted_frame {
	uint64_t code;        /* address of the code object */
	uint64_t instruction; /* pointer into its bytecode, or an index, which is -1 before
				 the first one */
	uint64_t stack;   /* of an entry: an address in the C frame that runs it; 0: not known */
	uint32_t version; /* differs from that of other code at the same address */
	uint16_t tlbc;    /* index of the bytecode's copy */
	uint16_t flags;   /* enum interpreted_frame_flag */
};

/** How a walk ended; all but the first two may have found frames before. */
enum frame_walk_end {
	FRAME_WALK_NONE, /* no walk, no such process, or the thread is none of an interpreter */
	FRAME_WALK_NO_FRAMES, /* a thread of an interpreter that runs no interpreted code */
	FRAME_WALK_WHOLE,
	FRAME_WALK_NO_MEMORY, /* something that was to be read is not there, or paged out */
	FRAME_WALK_TOO_DEEP,  /* more frames than there is room for */
	FRAME_WALK_TORN,      /* it changed while it was read */
	FRAME_WALK_NO_TIME,   /* the rest would take too much of the program's CPU time */
	FRAME_WALK_NUM_ENDS,
};

#endif
