/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_WALK_RECORD_H
#define WPERF_SOURCE_WALK_RECORD_H

/**
 * A walk over the frames of Python that came through a ring, kept until the sample comes for which
 * it was made: the next one of that ring, of the same thread.
 */

#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct walker_output;

enum { WALK_NEVER_LATE = UINT32_MAX };

struct walk_record {
	uint64_t id; /* of the event that such records are of; set by the owner */
	bool is_waiting;
	uint32_t pid, tid;
	size_t num_frames;
	enum python_walk_end end;
	enum python_gil_state gil;
	uint32_t late_slot, late_number; /* see bpf_walker_take_late() */
	bool is_late;                    /* it was replaced */
	struct python_frame frames[PYTHON_WALK_MAX_FRAMES];
};

/**
 * If these bytes are a walk's record, keep it. False: they are something else.
 * @num_unpaired: one more for a walk that waited in vain, or that is damaged.
 */
bool walk_record_take(struct walk_record *walk, const uint8_t *bytes, size_t size,
		      uint64_t *num_unpaired);

/** It was walked once more, and this was found. */
void walk_record_replace(struct walk_record *walk, const struct walker_output *output,
			 const struct python_frame *frames);

/** Give the sample the walk that waits, if it is its; the frames live until the next take. */
void walk_record_join(struct walk_record *walk, struct record *sample, uint64_t *num_unpaired);

#endif
