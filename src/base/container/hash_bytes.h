/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CONTAINER_HASH_BYTES_H
#define WPERF_BASE_CONTAINER_HASH_BYTES_H

/** A 64-bit hash of bytes; the same on every machine. Not hardened against chosen keys. */

#include "base/byte_order.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Odd numbers without pattern: the first 64 binary digits behind the point of the golden ratio, and
   of pi. */
#define HASH_GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)
#define HASH_PI           UINT64_C(0x243f6a8885a308d3)

/** Both halves of the long product: a bit of any place changes bits of all places. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t factor)
{
	unsigned __int128 product = (unsigned __int128)hash * factor;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_bytes(const void *bytes, size_t length)
{
	const unsigned char *byte = bytes;
	uint64_t hash = HASH_PI;
	size_t offset = 0;
	for (; length - offset >= 8; offset += 8)
		hash = hash_mix(hash ^ byte_order_load64(byte + offset, false), HASH_GOLDEN_RATIO);
	unsigned char rest[8] = {0};
	if (offset < length)
		memcpy(rest, byte + offset, length - offset);
	uint64_t tail = byte_order_load64(rest, false);
	// Zeros at the end look like no bytes: the length tells them apart.
	return hash_mix(hash_mix(hash ^ tail, HASH_GOLDEN_RATIO) + length, HASH_PI);
}

#endif
