// SPDX-License-Identifier: Apache-2.0

#include "base/crc32.h"

#include "base/byte_order.h"

static const uint32_t polynomial = 0xedb88320;

void crc32_init(struct crc32 *crc)
{
	crc->value = 0;
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t value = byte;
		for (int bit = 0; bit < 8; bit++)
			value = value >> 1 ^ (value & 1 ? polynomial : 0);
		crc->tables[0][byte] = value;
	}
	for (int i = 1; i < CRC32_STRIDE; i++) {
		for (uint32_t byte = 0; byte < 256; byte++) {
			uint32_t value = crc->tables[i - 1][byte];
			crc->tables[i][byte] = value >> 8 ^ crc->tables[0][value & 0xff];
		}
	}
}

// Eight bytes at once: their parts of the checksum do not wait for each other.
static uint32_t add_stride(const struct crc32 *crc, uint32_t value, const uint8_t *bytes)
{
	uint64_t word = byte_order_load64(bytes, false) ^ value;
	uint32_t sum = 0;
	for (int i = 0; i < CRC32_STRIDE; i++)
		sum ^= crc->tables[CRC32_STRIDE - 1 - i][word >> (8 * i) & 0xff];
	return sum;
}

void crc32_add(struct crc32 *crc, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;
	uint32_t value = ~crc->value;
	for (; size >= CRC32_STRIDE; size -= CRC32_STRIDE, byte += CRC32_STRIDE)
		value = add_stride(crc, value, byte);
	for (; size; size--, byte++)
		value = value >> 8 ^ crc->tables[0][(value ^ *byte) & 0xff];
	crc->value = ~value;
}
