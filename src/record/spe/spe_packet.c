// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_packet.h"

#include <string.h>

// The packet formats are in the Arm Architecture Reference Manual (DDI 0487), "Statistical
// Profiling Extension Sample Record Specification"; perf's decoder is
// tools/perf/util/arm-spe-decoder/.
//
// All short headers fit into one byte, so a table of 256 rows says everything about a packet:
// size, kind, how many bits of the header are an index, and the slot in struct spe_record. The
// table is also the fast path of spe_stream.c. This file adds the rest: padding, alignment
// packets, and extended headers, whose first byte (0x20 to 0x23) has the high bits of the index.
//
// The size of an alignment packet depends on the position in the buffer: it fills up to the next
// multiple of its power of two. A byte that begins no packet is a packet of one bad byte, so that
// the caller can go on behind it.

enum {
	PADDING_HEADER = 0,
	EXTENDED_HEADER = 0x20,
	ALIGNMENT_HEADER = 0, // the second byte of an extended header
	SHORT_INDEX_MASK = 7,
	CLASS_MASK = 3, // of an operation
	CONTEXT_MASK = 3,
	EXTENDED_INDEX_MASK = 3, // of the first byte: the index's high bits
};

#define ONES(bytes) (UINT64_MAX >> (64 - 8 * (bytes)))
#define INDEXED(of_kind, of_value, bytes, of_index)                                \
	{                                                                          \
		.payload_mask = ONES(bytes), .kind = SPE_PACKET_##of_kind,         \
		.index_mask = (of_index), .size = 1 + (bytes), .value = (of_value) \
	}
#define PACKET(of_kind, of_value, bytes) INDEXED(of_kind, of_value, bytes, 0)
#define ADDRESS(of_value)                INDEXED(ADDRESS, of_value, 8, SHORT_INDEX_MASK)
#define COUNTER(of_value)                INDEXED(COUNTER, of_value, 2, SHORT_INDEX_MASK)

// Bits 4 and 5 are the power of two that is the payload's size.
const struct spe_packet_header spe_packet_headers[256] = {
	[0x01] = {.kind = SPE_PACKET_END, .size = 1, .value = SPE_VALUE_NONE},
	[0x42] = PACKET(EVENTS, SPE_VALUE_EVENTS, 1),
	[0x43] = PACKET(DATA_SOURCE, SPE_VALUE_DATA_SOURCE, 1),
	[0x48 ... 0x4b] = INDEXED(OPERATION, SPE_VALUE_OPERATION, 1, CLASS_MASK),
	[0x52] = PACKET(EVENTS, SPE_VALUE_EVENTS, 2),
	[0x53] = PACKET(DATA_SOURCE, SPE_VALUE_DATA_SOURCE, 2),
	[0x62] = PACKET(EVENTS, SPE_VALUE_EVENTS, 4),
	[0x63] = PACKET(DATA_SOURCE, SPE_VALUE_DATA_SOURCE, 4),
	[0x64] = INDEXED(CONTEXT, SPE_VALUE_CONTEXT, 4, CONTEXT_MASK),
	[0x65] = INDEXED(CONTEXT, SPE_VALUE_CONTEXT + 1, 4, CONTEXT_MASK),
	[0x66 ... 0x67] = INDEXED(CONTEXT, SPE_VALUE_NONE, 4, CONTEXT_MASK),
	[0x71] = PACKET(TIMESTAMP, SPE_VALUE_TIMESTAMP, 8),
	[0x72] = PACKET(EVENTS, SPE_VALUE_EVENTS, 8),
	[0x73] = PACKET(DATA_SOURCE, SPE_VALUE_DATA_SOURCE, 8),
	[0x98] = COUNTER(SPE_VALUE_COUNTER + SPE_COUNTER_TOTAL),
	[0x99] = COUNTER(SPE_VALUE_COUNTER + SPE_COUNTER_ISSUE),
	[0x9a] = COUNTER(SPE_VALUE_COUNTER + SPE_COUNTER_TRANSLATION),
	[0x9b] = COUNTER(SPE_VALUE_COUNTER + SPE_COUNTER_ALTERNATE),
	[0x9c ... 0x9f] = COUNTER(SPE_VALUE_NONE),
	[0xb0] = ADDRESS(SPE_VALUE_ADDRESS + SPE_ADDRESS_PC),
	[0xb1] = ADDRESS(SPE_VALUE_ADDRESS + SPE_ADDRESS_BRANCH_TARGET),
	[0xb2] = ADDRESS(SPE_VALUE_ADDRESS + SPE_ADDRESS_VIRTUAL),
	[0xb3] = ADDRESS(SPE_VALUE_ADDRESS + SPE_ADDRESS_PHYSICAL),
	[0xb4] = ADDRESS(SPE_VALUE_ADDRESS + SPE_ADDRESS_PREVIOUS_TARGET),
	[0xb5 ... 0xb7] = ADDRESS(SPE_VALUE_NONE),
};

