/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_WALKER_MAPS_H
#define WPERF_SOURCE_BPF_WALKER_MAPS_H

/** What the program in the kernel and its loader share: the values of maps, and what it gives. */

#include "record/interpreted_frame.h"
#include "source/bpf/frame_walk.h"

#include <stdint.h>

/** Of `processes`, by the process. */
struct walker_process {
	uint32_t generation; /* another one for each walk, so that its threads are found anew */
	uint32_t unused;
	struct frame_walk walk;
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
	WALKER_COUNTER_NS,      /* the time that walks took */
	WALKER_NUM_COUNTERS,
};

/** A walk as it comes through the ring, in front of its sample. The frames follow. */
struct walker_output {
	uint16_t num_frames;
	uint8_t end;          /* enum frame_walk_end */
	uint8_t gil;          /* enum gil_state */
	uint32_t late_slot;   /* of `lates`, where a better walk comes to; UINT32_MAX: none */
	uint32_t late_number; /* ... which will have this number */
};

/** Of the search for a thread's state among those of all threads, of all interpreters. */
struct walker_search {
	uint64_t interpreter, state; /* where it is */
	uint64_t num_states, only;   /* only: the state, if there has been no other */
	uint64_t active, running, other, idle;
	uint64_t has_failed;
};

/** Powers of two, so that offsets can be kept within them by a mask. */
enum {
	WALKER_FRAME_ROOM = 256,
	WALKER_BLOCK_BYTES = 4096, /* no more than a page */
	WALKER_NUM_VERSIONS = 64,
};
_Static_assert((int)FRAME_WALK_FRAME_BYTES <= (int)WALKER_FRAME_ROOM, "a frame has room");

/** The version of a code object: most frames of a deep stack run code that was seen before. */
struct walker_version {
	uint64_t code;
	uint32_t version;
	uint32_t walk; /* the number of the walk that read it */
};

/** What a walk works on. */
struct walker_scratch {
	uint32_t before; /* so that frames are aligned */
	struct walker_output output;
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
	uint8_t block[WALKER_BLOCK_BYTES + WALKER_FRAME_ROOM + sizeof(uint64_t)]; /* of frames */
	uint64_t block_begin, block_bytes; /* the address of what was read, and its size */
	struct walker_version versions[WALKER_NUM_VERSIONS];
	uint32_t walk;      /* number of the walk */
	uint32_t num_reads; /* of this walk */
	uint32_t place;     /* of the frame, in `block` */
	uint64_t next_frame;
	uint64_t cframe;  /* of the next entry */
	uint64_t missing; /* an address that could not be read; 0: none */
	struct walker_search search;
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

#endif
