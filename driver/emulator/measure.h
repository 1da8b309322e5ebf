/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_MEASURE_H
#define WPERF_EMULATOR_MEASURE_H

/**
 * What the emulated PMU counts, and which events of the architecture that is. Several events may
 * be one measure: without speculation what was executed is what retired.
 */

#include "driver/emulator/memory_model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum measure {
	/* Known from the words of a block of instructions, whatever happens when it runs. */
	MEASURE_INSTRUCTIONS,
	MEASURE_LOADS,
	MEASURE_STORES,
	MEASURE_LOADS_STORES,
	MEASURE_DATA,
	MEASURE_VFP,
	MEASURE_ASE,
	MEASURE_CRYPTO,
	MEASURE_SVE,
	MEASURE_BRANCHES,
	MEASURE_BRANCHES_IMMED,
	MEASURE_BRANCHES_INDIRECT,
	MEASURE_BRANCHES_RETURN,
	MEASURE_LOADS_EXCLUSIVE,
	MEASURE_STORES_EXCLUSIVE,
	MEASURE_LOADS_ACQUIRE,
	MEASURE_STORES_RELEASE,
	MEASURE_ISB,
	MEASURE_DSB,
	MEASURE_DMB,
	MEASURE_SYSTEM_CALLS,
	NUM_BLOCK_MEASURES,

	MEASURE_CYCLES = NUM_BLOCK_MEASURES, /* instructions, times a constant */

	/* Known when the next block begins. */
	MEASURE_TAKEN, /* branches that were */
	FIRST_BRANCH_MEASURE = MEASURE_TAKEN,
	MEASURE_NOT_TAKEN,
	MEASURE_IMMED_TAKEN,

	/* Known when memory is accessed. */
	MEASURE_READS,
	FIRST_MEMORY_MEASURE = MEASURE_READS,
	MEASURE_WRITES,
	MEASURE_ACCESSES,
	MEASURE_UNALIGNED_READS,
	MEASURE_UNALIGNED_WRITES,
	MEASURE_UNALIGNED_ACCESSES,

	FIRST_MODEL_MEASURE, /* + enum model_event */
	NUM_MEASURES = FIRST_MODEL_MEASURE + NUM_MODEL_EVENTS
};

/** An event of the PMU that can be counted here. */
struct measured_event {
	uint16_t code;
	enum measure measure;
};

extern const struct measured_event measured_events[];
extern const size_t num_measured_events;

/** What an event's code is here; false if the emulator does not know it. */
bool measure_of_event(uint64_t code, enum measure *ret);

/** Is it a model's number, where hardware would have its own? Else it is exact. */
bool measure_is_modelled(enum measure measure);

/** Does it come from the words of the instructions alone? (Cycles, too.) */
static inline bool measure_is_of_blocks(enum measure measure)
{
	return measure <= MEASURE_CYCLES;
}

static inline bool measure_is_of_branches(enum measure measure)
{
	return measure >= FIRST_BRANCH_MEASURE && measure < FIRST_MEMORY_MEASURE;
}

static inline bool measure_is_of_memory(enum measure measure)
{
	return measure >= FIRST_MEMORY_MEASURE && measure < FIRST_MODEL_MEASURE;
}

static inline bool measure_is_of_model(enum measure measure)
{
	return measure >= FIRST_MODEL_MEASURE;
}

/** Is an instruction of these classes (see a64_class.h) one of a block measure, cycles apart? */
bool measure_has_classes(enum measure measure, uint32_t classes);

#endif