#undef COUNTER
#undef ADDRESS
#undef PACKET
#undef INDEXED
#undef ONES

// A packet behind @skipped bytes of an extended header, or none.
static bool decode_plain(const uint8_t *bytes, size_t size, unsigned skipped,
			 struct spe_packet *ret)
{
	const struct spe_packet_header *header = &spe_packet_headers[bytes[skipped]];
	unsigned whole = skipped + header->size;
	if (size < whole)
		return false;
	// Little-endian (DDI 0487); the bytes that the packet does not have are 0.
	uint8_t payload[8] = {};
	memcpy(payload, bytes + skipped + 1, header->size - 1u);
	*ret = (struct spe_packet){
		.payload = byte_order_load64(payload, false),
		.kind = header->kind,
		.index = bytes[skipped] & header->index_mask,
		.size = (uint8_t)whole,
		.value = header->value,
	};
	return true;
}

// Zeros behind padding belong to it.
static bool decode_padding(const uint8_t *bytes, size_t size, unsigned used, struct spe_packet *ret)
{
	if (used > size)
		return false;
	while (used < size && used < SPE_PACKET_MAX && !bytes[used])
		used++;
	*ret = (struct spe_packet){
		.kind = SPE_PACKET_PADDING,
		.size = (uint8_t)used,
		.value = SPE_VALUE_NONE,
	};
	return true;
}

static bool decode_extended(const uint8_t *bytes, size_t size, uint64_t position,
			    struct spe_packet *ret)
{
	if (size < 2)
		return false;
	if (bytes[1] == ALIGNMENT_HEADER) {
		// Up to the next multiple of 2, 4, 8 or 16. One byte in front of it, the header's
		// second byte, which is 0, is left for the padding behind.
		unsigned alignment = 2u << (bytes[0] & EXTENDED_INDEX_MASK);
		unsigned used = alignment - (unsigned)(position & (alignment - 1));
		return decode_padding(bytes, size, used, ret);
	}
	// Only addresses and counters have indexes that need more than the short header's bits.
	enum spe_packet_kind kind = spe_packet_headers[bytes[1]].kind;
	if (kind != SPE_PACKET_ADDRESS && kind != SPE_PACKET_COUNTER) {
		*ret = SPE_PACKET_BAD_BYTE;
		return true;
	}
	if (!decode_plain(bytes, size, 1, ret))
		return false;
	uint8_t high = (uint8_t)((bytes[0] & EXTENDED_INDEX_MASK) << 3);
	ret->index |= high;
	if (high)
		ret->value = SPE_VALUE_NONE; // no such index has a name
	return true;
}

bool spe_packet_decode_rare(const uint8_t *bytes, size_t size, uint64_t position,
			    struct spe_packet *ret)
{
	if (!size)
		return false;
	if (spe_packet_headers[bytes[0]].size)
		return decode_plain(bytes, size, 0, ret);
	if (bytes[0] == PADDING_HEADER)
		return decode_padding(bytes, size, 1, ret);
	if ((bytes[0] & ~EXTENDED_INDEX_MASK) == EXTENDED_HEADER)
		return decode_extended(bytes, size, position, ret);
	*ret = SPE_PACKET_BAD_BYTE;
	return true;
}
