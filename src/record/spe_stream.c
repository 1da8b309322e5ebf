// SPDX-License-Identifier: Apache-2.0

#include "record/spe_stream.h"

#include <string.h>

enum {
	ADDRESS_BASE = 0, // bits of spe_record.has
	COUNTER_BASE = 8,
	CONTEXT_BASE = 12,
	TOP_SHIFT = 56,
};

void spe_stream_init(struct spe_stream *stream, uint64_t position)
{
	*stream = (struct spe_stream){.position = position};
}

void spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t size)
{
	stream->next = bytes;
	stream->end = bytes + size;
}

static void start_over(struct spe_stream *stream)
{
	stream->record = (struct spe_record){};
	stream->is_begun = false;
}

// Give up the record so far; the stream is behind the bytes that belong to it.
static void drop(struct spe_stream *stream)
{
	if (stream->is_begun)
		stream->num_bad_bytes += stream->position - stream->record.position;
	start_over(stream);
}

static void note_damage(struct spe_stream *stream)
{
	stream->num_damages += !stream->is_lost && !stream->is_doubted;
	stream->is_doubted = true;
}

// Looks as hardware writes it: bits that mean nothing are 0, and the address is one of 52 bits.
static bool is_plausible_pc(const struct spe_packet *packet)
{
	if (packet->kind != SPE_PACKET_ADDRESS || packet->index != SPE_ADDRESS_PC)
		return false;
	int64_t sign = (int64_t)(packet->payload << 8) >> (8 + 52);
	return !(packet->payload >> TOP_SHIFT & 0xf) && (sign == 0 || sign == -1);
}

static bool ends_record(const struct spe_packet *packet)
{
	return packet->kind == SPE_PACKET_END || packet->kind == SPE_PACKET_TIMESTAMP;
}

// The bit of spe_record.has; 0 for what has no place in it.
static uint32_t bit_of(const struct spe_packet *packet)
{
	switch (packet->kind) {
	case SPE_PACKET_ADDRESS:
		return packet->index < SPE_NUM_ADDRESSES ? 1u << (ADDRESS_BASE + packet->index) : 0;
	case SPE_PACKET_COUNTER:
		return packet->index < SPE_NUM_COUNTERS ? 1u << (COUNTER_BASE + packet->index) : 0;
	case SPE_PACKET_CONTEXT:
		return packet->index < SPE_NUM_CONTEXTS ? 1u << (CONTEXT_BASE + packet->index) : 0;
	case SPE_PACKET_EVENTS:
		return SPE_HAS_EVENTS;
	case SPE_PACKET_DATA_SOURCE:
		return SPE_HAS_DATA_SOURCE;
	case SPE_PACKET_OPERATION:
		return SPE_HAS_OPERATION;
	case SPE_PACKET_TIMESTAMP:
		return SPE_HAS_TIMESTAMP;
	default:
		return 0;
	}
}

// @packet has a bit, and with it an index in range.
static void store(struct spe_record *record, const struct spe_packet *packet)
{
	switch (packet->kind) {
	case SPE_PACKET_ADDRESS:
		record->addresses[packet->index] = spe_address_of(packet->payload, packet->index);
		record->address_tops[packet->index] = (uint8_t)(packet->payload >> TOP_SHIFT);
		break;
	case SPE_PACKET_COUNTER:
		record->counters[packet->index] = (uint16_t)packet->payload;
		break;
	case SPE_PACKET_CONTEXT:
		record->contexts[packet->index] = (uint32_t)packet->payload;
		break;
	case SPE_PACKET_EVENTS:
		record->events = packet->payload;
		break;
	case SPE_PACKET_DATA_SOURCE:
		record->data_source = packet->payload;
		break;
	case SPE_PACKET_OPERATION:
		record->operation_class = packet->index;
		record->operation = (uint8_t)packet->payload;
		break;
	case SPE_PACKET_TIMESTAMP:
		record->timestamp = packet->payload;
		break;
	default:
		break;
	}
}

// A bad byte, or what cannot be in a record: everything up to here is lost.
static void lose(struct spe_stream *stream, const struct spe_packet *packet)
{
	note_damage(stream);
	drop(stream);
	stream->num_bad_bytes += packet->size;
	stream->is_lost = true;
}

