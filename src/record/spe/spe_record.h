/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_RECORD_H
#define WPERF_RECORD_SPE_SPE_RECORD_H

/**
 * One sampled operation, as the packets of its record told it. spe_stream.h makes them. What the
 * hardware did not tell is not in it and 0: ask spe_record_has() first.
 */

#include "record/spe/spe_packet.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	/** In the value of the operation: its class is below its payload, as in memory. */
	SPE_RECORD_CLASS_MASK = 3,
	SPE_RECORD_OPERATION_SHIFT = 8,
};

struct spe_record {
	uint64_t position; /* of its first byte that is no padding */
	uint32_t size;     /* up to and with its end; padding within counts */
	uint32_t has;      /* 1 << enum spe_value */

	/**
	 * By enum spe_value. Payloads as they came but for the operation, which has its class too;
	 * the functions below take addresses and operation apart.
	 */
	uint64_t values[SPE_NUM_VALUES];
};

/** The bit of spe_record.has. */
static inline uint32_t spe_record_bit(unsigned value)
{
	return UINT32_C(1) << value;
}

static inline bool spe_record_has(const struct spe_record *record, unsigned value)
{
	return record->has >> value & 1;
}

static inline bool spe_record_has_address(const struct spe_record *record, enum spe_address address)
{
	return spe_record_has(record, SPE_VALUE_ADDRESS + address);
}

/** With the sign of bit 55, but for the physical one. */
static inline uint64_t spe_record_address(const struct spe_record *record, enum spe_address address)
{
	return spe_address_of(record->values[SPE_VALUE_ADDRESS + address], address);
}

/** The byte above: see spe_address_level() and the others of spe_packet.h. */
static inline uint8_t spe_record_address_top(const struct spe_record *record,
					     enum spe_address address)
{
	return (uint8_t)(record->values[SPE_VALUE_ADDRESS + address] >> SPE_ADDRESS_TOP_SHIFT);
}

static inline bool spe_record_has_latency(const struct spe_record *record, enum spe_counter counter)
{
	return spe_record_has(record, SPE_VALUE_COUNTER + counter);
}

/** In cycles; the largest that the hardware can count means that or more. */
static inline uint32_t spe_record_latency(const struct spe_record *record, enum spe_counter counter)
{
	return (uint32_t)record->values[SPE_VALUE_COUNTER + counter];
}

/** CONTEXTIDR_EL1 or _EL2 (@level: 1 or 2), which has the thread id where Linux was built so. */
static inline uint32_t spe_record_context(const struct spe_record *record, unsigned level)
{
	return (uint32_t)record->values[SPE_VALUE_CONTEXT + level - 1];
}

/** @event: enum spe_event, in spe_event.h. */
static inline bool spe_record_has_event(const struct spe_record *record, unsigned event)
{
	return record->values[SPE_VALUE_EVENTS] >> event & 1;
}

/** Class and payload of the operation, for spe_operation_of(). */
static inline unsigned spe_record_class(const struct spe_record *record)
{
	return record->values[SPE_VALUE_OPERATION] & SPE_RECORD_CLASS_MASK;
}

static inline uint8_t spe_record_operation(const struct spe_record *record)
{
	return (uint8_t)(record->values[SPE_VALUE_OPERATION] >> SPE_RECORD_OPERATION_SHIFT);
}

#endif
