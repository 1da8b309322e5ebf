// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_stream.h"

#include <string.h>

// Puts packets together to records. Records have no length and no begin mark: they end with an END
// or TIMESTAMP packet. There are two ways through the bytes.
//
// take_plain() is the fast one: by the table of spe_packet.c, it stores values of short packets
// until a record ends or anything unusual comes. Traces have gigabytes, so this loop decides how
// long a file takes. spe_stream_take() is the careful one, for each packet that the fast one left:
// padding, extended headers, packets that a piece's end cuts (join_cut()), and damage.
//
// After damage nothing says where the next record begins. The stream is then lost until a packet
// ends a record or a PC packet is plausible, and doubted until one whole record was found; only
// then may a record be incomplete again. The rules are in the header; they make sure that two
// halves of different records are not joined to one that never was.

void spe_stream_init(struct spe_stream *stream, uint64_t position)
{
	*stream = (struct spe_stream){.position = position};
}

void spe_stream_feed(struct spe_stream *stream, const uint8_t *bytes, size_t size)
{
	stream->next = bytes;
	stream->end = size ? bytes + size : bytes; // there may be no bytes at all
}

static void start_over(struct spe_stream *stream)
{
	stream->record = (struct spe_record){};
	stream->is_begun = false;
	stream->is_ended = false;
}

// Give up the record so far. @end: behind its bytes.
static void spe_stream_drop(struct spe_stream *stream, uint64_t end)
{
	if (stream->is_begun)
		stream->num_bad_bytes += end - stream->record.position;
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
	// Bits 52 to 55: all 0 in user addresses, all 1 in those of the kernel.
	int64_t sign = (int64_t)(packet->payload << 8) >> (8 + 52);
	return !(packet->payload >> SPE_ADDRESS_TOP_SHIFT & 0xf) && (sign == 0 || sign == -1);
}

static bool ends_record(enum spe_packet_kind kind)
{
	return kind == SPE_PACKET_END || kind == SPE_PACKET_TIMESTAMP;
}

static uint64_t operation_value(unsigned class, uint64_t payload)
{
	return payload << SPE_RECORD_OPERATION_SHIFT | class;
}

// A bad byte, or what cannot be in a record: everything up to here is lost.
static void spe_stream_lose(struct spe_stream *stream, const struct spe_packet *packet)
{
	note_damage(stream);
	spe_stream_drop(stream, stream->position);
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
	if (ends_record(packet->kind))
		stream->is_lost = false;
	return false;
}

// The same packet twice. True if the second of them is to be taken.
static bool take_again(struct spe_stream *stream, const struct spe_packet *packet)
{
	if (packet->value == SPE_VALUE_ADDRESS + SPE_ADDRESS_PC) {
		note_damage(stream);
		spe_stream_drop(stream, stream->position);
		return true;
	}
	if (!stream->is_doubted || packet->value == SPE_VALUE_NONE)
		return true;
	spe_stream_lose(stream, packet);
	return false;
}

// The record has ended. @end: behind its last byte. True if it is one.
static bool spe_stream_finish(struct spe_stream *stream, uint64_t end)
{
	struct spe_record *record = &stream->record;
	record->has &= ~spe_record_bit(SPE_VALUE_NONE);
	record->values[SPE_VALUE_NONE] = 0;
	// A timestamp alone is no operation. In doubt, only what has a PC is whole.
	bool is_whole = stream->is_doubted ? spe_record_has_address(record, SPE_ADDRESS_PC)
					   : record->has & ~spe_record_bit(SPE_VALUE_TIMESTAMP);
	if (is_whole) {
		record->size = (uint32_t)(end - record->position);
		stream->num_records++;
		stream->is_doubted = false;
		stream->is_ended = true;
		return true;
	}
	if (stream->is_doubted)
		spe_stream_drop(stream, end);
	start_over(stream);
	return false;
}

static void spe_stream_begin(struct spe_stream *stream, uint64_t position)
{
	if (stream->is_begun)
		return;
	stream->is_begun = true;
	stream->record.position = position;
}

