/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_BYTE_ORDER_H
#define WPERF_BASE_BYTE_ORDER_H

/** Loads and stores of unaligned numbers in either byte order. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool byte_order_is_foreign(bool big_endian)
{
	return big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint16_t byte_order_load16(const void *bytes, bool big_endian)
{
	uint16_t value;
	memcpy(&value, bytes, sizeof(value));
	return byte_order_is_foreign(big_endian) ? __builtin_bswap16(value) : value;
}

static inline uint32_t byte_order_load32(const void *bytes, bool big_endian)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return byte_order_is_foreign(big_endian) ? __builtin_bswap32(value) : value;
}

static inline uint64_t byte_order_load64(const void *bytes, bool big_endian)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return byte_order_is_foreign(big_endian) ? __builtin_bswap64(value) : value;
}

static inline void byte_order_store64(void *bytes, uint64_t value, bool big_endian)
{
	uint64_t stored = byte_order_is_foreign(big_endian) ? __builtin_bswap64(value) : value;
	memcpy(bytes, &stored, sizeof(stored));
}

#endif
