/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_WALK_RECORD_H
#define WPERF_SOURCE_BPF_WALK_RECORD_H

/**
 * Interpreted frames and the native stack from a BPF walk, read from a ring and kept until its
 * sample comes: the next one of the same thread in that ring.
 */

#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct walker_output;

enum {
	WALK_NEVER_LATE = UINT32_MAX,
	WALK_MAX_STACK = UINT16_MAX,
};

struct walk_record {
	uint64_t id; /* of the event of these records; set by the owner */
	bool is_waiting;
	uint32_t pid, tid;
	size_t num_frames;
	enum frame_walk_end end;
	enum gil_state gil;
	uint32_t gil_holder;             /* a thread; 0: not known */
	uint32_t late_slot, late_number; /* see bpf_walker_take_late() */
	bool is_late;                    /* it was replaced by a second walk */
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
	/** As of struct record_sample; size 0: the walk copied none. */
	uint64_t stack_address;
	size_t stack_size;
	uint8_t stack[WALK_MAX_STACK];
};

/**
 * If these bytes are a walk's record, keep it. False: they are not.
 * @num_unpaired: incremented for a walk without a sample, and for a damaged one.
 */
bool walk_record_take(struct walk_record *walk, const uint8_t *bytes, size_t size,
		      uint64_t *num_unpaired);

/** Replace it by the result of a second walk. */
void walk_record_replace(struct walk_record *walk, const struct walker_output *output,
			 const struct interpreted_frame *frames);

/** Its sample found no room in the ring: the kernel tells of losses before the next record. */
void walk_record_drop(struct walk_record *walk, uint64_t *num_unpaired);

/** Add the waiting walk to its sample; what it points to is valid until the next take. */
void walk_record_join(struct walk_record *walk, struct record *sample, uint64_t *num_unpaired);

#endif
