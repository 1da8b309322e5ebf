// SPDX-License-Identifier: Apache-2.0

#include "record/spe/spe_packet_line.h"

#include "base/container/array.h"
#include "record/spe/spe_event.h"
#include "record/spe/spe_operation.h"

#include <inttypes.h>
#include <string.h>

// The lines of `perf report -D` (arm_spe_dump() of tools/perf/util/arm-spe.c), byte for byte.
// Dumps have millions of lines, and printf() would take most of the time; the offset, the bytes
// and the common numbers are therefore written by hand into a prefix of a fixed width.

enum {
	OFFSET_DIGITS = 8,
	OFFSET_START = 3, // behind the dot and two blanks
	BYTES_START = OFFSET_START + OFFSET_DIGITS + 2,
	BYTE_WIDTH = 3,
	PREFIX_WIDTH = BYTES_START + BYTE_WIDTH * SPE_PACKET_MAX + 1,
};

static const char digits[] = "0123456789abcdef";

// At least one digit.
static void spe_packet_line_append_hex(struct string_builder *text, uint64_t value)
{
	char hex[2 + 16] = "0x";
	unsigned length = 2;
	// The place of the highest digit that is not 0.
	int shift = value ? (63 - __builtin_clzll(value)) / 4 * 4 : 0;
	for (; shift >= 0; shift -= 4)
		hex[length++] = digits[value >> shift & 0xf];
	string_builder_append_n(text, hex, length);
}

// Signed, as perf has it.
static void append_decimal(struct string_builder *text, uint64_t value)
{
	char decimal[20];
	unsigned start = sizeof(decimal);
	bool is_negative = (int64_t)value < 0;
	if (is_negative)
		value = -value;
	do {
		decimal[--start] = digits[value % 10];
		value /= 10;
	} while (value);
	if (is_negative)
		decimal[--start] = '-';
	string_builder_append_n(text, decimal + start, sizeof(decimal) - start);
}

static void append_flag(struct string_builder *text, const char *name, unsigned digit)
{
	string_builder_append(text, name);
	string_builder_append_char(text, digits[digit & 0xf]);
}

static void append_raw(struct string_builder *text, const char *name,
		       const struct spe_packet *packet)
{
	string_builder_append(text, name);
	string_builder_append_char(text, ' ');
	spe_packet_line_append_hex(text, packet->payload);
	string_builder_appendf(text, " (%u)", packet->index);
}

static void append_code_address(struct string_builder *text, uint64_t payload)
{
	uint8_t top = (uint8_t)(payload >> 56);
	spe_packet_line_append_hex(text, payload << 8 >> 8);
	append_flag(text, " el", spe_address_level(top));
	append_flag(text, " ns=", spe_address_is_nonsecure(top));
}

static void append_physical_address(struct string_builder *text, uint64_t payload)
{
	uint8_t top = (uint8_t)(payload >> 56);
	spe_packet_line_append_hex(text, payload << 8 >> 8);
	append_flag(text, " ns=", spe_address_is_nonsecure(top));
	append_flag(text, " ch=", spe_address_is_checked(top));
	append_flag(text, " pat=", spe_address_tag(top));
}

static void spe_packet_line_append_address(struct string_builder *text,
					   const struct spe_packet *packet)
{
	static const struct {
		const char *name;
		void (*append)(struct string_builder *text, uint64_t payload);
	} addresses[SPE_NUM_ADDRESSES] = {
		[SPE_ADDRESS_PC] = {"PC ", append_code_address},
		[SPE_ADDRESS_BRANCH_TARGET] = {"TGT ", append_code_address},
		[SPE_ADDRESS_VIRTUAL] = {"VA ", spe_packet_line_append_hex},
		[SPE_ADDRESS_PHYSICAL] = {"PA ", append_physical_address},
		[SPE_ADDRESS_PREVIOUS_TARGET] = {"PBT ", append_code_address},
	};
	if (packet->index >= ARRAY_SIZE(addresses)) {
		append_raw(text, "ADDR", packet);
		return;
	}
	string_builder_append(text, addresses[packet->index].name);
	addresses[packet->index].append(text, packet->payload);
}

