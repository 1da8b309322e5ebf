/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_AUX_TRACE_H
#define WPERF_RECORD_AUX_TRACE_H

/**
 * Where in a file the traces are that hardware wrote: a buffer for each core, or for each thread,
 * of which a record has a piece at a time (PERF_ABI_AUXTRACE). A piece may have been written long
 * before the records around it, so that all of them are looked up before the first is read.
 * Nothing is copied: a piece takes a few words of memory, whatever its size.
 */

#include "record/perf_data/record_input.h"
#include "record/time_conversion.h"

#include "base/container/hash_table.h"
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

struct aux_piece {
	const uint8_t *bytes; /* not owned */
	size_t size;
	uint64_t position; /* of its first byte, of all that the buffer ever held */
};

struct aux_buffer {
	uint32_t index;           /* its name */
	uint32_t cpu;             /* UINT32_MAX: of a thread, wherever that was */
	uint32_t tid;             /* UINT32_MAX: of whatever ran on the core */
	struct aux_piece *pieces; /* in the order of the file */
	size_t num_pieces, cap_pieces;
};

struct aux_trace {
	struct aux_buffer *buffers;
	size_t num_buffers, cap_buffers;
	struct hash_table by_index;
	struct time_conversion conversion; /* the file's last, if it has one from here on */
};

#define AUX_TRACE_INIT \
	{              \
	}

/** @input: in memory; the records from here on are looked through. Not in a record's midst. */
struct error *aux_trace_find(struct aux_trace *trace, const struct record_input *input);

/**
 * The piece that belongs to a record; false if none does.
 * @rest: in memory, behind the record.
 * @ret_buffer: whose it is; without pieces.
 */
bool aux_trace_piece(const struct found_record *record, const struct record_input *rest,
		     struct aux_piece *ret, struct aux_buffer *ret_buffer);

/** What a record of PERF_ABI_TIME_CONV says; not known if it is none, or nonsense. */
struct time_conversion aux_trace_conversion(const struct found_record *record);

void aux_trace_deinit(struct aux_trace *trace);

#endif
