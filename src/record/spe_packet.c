// SPDX-License-Identifier: Apache-2.0

#include "record/spe_packet.h"

#include "base/byte_order.h"

enum {
	EXTENDED_HEADER_SIZE = 2,
	ALIGNMENT_HEADER = 0, // the second byte of an extended header
	SHORT_INDEX_MASK = 7,
	EXTENDED_INDEX_MASK = 3, // of the first byte: the index's high bits
};

// What the first byte of a packet says. The size of a payload is in bits 4 and 5, as a power of 2.
struct header {
	uint8_t kind;
	uint8_t payload_size;
	uint8_t index_mask;
	bool is_extended;
};

static const struct header headers[256] = {
	[0x00] = {.kind = SPE_PACKET_PADDING},
	[0x01] = {.kind = SPE_PACKET_END},
	[0x20 ... 0x23] = {.is_extended = true},
	[0x42] = {SPE_PACKET_EVENTS, 1},
	[0x43] = {SPE_PACKET_DATA_SOURCE, 1},
	[0x48 ... 0x4b] = {SPE_PACKET_OPERATION, 1, 3},
	[0x52] = {SPE_PACKET_EVENTS, 2},
	[0x53] = {SPE_PACKET_DATA_SOURCE, 2},
	[0x62] = {SPE_PACKET_EVENTS, 4},
	[0x63] = {SPE_PACKET_DATA_SOURCE, 4},
	[0x64 ... 0x67] = {SPE_PACKET_CONTEXT, 4, 3},
	[0x71] = {SPE_PACKET_TIMESTAMP, 8},
	[0x72] = {SPE_PACKET_EVENTS, 8},
	[0x73] = {SPE_PACKET_DATA_SOURCE, 8},
	[0x98 ... 0x9f] = {SPE_PACKET_COUNTER, 2, SHORT_INDEX_MASK},
	[0xb0 ... 0xb7] = {SPE_PACKET_ADDRESS, 8, SHORT_INDEX_MASK},
};

static uint64_t load(const uint8_t *bytes, unsigned size)
{
	switch (size) {
	case 1:
		return bytes[0];
	case 2:
		return byte_order_load16(bytes, false);
	case 4:
		return byte_order_load32(bytes, false);
	case 8:
		return byte_order_load64(bytes, false);
	default:
		return 0;
	}
}

// Zeros behind padding belong to it.
static bool decode_padding(const uint8_t *bytes, size_t size, unsigned used, struct spe_packet *ret)
{
	if (used > size)
		return false;
	while (used < size && used < SPE_PACKET_MAX && !bytes[used])
		used++;
	*ret = (struct spe_packet){.kind = SPE_PACKET_PADDING, .size = (uint8_t)used};
	return true;
}

// Up to the next multiple of 2, 4, 8 or 16. One byte in front of it, the header's second byte,
// which is 0, is left for the padding behind.
static bool decode_alignment(const uint8_t *bytes, size_t size, uint64_t position,
			     struct spe_packet *ret)
{
	unsigned alignment = 2u << (bytes[0] & EXTENDED_INDEX_MASK);
	return decode_padding(bytes, size, alignment - (unsigned)(position & (alignment - 1)), ret);
}

static bool decode_extended(const uint8_t *bytes, size_t size, uint64_t position,
			    struct spe_packet *ret)
{
	if (size < EXTENDED_HEADER_SIZE)
		return false;
	if (bytes[1] == ALIGNMENT_HEADER)
		return decode_alignment(bytes, size, position, ret);
	const struct header *header = &headers[bytes[1]];
	if (header->kind != SPE_PACKET_ADDRESS && header->kind != SPE_PACKET_COUNTER) {
		*ret = SPE_PACKET_BAD_BYTE;
		return true;
	}
	unsigned whole = EXTENDED_HEADER_SIZE + header->payload_size;
	if (size < whole)
		return false;
	unsigned high = bytes[0] & EXTENDED_INDEX_MASK;
	*ret = (struct spe_packet){
		.payload = load(bytes + EXTENDED_HEADER_SIZE, header->payload_size),
		.kind = header->kind,
		.index = (uint8_t)(high << 3 | (bytes[1] & SHORT_INDEX_MASK)),
		.size = (uint8_t)whole,
	};
	return true;
}

bool spe_packet_decode(const uint8_t *bytes, size_t size, uint64_t position, struct spe_packet *ret)
{
	if (!size)
		return false;
	const struct header *header = &headers[bytes[0]];
	if (header->is_extended)
		return decode_extended(bytes, size, position, ret);
	if (header->kind == SPE_PACKET_PADDING)
		return decode_padding(bytes, size, 1, ret);
	unsigned whole = 1u + header->payload_size;
	if (size < whole)
		return false;
	*ret = (struct spe_packet){
		.payload = load(bytes + 1, header->payload_size),
		.kind = header->kind,
		.index = bytes[0] & header->index_mask,
		.size = (uint8_t)whole,
	};
	return true;
}
