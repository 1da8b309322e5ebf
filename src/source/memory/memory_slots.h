/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_MEMORY_SLOTS_H
#define WPERF_SOURCE_MEMORY_MEMORY_SLOTS_H

/**
 * The region that the profiled programs write samples into, as wperf reads it. The programs can
 * write anything there, at any time: each sample is copied once, and only the copy is checked and
 * used. They cannot change the region's size.
 */

#include "base/error.h"
#include "source/memory/preload/memory_region.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_slots_config {
	uint64_t period;      /* the least one; not 0 */
	uint32_t stack_bytes; /* of a copy; at most MEMORY_MAX_STACK are taken */
	bool sees_frees;
	bool seeks_leaks;
	bool holds; /* threads wait until their sample has been taken */
};

/** A checked copy. */
struct memory_sample {
	struct memory_head head; /* its kind, period and stack_size are in range */
	const uint8_t *stack;
	bool is_held; /* its thread waits until memory_slots_release() */
};

/** What is private: a slot that has a sample. */
struct memory_slots_ready {
	uint64_t time_ns;
	unsigned index;
};

struct memory_slots {
	struct memory_region *region; /* NULL: there is none */
	int fd;
	uint32_t stack_bytes;
	uint64_t least_period;
	struct memory_slots_ready ready[MEMORY_NUM_SLOTS]; /* by time */
	size_t num_ready, next_ready;
	struct memory_slot *taken; /* NULL: none */
	uint8_t *stack;            /* the copy */
	uint32_t num_seen;         /* num_written at the last look */
	uint64_t num_invalid;      /* samples that were no such */
	/** When slots were first seen in the hands of a process that does not go on; 0: not. */
	uint64_t stuck_since_ns[MEMORY_NUM_SLOTS];
};

#define MEMORY_SLOTS_INIT \
	{                 \
		.fd = -1, \
	}

struct error *memory_slots_create(struct memory_slots *ret);

/** Before a program that has it can run. */
void memory_slots_configure(struct memory_slots *slots, const struct memory_slots_config *config);

/** Programs that still run go on as if nobody watched. */
void memory_slots_destroy(struct memory_slots *slots);

/** The path by which programs open it, while this process lives. */
void memory_slots_path(const struct memory_slots *slots, char *ret, size_t size);

/** From now on, threads draw with another one; not below that of the config. */
void memory_slots_set_period(struct memory_slots *slots, uint64_t period);

void memory_slots_enable(struct memory_slots *slots);

/** Nobody takes samples any more; nobody waits. */
void memory_slots_close(struct memory_slots *slots);

/** Look for samples: those of now are the next ones. Returns how many. */
size_t memory_slots_look(struct memory_slots *slots, uint64_t now_ns);

/** The next sample, by time; false: there is none. Valid until memory_slots_release(). */
bool memory_slots_take(struct memory_slots *slots, struct memory_sample *ret);

/** The thread of the last sample goes on; does nothing without one. */
void memory_slots_release(struct memory_slots *slots);

/** Wait for a sample that comes after the last look. */
void memory_slots_sleep(struct memory_slots *slots, uint64_t ns);

#endif
