// SPDX-License-Identifier: Apache-2.0

#include "record/spe_packet.h"

#include "base/byte_order.h"

enum {
	EXTENDED_HEADER_SIZE = 2,
	ALIGNMENT_HEADER = 0, // the second byte of an extended header
	SHORT_INDEX_MASK = 7,
	EXTENDED_INDEX_MASK = 3, // of the first byte: the index's high bits
};

// What the first byte of a packet says. Where there is a payload, bits 4 and 5 are the power of two
// that is its size.
struct header {
	uint8_t kind;
	uint8_t payload_size;
	uint8_t index_mask;
	bool is_extended;
};

#define PACKET(of_kind, size, mask)                                                        \
	{                                                                                  \
		.kind = SPE_PACKET_##of_kind, .payload_size = (size), .index_mask = (mask) \
	}

static const struct header headers[256] = {
	[0x00] = PACKET(PADDING, 0, 0),
	[0x01] = PACKET(END, 0, 0),
	[0x20 ... 0x23] = {.is_extended = true},
	[0x42] = PACKET(EVENTS, 1, 0),
	[0x43] = PACKET(DATA_SOURCE, 1, 0),
	[0x48 ... 0x4b] = PACKET(OPERATION, 1, 3),
	[0x52] = PACKET(EVENTS, 2, 0),
	[0x53] = PACKET(DATA_SOURCE, 2, 0),
	[0x62] = PACKET(EVENTS, 4, 0),
	[0x63] = PACKET(DATA_SOURCE, 4, 0),
	[0x64 ... 0x67] = PACKET(CONTEXT, 4, 3),
	[0x71] = PACKET(TIMESTAMP, 8, 0),
	[0x72] = PACKET(EVENTS, 8, 0),
	[0x73] = PACKET(DATA_SOURCE, 8, 0),
	[0x98 ... 0x9f] = PACKET(COUNTER, 2, SHORT_INDEX_MASK),
	[0xb0 ... 0xb7] = PACKET(ADDRESS, 8, SHORT_INDEX_MASK),
};

#undef PACKET

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
