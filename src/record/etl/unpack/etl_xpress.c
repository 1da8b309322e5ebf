// SPDX-License-Identifier: Apache-2.0

#include "record/etl/unpack/etl_xpress.h"

#include "base/byte_order.h"
#include "record/etl/unpack/etl_output.h"

// [MS-XCA] 2.3 and 2.4. 32 flags stand in front of what they are for, the first in the highest
// bit: 0 is a literal byte, 1 a match of 2 bytes: 3 bits of length, 13 bits of distance. Longer
// lengths have 4 bits more, which two matches share in one byte: the second takes its half from
// where the first one left it. Still longer ones have 1, 3 or 7 bytes behind.
//
// A run of literals is taken at once: it is as long as there are zeros in front of the flags. What
// Windows packs ends with its last byte, which all buffers of the real files do.

enum {
	XPRESS_MIN_MATCH = 3,
	XPRESS_MAX_BITS = 7, // of the match itself
	XPRESS_MAX_HALF = 15,
	XPRESS_MAX_BYTE = 255,
	XPRESS_WIDEST_RUN = 32,
};

struct xpress_input {
	const uint8_t *at, *end;
	const uint8_t *half; // the byte whose upper half the next long match takes; or NULL
};

static inline size_t xpress_left(const struct xpress_input *input)
{
	return (size_t)(input->end - input->at);
}

/** The length beyond XPRESS_MAX_BITS. */
static bool xpress_read_length(struct xpress_input *input, size_t *ret)
{
	if (input->half) {
		*ret = *input->half >> 4;
		input->half = NULL;
	} else {
		if (!xpress_left(input))
			return false;
		input->half = input->at++;
		*ret = *input->half & 15;
	}
	if (*ret < XPRESS_MAX_HALF)
		return true;
	if (!xpress_left(input))
		return false;
	uint8_t byte = *input->at++;
	*ret = (size_t)byte + XPRESS_MAX_HALF;
	if (byte < XPRESS_MAX_BYTE)
		return true;
	// From here on the number is the length as a whole.
	if (xpress_left(input) < 2)
		return false;
	size_t whole = byte_order_load16(input->at, false);
	input->at += 2;
	if (!whole) {
		if (xpress_left(input) < 4)
			return false;
		whole = byte_order_load32(input->at, false);
		input->at += 4;
	}
	*ret = whole - XPRESS_MAX_BITS;
	return whole >= XPRESS_MAX_BITS + XPRESS_MAX_HALF;
}

static inline bool xpress_match(struct xpress_input *input, struct etl_output *output)
{
	if (xpress_left(input) < 2)
		return false;
	uint32_t match = byte_order_load16(input->at, false);
	input->at += 2;
	size_t length = match & 7, more = 0;
	if (length == XPRESS_MAX_BITS && !xpress_read_length(input, &more))
		return false;
	return etl_output_repeat(output, (match >> 3) + 1, length + more + XPRESS_MIN_MATCH);
}

static inline bool xpress_literals(struct xpress_input *input, struct etl_output *output,
				   size_t length)
{
	if (xpress_left(input) >= XPRESS_WIDEST_RUN &&
	    etl_output_left(output) >= XPRESS_WIDEST_RUN) {
		memcpy(output->at, input->at, XPRESS_WIDEST_RUN);
	} else {
		// The last flags may be for more than there is.
		if (length > etl_output_left(output))
			length = etl_output_left(output);
		if (length > xpress_left(input))
			return false;
		memcpy(output->at, input->at, length);
	}
	input->at += length;
	output->at += length;
	return true;
}

/** Behind the last byte stands the flag of a match that has no bytes any more. */
static bool xpress_is_end(const struct xpress_input *input, uint32_t num_flags, uint32_t flags)
{
	if (num_flags)
		return flags >> 31 && !xpress_left(input);
	return xpress_left(input) == 4 && byte_order_load32(input->at, false) >> 31;
}

bool etl_xpress_unpack(const uint8_t *packed, size_t packed_size, uint8_t *ret, size_t size)
{
	struct xpress_input input = {.at = packed, .end = packed + packed_size};
	struct etl_output output = {.begin = ret, .at = ret, .end = ret + size};
	uint32_t flags = 0, num_flags = 0;
	while (output.at < output.end) {
		if (!num_flags) {
			if (xpress_left(&input) < 4)
				return false;
			flags = byte_order_load32(input.at, false);
			input.at += 4;
			num_flags = 32;
		}
		uint32_t run = flags ? (uint32_t)__builtin_clz(flags) : num_flags;
		if (run > num_flags)
			run = num_flags;
		if (run ? !xpress_literals(&input, &output, run) : !xpress_match(&input, &output))
			return false;
		uint32_t used = run ? run : 1;
		num_flags -= used;
		flags = num_flags ? flags << used : 0;
	}
	return xpress_is_end(&input, num_flags, flags);
}