// The stream is in front of the packet. True if it ends a record.
static bool spe_stream_take(struct spe_stream *stream, const struct spe_packet *packet)
{
	if (stream->is_lost && !find_again(stream, packet))
		return false;
	if (packet->kind == SPE_PACKET_PADDING)
		return false;
	if (packet->kind == SPE_PACKET_BAD) {
		spe_stream_lose(stream, packet);
		return false;
	}
	if (spe_record_has(&stream->record, packet->value) && !take_again(stream, packet))
		return false;
	spe_stream_begin(stream, stream->position);
	stream->record.values[packet->value] =
		packet->kind == SPE_PACKET_OPERATION
			? operation_value(packet->index, packet->payload)
			: packet->payload;
	stream->record.has |= spe_record_bit(packet->value);
	return ends_record(packet->kind) &&
	       spe_stream_finish(stream, stream->position + packet->size);
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

// Store the value of a plain packet; returns what is behind it. By cases, as a processor guesses a
// case and goes on, where it would wait for a size to be loaded.
static inline const uint8_t *take_value(const uint8_t *next, const struct spe_packet_header *header,
					uint64_t *ret)
{
	switch (header->kind) {
	case SPE_PACKET_ADDRESS:
		*ret = byte_order_load64(next + 1, false);
		return next + 1 + sizeof(uint64_t);
	case SPE_PACKET_COUNTER:
		*ret = byte_order_load16(next + 1, false);
		return next + 1 + sizeof(uint16_t);
	case SPE_PACKET_CONTEXT:
		*ret = byte_order_load32(next + 1, false);
		return next + 1 + sizeof(uint32_t);
	case SPE_PACKET_OPERATION:
		*ret = operation_value(next[0] & header->index_mask, next[1]);
		return next + 2;
	default:
		*ret = byte_order_load64(next + 1, false) & header->payload_mask;
		return next + header->size;
	}
}

// Almost every packet adds a value, ends a record or is padding. As long as nothing else comes,
// this does what next_packet() and spe_stream_take() would, in one loop. True if it ends a record.
static bool take_plain(struct spe_stream *stream)
{
	struct spe_record *record = &stream->record;
	const uint8_t *next = stream->next;
	uint32_t has = record->has;
	bool is_ended = false;
	while (!is_ended && stream->end - next >= SPE_PACKET_MAX) {
		if (!next[0]) {
			// The zeros among 8 bytes before another one.
			uint64_t word = byte_order_load64(next, false);
			next += word ? (unsigned)__builtin_ctzll(word) / 8 : 8;
			continue;
		}
		const struct spe_packet_header *header = &spe_packet_headers[next[0]];
		uint32_t bit = spe_record_bit(header->value);
		if (!header->size || has & bit)
			break;
		spe_stream_begin(stream, stream->position + (size_t)(next - stream->next));
		has |= bit;
		next = take_value(next, header, &record->values[header->value]);
		is_ended = ends_record(header->kind);
	}
	record->has = has;
	stream->position += (size_t)(next - stream->next);
	stream->next = next;
	return is_ended && spe_stream_finish(stream, stream->position);
}

const struct spe_record *spe_stream_next(struct spe_stream *stream)
{
	if (stream->is_ended)
		start_over(stream);
	for (;;) {
		if (!stream->is_lost && !stream->cut_size && take_plain(stream))
			return &stream->record;
		struct spe_packet packet;
		if (!next_packet(stream, &packet))
			return NULL;
		bool is_record = spe_stream_take(stream, &packet);
		stream->position += packet.size;
		if (is_record)
			return &stream->record;
	}
}

void spe_stream_break(struct spe_stream *stream, uint64_t position)
{
	if (stream->is_ended)
		start_over(stream);
	if (stream->is_begun || stream->cut_size)
		note_damage(stream);
	spe_stream_drop(stream, stream->position);
	stream->num_bad_bytes += stream->cut_size;
	stream->cut_size = 0;
	stream->is_lost = false;
	stream->is_doubted = false;
	stream->position = position;
	stream->next = stream->end;
}