static void append_counter(struct string_builder *text, const struct spe_packet *packet)
{
	// Of the alternate one perf knows no name.
	static const char *const names[] = {
		[SPE_COUNTER_TOTAL] = " TOT",
		[SPE_COUNTER_ISSUE] = " ISSUE",
		[SPE_COUNTER_TRANSLATION] = " XLAT",
	};
	string_builder_append(text, "LAT ");
	append_decimal(text, packet->payload);
	string_builder_append(text, packet->index < ARRAY_SIZE(names) ? names[packet->index] : " ");
}

static void spe_packet_line_append_words(struct string_builder *text,
					 const struct spe_packet *packet, uint32_t midr)
{
	switch (packet->kind) {
	case SPE_PACKET_BAD:
		string_builder_append(text, "Bad packet!");
		break;
	case SPE_PACKET_PADDING:
		string_builder_append(text, "PAD");
		break;
	case SPE_PACKET_END:
		string_builder_append(text, "END");
		break;
	case SPE_PACKET_TIMESTAMP:
		string_builder_append(text, "TS ");
		append_decimal(text, packet->payload);
		break;
	case SPE_PACKET_EVENTS:
		string_builder_append(text, "EV");
		spe_event_append(text, packet->payload, midr);
		break;
	case SPE_PACKET_DATA_SOURCE:
		string_builder_append(text, "DATA-SOURCE ");
		append_decimal(text, packet->payload);
		break;
	case SPE_PACKET_CONTEXT:
		string_builder_append(text, "CONTEXT ");
		spe_packet_line_append_hex(text, packet->payload);
		append_flag(text, " el", packet->index + 1u);
		break;
	case SPE_PACKET_OPERATION:
		if (!spe_operation_append(text, packet->index, packet->payload))
			append_raw(text, "OP-TYPE", packet);
		break;
	case SPE_PACKET_ADDRESS:
		spe_packet_line_append_address(text, packet);
		break;
	case SPE_PACKET_COUNTER:
		append_counter(text, packet);
		break;
	}
}

void spe_packet_line_append(struct string_builder *text, const struct spe_packet *packet,
			    uint64_t offset, const uint8_t *bytes, uint32_t midr)
{
	// Most of the time goes into this, so that it is done by hand.
	char prefix[PREFIX_WIDTH];
	memset(prefix, ' ', sizeof(prefix));
	prefix[0] = '.';
	for (unsigned i = 0; i < OFFSET_DIGITS; i++)
		prefix[OFFSET_START + i] = digits[offset >> 4 * (OFFSET_DIGITS - 1 - i) & 0xf];
	prefix[OFFSET_START + OFFSET_DIGITS] = ':';
	for (unsigned i = 0; i < packet->size; i++) {
		char *to = prefix + BYTES_START + BYTE_WIDTH * i;
		to[1] = digits[bytes[i] >> 4];
		to[2] = digits[bytes[i] & 0xf];
	}
	string_builder_append_n(text, prefix, sizeof(prefix));
	spe_packet_line_append_words(text, packet, midr);
	string_builder_append_char(text, '\n');
}

size_t spe_packet_line_append_some(struct string_builder *text, const uint8_t *bytes, size_t size,
				   uint64_t position, uint32_t midr, size_t at, size_t max_length)
{
	struct spe_packet packet;
	for (; at < size && text->length < max_length; at += packet.size) {
		if (!spe_packet_decode(bytes + at, size - at, position + at, &packet))
			packet = SPE_PACKET_BAD_BYTE;
		spe_packet_line_append(text, &packet, at, bytes + at, midr);
	}
	return at;
}

void spe_packet_line_append_all(struct string_builder *text, const uint8_t *bytes, size_t size,
				uint64_t position, uint32_t midr)
{
	spe_packet_line_append_some(text, bytes, size, position, midr, 0, SIZE_MAX);
}
