/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_PERF_DATA_RECORD_INPUT_H
#define WPERF_RECORD_PERF_DATA_RECORD_INPUT_H

/**
 * One whole record after another out of memory (a mapped file) or a stream, as they stand there.
 * What belongs to a record but stands behind it (traces of hardware) is passed over.
 */

#include "base/error.h"
#include "base/file/file_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** A record where it was found. */
struct found_record {
	uint32_t type;
	const uint8_t *bytes; /* not aligned */
	size_t size;
};

struct record_input {
	const uint8_t *bytes; /* [next, end) was not given yet */
	size_t next, end;
	FILE *stream;          /* NULL: all is in memory */
	uint8_t *buffer;       /* of the stream */
	uint64_t payload_size; /* what belongs to the record that was given last */
	uint64_t truncated_bytes;
};

#define RECORD_INPUT_INIT \
	{                 \
	}

/** From memory that the caller keeps. Records of it stay where they are. */
struct record_input record_input_of_memory(const void *bytes, size_t size);

/** From a stream that the caller keeps. Records of it are good until the next call. */
struct error *record_input_of_stream(struct record_input *input, FILE *stream);

/** The next @size bytes (at most PERF_ABI_MAX_RECORD), not taken; NULL if there are not that many.
 */
const uint8_t *record_input_peek(struct record_input *input, size_t size);

/** Pass over bytes; false if the end comes before (they are counted in truncated_bytes). */
bool record_input_skip(struct record_input *input, uint64_t size);

/** False at the end; what is left there is counted in truncated_bytes. */
bool record_input_next(struct record_input *input, struct found_record *ret);

/**
 * Put what is left of a stream into a file without a name, for who must look at it twice; the input
 * is then in memory, from its first byte. Records that were given are lost. @ret_map: the caller's.
 */
struct error *record_input_spill(struct record_input *input, struct file_map *ret_map);

void record_input_deinit(struct record_input *input);

#endif
