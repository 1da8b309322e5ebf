/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_REGION_SLOT_H
#define WPERF_SOURCE_MEMORY_REGION_SLOT_H

/** A slot of the region, in the hands of one thread of the program. */

#include "source/memory/preload/memory_region.h"

#include <stdbool.h>

struct region_slot {
	struct memory_region *region;
	struct memory_slot *memory;
	uint8_t *stack; /* its MEMORY_MAX_STACK bytes */
	uint32_t turn;  /* the number in the state, in its place */
};

/** Waits a little for a free one; if there is none, the sample is counted as lost. */
bool region_slot_claim(struct region_slot *slot, struct memory_region *region, uint32_t owner);

/**
 * It is complete. @wait_ns: wait so long until wperf begins to read it, and then until it is done;
 * 0: go on at once.
 */
void region_slot_publish(struct region_slot *slot, uint64_t wait_ns);

/** Sleep until the word is not @value any more, or for @ns; and wake all who sleep there. */
void region_slot_sleep(_Atomic uint32_t *word, uint32_t value, uint64_t ns);
void region_slot_wake(_Atomic uint32_t *word);

#endif