// While lost: true if the packet begins a record.
static bool find_again(struct spe_stream *stream, const struct spe_packet *packet)
{
	if (is_plausible_pc(packet)) {
		stream->is_lost = false;
		return true;
	}
	stream->num_bad_bytes += packet->size;
	if (ends_record(packet))
		stream->is_lost = false;
	return false;
}

// The same packet twice. True if the second of them is to be taken.
static bool take_again(struct spe_stream *stream, const struct spe_packet *packet, uint32_t bit)
{
	if (bit == SPE_HAS_PC) {
		note_damage(stream);
		drop(stream);
		return true;
	}
	if (!stream->is_doubted)
		return true;
	lose(stream, packet);
	return false;
}

// The stream is in front of the packet that ends the record.
static bool finish(struct spe_stream *stream, const struct spe_packet *packet,
		   struct spe_record *ret)
{
	struct spe_record *record = &stream->record;
	bool is_whole = stream->is_doubted ? record->has & SPE_HAS_PC
					   : record->has & ~(uint32_t)SPE_HAS_TIMESTAMP;
	if (is_whole) {
		record->size = (uint32_t)(stream->position + packet->size - record->position);
		*ret = *record;
		stream->num_records++;
		stream->is_doubted = false;
	} else if (stream->is_doubted) {
		drop(stream);
		stream->num_bad_bytes += packet->size;
	}
	start_over(stream);
	return is_whole;
}

// The stream is in front of the packet. True if it ends a record, which then is in @ret.
static bool take(struct spe_stream *stream, const struct spe_packet *packet, struct spe_record *ret)
{
	if (stream->is_lost && !find_again(stream, packet))
		return false;
	if (packet->kind == SPE_PACKET_PADDING)
		return false;
	if (packet->kind == SPE_PACKET_BAD) {
		lose(stream, packet);
		return false;
	}
	uint32_t bit = bit_of(packet);
	if (stream->record.has & bit && !take_again(stream, packet, bit))
		return false;
	if (!stream->is_begun) {
		stream->is_begun = true;
		stream->record.position = stream->position;
	}
	if (bit) {
		stream->record.has |= bit;
		store(&stream->record, packet);
	}
	return ends_record(packet) && finish(stream, packet, ret);
}

// The packet that the piece before ended in. False if it is still cut.
static bool join_cut(struct spe_stream *stream, struct spe_packet *packet)
{
	size_t left = (size_t)(stream->end - stream->next);
	size_t more = sizeof(stream->cut) - stream->cut_size;
	if (more > left)
		more = left;
	memcpy(stream->cut + stream->cut_size, stream->next, more);
	if (!spe_packet_decode(stream->cut, stream->cut_size + more, stream->position, packet)) {
		stream->cut_size = (uint8_t)(stream->cut_size + more);
		stream->next = stream->end;
		return false;
	}
	// What was cut is never longer than the packet: its header alone says how long that is.
	stream->next += packet->size - stream->cut_size;
	stream->cut_size = 0;
	return true;
}

// False: the piece is used up. @packet is behind stream->next, but not behind its position.
static bool next_packet(struct spe_stream *stream, struct spe_packet *packet)
{
	size_t left = (size_t)(stream->end - stream->next);
	if (!left)
		return false;
	if (stream->cut_size)
		return join_cut(stream, packet);
	if (spe_packet_decode(stream->next, left, stream->position, packet)) {
		stream->next += packet->size;
		return true;
	}
	memcpy(stream->cut, stream->next, left);
	stream->cut_size = (uint8_t)left;
	stream->next = stream->end;
	return false;
}

bool spe_stream_next(struct spe_stream *stream, struct spe_record *ret)
{
	struct spe_packet packet;
	while (next_packet(stream, &packet)) {
		bool is_record = take(stream, &packet, ret);
		stream->position += packet.size;
		if (is_record)
			return true;
	}
	return false;
}

void spe_stream_break(struct spe_stream *stream, uint64_t position)
{
	if (stream->is_begun || stream->cut_size)
		note_damage(stream);
	drop(stream);
	stream->num_bad_bytes += stream->cut_size;
	stream->cut_size = 0;
	stream->is_lost = false;
	stream->is_doubted = false;
	stream->position = position;
	stream->next = stream->end;
}
