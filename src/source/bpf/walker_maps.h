/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_WALKER_MAPS_H
#define WPERF_SOURCE_BPF_WALKER_MAPS_H

/** What the program in the kernel and its loader share: the values of maps, and what it gives. */

#include "record/interpreted_frame.h"
#include "record/object_copy.h"

#include <stdint.h>

enum {
	WALKER_LAYOUT_BYTES = 256, /* for what a walk has to know of a process */
	WALKER_OWN_BYTES = 6144,   /* for what it works on */
};

/** Of `processes`, by the process. */
struct walker_process {
	uint32_t generation; /* another one for each walk, so that its threads are found anew */
	uint32_t walk;       /* whose: see struct kernel_walk */
	uint64_t layout[WALKER_LAYOUT_BYTES / sizeof(uint64_t)];
};

/** Of `threads`. */
struct walker_thread_key {
	uint32_t process, generation;
	uint64_t tls;
};

struct walker_thread {
	uint64_t state;    /* address of the thread's state; 0: it is none of the interpreter's */
	uint64_t retry_ns; /* ... up to then */
};

/** Of `counters`, for each core. */
enum {
	WALKER_COUNTER_NO_ROOM, /* the ring was full; the kernel counts that as a lost sample */
	WALKER_COUNTER_NS,      /* the time that samples took here */
	WALKER_NUM_COUNTERS,
};

enum { WALKER_COOKIE_CORE_BITS = 24 };

/** Of the program at a probe. @thread: 0 for all. */
static inline uint64_t walker_probe_cookie(uint32_t core, uint32_t thread)
{
	return (uint64_t)thread << WALKER_COOKIE_CORE_BITS | core;
}

/** A walk as it comes through the ring, in front of its sample. The frames follow. */
struct walker_output {
	uint16_t num_frames;
	uint8_t end;          /* enum frame_walk_end */
	uint8_t gil;          /* enum gil_state */
	uint32_t late_slot;   /* of `lates`, where a better walk comes to; UINT32_MAX: none */
	uint32_t late_number; /* ... which will have this number */
	uint32_t gil_holder;  /* with GIL_WAITED: the thread that had it meanwhile; 0: not known */
	/* Of a walker_stack behind the frames; 0: there is none. Frames stand behind this number,
	 * and behind a word in front of it all. */
	uint32_t stack_bytes;
};

/** A record of the ring has 65,535 bytes at most (the size in its header): what is left for frames
 *  and the stack when all else is taken off, which is 120 bytes at most. */
enum { WALKER_ROOM_BYTES = 65408 };

/** The thread's native stack. */
struct walker_stack {
	uint64_t address; /* of the first byte: the stack pointer */
	uint8_t bytes[WALKER_ROOM_BYTES - sizeof(uint64_t)];
};

/** Of `wishes`: what each sample shall have. */
struct walker_wish {
	uint32_t stack_bytes; /* at most; 0: the kernel copies the stack, or nobody does */
};

/** What a walk works on. */
struct walker_scratch {
	uint32_t walk;          /* number of the walk */
	uint32_t num_reads;     /* of this walk */
	uint64_t missing;       /* an address that could not be read; 0: none */
	uint32_t missing_bytes; /* how many were to be read there */
	/* First so that the frames, which are many, do not put it out of reach. */
	uint64_t own[WALKER_OWN_BYTES / sizeof(uint64_t)];
	struct object_copy copy; /* one that is being made */
	uint32_t is_taken;       /* by a walk that may be interrupted by another */
	struct walker_output output;
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
};

/** ... and what is given of a sample; a core's, and so each sample's on it. */
struct walker_core {
	struct walker_scratch scratch;
	struct walker_stack stack; /* room for it: it begins behind the last frame */
};

/** What the kernel keeps of work that a thread does before it goes on. Its name is the kernel's. */
struct bpf_task_work {
	uint64_t opaque;
} __attribute__((aligned(8)));

/** Of `lates`: walks that are done once more where memory can be fetched from the disk. */
struct walker_late {
	struct bpf_task_work work;
	struct walker_thread_key key;
	uint32_t number; /* of the one that waits */
	uint32_t done;   /* the number of the one whose frames these are */
	struct walker_scratch scratch;
	uint32_t begun;      /* another number than done: they are just being written */
	uint32_t generation; /* of late walks that led to this one */
};

enum { WALKER_NUM_LATES = 256 };

/** Of `copies`. Those that no sample has met for the longest time make room: wperf asks for a copy
 *  within some 20 ms, in which a core has met a few hundred new objects at most. */
enum { WALKER_NUM_COPIES = 2048 };

#endif
