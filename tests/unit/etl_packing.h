/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_ETL_PACKING_H
#define WPERF_TESTS_UNIT_ETL_PACKING_H

/**
 * Packs bytes as Windows' RtlCompressBuffer() does ([MS-XCA]), for tests of what unpacks them. Each
 * match is the nearest one whose first 3 bytes are the same; nobody needs small results here.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ETL_PACKING_MIN_MATCH = 3, ETL_PACKING_HASHES = 1 << 12 };

struct etl_packing_match {
	size_t length /* 0: there is none */, distance;
};

struct etl_packing_matches {
	const uint8_t *bytes;
	size_t size;
	size_t last[ETL_PACKING_HASHES]; /* where bytes of this hash were, and 1 */
};

/** Of the bytes at @at; to be called for each place once, in order. */
static inline struct etl_packing_match etl_packing_find(struct etl_packing_matches *matches,
							size_t at, size_t max_distance,
							size_t max_length)
{
	struct etl_packing_match match = {0};
	const uint8_t *bytes = matches->bytes;
	if (matches->size - at < ETL_PACKING_MIN_MATCH)
		return match;
	uint32_t key = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16;
	size_t *last = &matches->last[key * 2654435761u >> 20];
	size_t from = *last;
	*last = at + 1;
	if (!from || at - (from - 1) > max_distance)
		return match;
	from--;
	size_t length = 0;
	while (length < max_length && at + length < matches->size &&
	       bytes[from + length] == bytes[at + length])
		length++;
	if (length >= ETL_PACKING_MIN_MATCH)
		match = (struct etl_packing_match){length, at - from};
	return match;
}

/** What is packed, and the row of flags or bits that is being filled in it. */
struct etl_packing_output {
	uint8_t *bytes;
	size_t size;
	size_t flags_at;
	uint32_t flags, num_flags;
};

static inline void etl_packing_put(struct etl_packing_output *output, uint64_t value, size_t size)
{
	memcpy(output->bytes + output->size, &value, size);
	output->size += size;
}

static inline void etl_xpress_put_flag(struct etl_packing_output *output, uint32_t flag)
{
	output->flags = output->flags << 1 | flag;
	if (++output->num_flags < 32)
		return;
	memcpy(output->bytes + output->flags_at, &output->flags, 4);
	output->num_flags = 0;
	output->flags_at = output->size;
	output->size += 4;
}

/** @half: where a half of a byte is free; 0: nowhere. */
static inline void etl_xpress_put_match(struct etl_packing_output *output, size_t *half,
					struct etl_packing_match match)
{
	size_t length = match.length - ETL_PACKING_MIN_MATCH;
	etl_packing_put(output, (match.distance - 1) << 3 | (length < 7 ? length : 7), 2);
	if (length < 7)
		return;
	size_t nibble = length - 7 < 15 ? length - 7 : 15;
	if (*half) {
		output->bytes[*half] |= (uint8_t)(nibble << 4);
		*half = 0;
	} else {
		*half = output->size;
		etl_packing_put(output, nibble, 1);
	}
	if (nibble < 15)
		return;
	size_t rest = length - 7 - 15;
	etl_packing_put(output, rest < 255 ? rest : 255, 1);
	if (rest < 255)
		return;
	etl_packing_put(output, length < 1 << 16 ? length : 0, 2);
	if (length >= 1 << 16)
		etl_packing_put(output, length, 4);
}

/** @ret: room for 2 * @size + 16. */
static inline size_t etl_pack_xpress(const uint8_t *bytes, size_t size, uint8_t *ret)
{
	struct etl_packing_matches matches = {.bytes = bytes, .size = size};
	struct etl_packing_output output = {.bytes = ret, .size = 4};
	size_t half = 0;
	for (size_t at = 0; at < size;) {
		struct etl_packing_match match = etl_packing_find(&matches, at, 1 << 13, SIZE_MAX);
		if (match.length)
			etl_xpress_put_match(&output, &half, match);
		else
			etl_packing_put(&output, bytes[at], 1);
		// The flags that are full end behind what they are for.
		etl_xpress_put_flag(&output, match.length != 0);
		at += match.length ? match.length : 1;
	}
	// The flags that are left are those of matches without bytes.
	uint64_t flags = (uint64_t)output.flags << 32 | UINT32_MAX;
	uint32_t last = (uint32_t)(flags >> output.num_flags);
	memcpy(ret + output.flags_at, &last, 4);
	return output.size;
}

#endif
