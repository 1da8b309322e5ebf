/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_UNPACK_ETL_OUTPUT_H
#define WPERF_RECORD_ETL_UNPACK_ETL_OUTPUT_H

/**
 * What the three formats of etl_unpack.h have in common: bytes come out one after another, as
 * literals or as repetitions of what came out before. Copies are 8 bytes wide where there is room
 * behind their end, because nearly all are short; what they write beyond is written again.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct etl_output {
	uint8_t *begin, *at, *end;
};

enum { ETL_OUTPUT_WORD = 8 };

static inline size_t etl_output_left(const struct etl_output *output)
{
	return (size_t)(output->end - output->at);
}

/** Private: @length is at most what is left. The wide copy reads what was written before it. */
static inline void etl_output_copy(struct etl_output *output, const uint8_t *from, size_t length)
{
	uint8_t *to = output->at;
	output->at = to + length;
	if ((size_t)(output->end - output->at) < ETL_OUTPUT_WORD) {
		while (to < output->at)
			*to++ = *from++;
		return;
	}
	for (; to < output->at; to += ETL_OUTPUT_WORD, from += ETL_OUTPUT_WORD)
		memcpy(to, from, ETL_OUTPUT_WORD);
}

/** Repeat @length bytes that begin @distance bytes back, and may overlap what they become. False:
 *  there are not so many, or no room. */
static inline bool etl_output_repeat(struct etl_output *output, size_t distance, size_t length)
{
	if (distance - 1 >= (size_t)(output->at - output->begin) ||
	    length > etl_output_left(output))
		return false;
	const uint8_t *from = output->at - distance;
	if (distance < ETL_OUTPUT_WORD) {
		// The first word byte by byte. From then on, a multiple of the distance does as
		// well, and is wide enough.
		size_t first = length < ETL_OUTPUT_WORD ? length : ETL_OUTPUT_WORD;
		for (size_t i = 0; i < first; i++)
			output->at[i] = from[i];
		output->at += first;
		length -= first;
		from = output->at - (ETL_OUTPUT_WORD + distance - 1) / distance * distance;
	}
	if (length)
		etl_output_copy(output, from, length);
	return true;
}

#endif
