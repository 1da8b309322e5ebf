/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_PACKET_H
#define WPERF_RECORD_SPE_SPE_PACKET_H

/**
 * What Arm's Statistical Profiling Extension writes into its buffer, packet by packet: a header of
 * one byte, or of two if the first is 0x20 to 0x23, then a little-endian payload. Several packets
 * make a record (spe_record.h). Nothing is allocated and nothing but the given bytes is read.
 *
 * To read a buffer whole:
 *
 *	for (size_t at = 0; at < size; at += packet.size)
 *		if (!spe_packet_decode(bytes + at, size - at, position + at, &packet))
 *			packet = SPE_PACKET_BAD_BYTE; // cut by the buffer's end
 */

#include "base/byte_order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum spe_packet_kind {
	SPE_PACKET_BAD,     /* one byte that begins no packet */
	SPE_PACKET_PADDING, /* up to 16 bytes: zeros, or an alignment packet and zeros behind it */
	SPE_PACKET_END,     /* of a record without a timestamp */
	SPE_PACKET_TIMESTAMP, /* and the end of a record; the payload is of the generic timer */
	SPE_PACKET_EVENTS,    /* payload: a bit per event, see spe_event.h; of 1, 2, 4 or 8 bytes */
	SPE_PACKET_DATA_SOURCE, /* payload: see spe_data_source.h; of 1, 2, 4 or 8 bytes */
	SPE_PACKET_CONTEXT,     /* index: 0: payload is CONTEXTIDR_EL1, 1: CONTEXTIDR_EL2 */
	SPE_PACKET_OPERATION,   /* index: class; payload: see spe_operation.h */
	SPE_PACKET_ADDRESS,     /* index: enum spe_address */
	SPE_PACKET_COUNTER,     /* index: enum spe_counter; payload: cycles, 0 to 65535 */
};

/** Which address; short headers have indexes up to 7, extended ones up to 31. */
enum spe_address {
	SPE_ADDRESS_PC,
	SPE_ADDRESS_BRANCH_TARGET,
	SPE_ADDRESS_VIRTUAL,         /* of data */
	SPE_ADDRESS_PHYSICAL,        /* of data */
	SPE_ADDRESS_PREVIOUS_TARGET, /* of the branch taken before the sampled operation */
	SPE_NUM_ADDRESSES,
};

/** Which latency; with indexes as those of addresses. */
enum spe_counter {
	SPE_COUNTER_TOTAL,       /* from dispatch to completion */
	SPE_COUNTER_ISSUE,       /* from dispatch to issue */
	SPE_COUNTER_TRANSLATION, /* of the address, of operations on memory */
	/** Issue in the clock of a shared SME unit (FEAT_SPE_ALTCLK); not seen in a stream yet. */
	SPE_COUNTER_ALTERNATE,
	SPE_NUM_COUNTERS,
};

enum { SPE_NUM_CONTEXTS = 2 };

/** Kinds and indexes in one: all that a packet can tell of a record. */
enum spe_value {
	SPE_VALUE_ADDRESS,                                         /* + enum spe_address */
	SPE_VALUE_COUNTER = SPE_VALUE_ADDRESS + SPE_NUM_ADDRESSES, /* + enum spe_counter */
	SPE_VALUE_CONTEXT = SPE_VALUE_COUNTER + SPE_NUM_COUNTERS,  /* + exception level - 1 */
	SPE_VALUE_EVENTS = SPE_VALUE_CONTEXT + SPE_NUM_CONTEXTS,
	SPE_VALUE_DATA_SOURCE,
	SPE_VALUE_OPERATION,
	SPE_VALUE_TIMESTAMP,
	SPE_VALUE_NONE, /* what ends a record or is no part of it, and indexes without a name */
	SPE_NUM_VALUES,
};

enum { SPE_PACKET_MAX = 16 }; /* bytes */

struct spe_packet {
	uint64_t payload;
	enum spe_packet_kind kind;
	uint8_t index;
	uint8_t size;  /* header included; at least 1 */
	uint8_t value; /* enum spe_value */
};

#define SPE_PACKET_BAD_BYTE \
	((struct spe_packet){.kind = SPE_PACKET_BAD, .size = 1, .value = SPE_VALUE_NONE})

/** What the first byte of a packet says. Only for what decodes packets. */
struct spe_packet_header {
	uint64_t payload_mask;
	uint8_t kind;
	uint8_t index_mask;
	uint8_t size; /* of the packet; 0: padding, an extended header, or none */
	uint8_t value;
};

extern const struct spe_packet_header spe_packet_headers[256];

/** Everything that is not plain, or near the end of the bytes. Only for spe_packet_decode(). */
bool spe_packet_decode_rare(const uint8_t *bytes, size_t size, uint64_t position,
			    struct spe_packet *ret);

/**
 * The packet at the front of @size bytes. False if they are the beginning of a longer packet
 * (@ret is not touched) or none at all. With SPE_PACKET_MAX bytes, none is longer.
 * @position: of the first byte in the buffer that the hardware wrote; alignment goes by it.
 */
static inline bool spe_packet_decode(const uint8_t *bytes, size_t size, uint64_t position,
				     struct spe_packet *ret)
{
	if (size < SPE_PACKET_MAX)
		return spe_packet_decode_rare(bytes, size, position, ret);
	const struct spe_packet_header *header = &spe_packet_headers[bytes[0]];
	if (!header->size)
		return spe_packet_decode_rare(bytes, size, position, ret);
	*ret = (struct spe_packet){
		.payload = byte_order_load64(bytes + 1, false) & header->payload_mask,
		.kind = header->kind,
		.index = bytes[0] & header->index_mask,
		.size = header->size,
		.value = header->value,
	};
	return true;
}

enum { SPE_ADDRESS_TOP_SHIFT = 56 };

/**
 * What an address payload says. All but the physical address are extended with the sign of bit 55,
 * as the top byte holds other things: the two below for code, the pointer's tag for data.
 */
static inline uint64_t spe_address_of(uint64_t payload, unsigned index)
{
	return index == SPE_ADDRESS_PHYSICAL ? payload << 8 >> 8
					     : (uint64_t)((int64_t)(payload << 8) >> 8);
}

/** Top byte of the address of code: the exception level, 0 to 3. */
static inline unsigned spe_address_level(uint8_t top)
{
	return top >> 5 & 3;
}

/**
 * Top byte of the address of code and of a physical one: the address space. NS alone: the normal
 * world; neither: secure; NSE alone: root; both: realm.
 */
static inline bool spe_address_is_nonsecure(uint8_t top)
{
	return top >> 7;
}

/** Top byte of the address of code (where physical ones have no room for it): NSE. */
static inline bool spe_address_is_nse(uint8_t top)
{
	return top >> 4 & 1;
}

/** Top byte of a physical address: whether the access was tag-checked, and by which tag (MTE). */
static inline bool spe_address_is_checked(uint8_t top)
{
	return top >> 6 & 1;
}

static inline unsigned spe_address_tag(uint8_t top)
{
	return top & 0xf;
}

#endif
