/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_REGION_H
#define WPERF_SOURCE_MEMORY_MEMORY_REGION_H

/**
 * The memory that wperf shares with the programs that preload wperf-memory.so. wperf writes the
 * config and starts a program; the library in each process writes samples into slots. Both come
 * from one build, so only a version is compared. wperf trusts nothing that it reads here: see
 * memory_slots.h.
 *
 * A slot belongs to one thread at a time, so that a process that is killed while it writes keeps
 * nothing locked but its slot. The state of a slot is a word with a phase and the number of its
 * turn, on which the thread sleeps until wperf has taken the sample.
 */

#include <stdatomic.h>
#include <stdint.h>

enum {
	MEMORY_VERSION = 4,
	MEMORY_NUM_SLOTS = 256,
	/** wperf looks at each sample at once: what its process has loaded, and the name of its
	 *  thread, may be gone soon. Frees wait until it looks anyway, or there are so many. */
	MEMORY_WAKES_AT = 32,
	MEMORY_PAGE = 4096,
	MEMORY_MAX_STACK = 1 << 16, /* bytes of a copy of a stack */
};

/** The variable that says where the region can be opened. */
#define MEMORY_VARIABLE "WPERF_MEMORY"

enum memory_phase {
	MEMORY_FREE,
	MEMORY_FILLING,
	MEMORY_READY, /* the thread waits */
	MEMORY_LEFT,  /* likewise complete, but its thread does not wait, or no longer */
	MEMORY_READING,
	MEMORY_ABANDONED, /* the thread went on while it was read */
	MEMORY_PHASE_BITS = 3,
	MEMORY_PHASE_MASK = (1 << MEMORY_PHASE_BITS) - 1,
};

enum memory_kind {
	MEMORY_ALLOCATION,
	MEMORY_PROGRAM, /* a process runs a new program */
	MEMORY_FORK,    /* a process is a copy of @parent, which wperf knows */
	MEMORY_FREED,   /* a sampled block */
	MEMORY_ENDING,  /* a process ends by itself; it waits to be searched for leaks */
	MEMORY_NUM_KINDS,
};

struct memory_head {
	uint32_t kind; /* enum memory_kind */
	uint32_t pid, tid, parent;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	uint64_t address; /* of a block; of a process: of its live_table */
	/** Of a block that was freed: what its thread has allocated since; UINT64_MAX: another
	 *  thread freed it. */
	uint64_t size;
	uint64_t period;        /* that a sample was drawn with */
	uint64_t ip, sp, frame; /* of the caller, after its call */
	uint64_t loader;        /* address of the loader's struct r_debug; 0: not known */
	/** Number of a sampled block in its process; 0: frees are not wanted. Of a process: the
	 * last number that is its parent's. */
	uint64_t block;
	uint32_t stack_size; /* bytes of its stack, from @sp upwards */
	uint32_t reserved;
};

struct memory_slot {
	_Alignas(64) _Atomic uint32_t state;
	uint32_t owner; /* pid */
	struct memory_head head;
};

struct memory_region {
	/* Written before a program starts. */
	uint32_t version;
	int32_t reader;          /* pid of wperf */
	_Atomic uint64_t period; /* the only one that may change later */
	uint32_t stack_bytes;    /* most of a copy */
	uint32_t holds;          /* a thread waits until its sample has been taken */
	uint32_t sees_frees;     /* of sampled blocks */
	uint32_t seeks_leaks;    /* a process waits at its end */

	_Atomic uint32_t is_enabled;
	_Atomic uint32_t is_closed; /* nobody reads any more */
	/** Both sides sleep on these; they change when a slot is filled, or becomes free. */
	_Atomic uint32_t num_written, num_freed;
	_Atomic uint32_t num_seen; /* num_written when wperf last looked */

	/** num_freed + 1 when a thread has waited in vain for a slot; 0: none has. */
	_Atomic uint32_t stalled_at;

	_Atomic uint64_t num_lost; /* samples for which there was no slot */
	_Atomic uint64_t
		num_unseen; /* sampled blocks whose free will not be seen: too many at once */
	_Atomic uint64_t num_hasty;      /* threads that waited too long for wperf, and went on */
	_Atomic uint32_t has_own_malloc; /* a program whose own malloc comes before ours */

	/** Apart from the stacks: both sides look at many of them for one that they want. */
	struct memory_slot slots[MEMORY_NUM_SLOTS];

	/** Of each slot. Most of it is never touched: only as much as the copies need. */
	_Alignas(MEMORY_PAGE) uint8_t stacks[MEMORY_NUM_SLOTS][MEMORY_MAX_STACK];
};

#endif
