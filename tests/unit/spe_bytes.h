/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SPE_BYTES_H
#define WPERF_TESTS_UNIT_SPE_BYTES_H

/** SPE packets, written one behind the other. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct spe_bytes {
	uint8_t bytes[1 << 16];
	size_t size;
};

static inline void put(struct spe_bytes *to, unsigned header, uint64_t payload, size_t size)
{
	to->bytes[to->size++] = (uint8_t)header;
	memcpy(to->bytes + to->size, &payload, size);
	to->size += size;
}

static inline void put_end(struct spe_bytes *to)
{
	put(to, 0x01, 0, 0);
}

static inline void put_timestamp(struct spe_bytes *to, uint64_t ticks)
{
	put(to, 0x71, ticks, 8);
}

static inline void put_address(struct spe_bytes *to, unsigned index, uint64_t payload)
{
	put(to, 0xb0 | index, payload, 8);
}

static inline void put_counter(struct spe_bytes *to, unsigned index, uint16_t cycles)
{
	put(to, 0x98 | index, cycles, 2);
}

static inline void put_operation(struct spe_bytes *to, unsigned class, uint8_t payload)
{
	put(to, 0x48 | class, payload, 1);
}

static inline void put_events(struct spe_bytes *to, uint16_t events)
{
	put(to, 0x52, events, 2);
}

/** A load as hardware tells it: 45 bytes, and padding up to 64. */
static inline void put_load(struct spe_bytes *to, uint64_t pc, uint64_t address, uint64_t ticks)
{
	size_t start = to->size;
	put_address(to, 0, pc | UINT64_C(1) << 63);
	put_counter(to, 1, 7);
	put_counter(to, 0, 19);
	put_events(to, 0x16);
	put_operation(to, 1, 0);
	put_address(to, 2, address);
	put_counter(to, 2, 3);
	put(to, 0x43, 8, 1);
	while (to->size < start + 64 - 9)
		put(to, 0, 0, 0);
	put_timestamp(to, ticks);
}

#endif
