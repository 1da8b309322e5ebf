/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_RECORD_H
#define WPERF_RECORD_SPE_RECORD_H

/**
 * One sampled operation, as the packets of its record told it. spe_stream.h makes them. What the
 * hardware did not tell is not in it: look at @has first.
 */

#include "record/spe_packet.h"

#include <stdbool.h>
#include <stdint.h>

/** Bits of spe_record.has. Those of several kinds stand in the order of the kinds. */
enum {
	SPE_HAS_PC = 1 << 0, /* << enum spe_address */
	SPE_HAS_BRANCH_TARGET = 1 << 1,
	SPE_HAS_VIRTUAL = 1 << 2,
	SPE_HAS_PHYSICAL = 1 << 3,
	SPE_HAS_PREVIOUS_TARGET = 1 << 4,
	SPE_HAS_TOTAL_LATENCY = 1 << 8, /* << enum spe_counter */
	SPE_HAS_ISSUE_LATENCY = 1 << 9,
	SPE_HAS_TRANSLATION_LATENCY = 1 << 10,
	SPE_HAS_ALTERNATE_LATENCY = 1 << 11,
	SPE_HAS_CONTEXT_EL1 = 1 << 12,
	SPE_HAS_CONTEXT_EL2 = 1 << 13,
	SPE_HAS_EVENTS = 1 << 16,
	SPE_HAS_DATA_SOURCE = 1 << 17,
	SPE_HAS_OPERATION = 1 << 18,
	SPE_HAS_TIMESTAMP = 1 << 19,
};

struct spe_record {
	uint64_t position; /* of its first byte that is no padding */
	uint32_t size;     /* up to and with its end; padding within counts */
	uint32_t has;      /* SPE_HAS_*; a member without its bit is 0 */

	/** By enum spe_address, with sign (see spe_address_of()), and the byte above, as it came.
	 */
	uint64_t addresses[SPE_NUM_ADDRESSES];
	uint8_t address_tops[SPE_NUM_ADDRESSES];

	uint8_t operation_class; /* see spe_operation.h */
	uint8_t operation;
	uint16_t counters[SPE_NUM_COUNTERS]; /* cycles, by enum spe_counter */
	uint32_t contexts[SPE_NUM_CONTEXTS]; /* CONTEXTIDR_EL1, _EL2: thread ids, if Linux was built
						so */
	uint64_t events;                     /* see spe_event.h */
	uint64_t data_source;                /* see spe_data_source.h */
	uint64_t timestamp;                  /* ticks of the generic timer */
};

static inline bool spe_record_has_event(const struct spe_record *record, unsigned event)
{
	return record->events >> event & 1;
}

#endif
