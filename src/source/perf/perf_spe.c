// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_spe.h"

#include "base/byte_order.h"
#include "base/container/array.h"
#include "record/spe/spe_sample.h"

#include <stdlib.h>

// SPE's packets come in two streams: bytes in the AUX area, and PERF_RECORD_AUX in the ring of the
// same event, which say up to where the bytes are valid, whose they are, and what was lost
// (linux/perf_event.h, PERF_AUX_FLAG_*). perf_spe_note() makes a list of such parts.
// perf_spe_next() goes through the area part by part: a record with the raw bytes for the file
// first, then the operations decoded from them, then the next piece. A piece ends at the end of a
// part or of the mapped area. After a loss, an unfinished operation is given up
// (spe_stream_break()).
//
// The thread comes from the context packet if there is one (perf_spe_thread_of()), else from the
// part, if the event is bound to threads, else from the switches of the core.

void perf_spe_init(struct perf_spe *spe, uint32_t core, uint32_t midr)
{
	*spe = (struct perf_spe){.core = core, .midr = midr};
	spe_stream_init(&spe->stream, 0);
}

void perf_spe_deinit(struct perf_spe *spe)
{
	free(spe->parts);
	spe->parts = NULL;
	spe->first_part = spe->num_parts = spe->cap_parts = 0;
}

struct error *perf_spe_note(struct perf_spe *spe, const struct record *record)
{
	// PERF_RECORD_AUX: the header, aux_offset, aux_size, flags.
	enum { POSITION = 8, SIZE = 16, FLAGS = 24, END = 32 };
	if (record->raw_size < END || byte_order_load32(record->raw, false) != PERF_ABI_AUX)
		return NULL;
	uint64_t flags = byte_order_load64(record->raw + FLAGS, false);
	spe->num_truncations += !!(flags & PERF_ABI_AUX_TRUNCATED);
	spe->num_gaps += !!(flags & PERF_ABI_AUX_PARTIAL);
	spe->num_collisions += !!(flags & PERF_ABI_AUX_COLLISION);
	const struct perf_spe_part part = {
		.end = byte_order_load64(record->raw + POSITION, false) +
		       byte_order_load64(record->raw + SIZE, false),
		.thread = {record->pid, record->tid},
		.is_cut = flags & (PERF_ABI_AUX_TRUNCATED | PERF_ABI_AUX_PARTIAL),
	};
	if (part.end <= spe->aux.tail && !part.is_cut)
		return NULL;
	struct error *err = array_reserve(&spe->parts, &spe->cap_parts, spe->num_parts + 1);
	if (!err)
		spe->parts[spe->num_parts++] = part;
	return err;
}

void perf_spe_look(struct perf_spe *spe)
{
	perf_aux_look(&spe->aux);
}

static bool perf_spe_begin_piece(struct perf_spe *spe, struct record *ret)
{
	const uint8_t *bytes;
	size_t size;
	// Parts that were decoded to their ends.
	while (spe->first_part < spe->num_parts &&
	       spe->parts[spe->first_part].end <= spe->aux.tail) {
		if (spe->parts[spe->first_part].is_cut)
			spe_stream_break(&spe->stream, spe->aux.tail);
		spe->first_part++;
	}
	if (spe->first_part == spe->num_parts) {
		spe->first_part = spe->num_parts = 0;
		return false;
	}
	if (!perf_aux_peek(&spe->aux, &bytes, &size))
		return false;
	uint64_t part_size = spe->parts[spe->first_part].end - spe->aux.tail;
	if (part_size < size)
		size = (size_t)part_size;
	spe->piece_size = size;
	// The bytes as they are, for the file, with their position in the stream of this core.
	const struct aux_piece_place place = {
		.cpu = spe->core, .tid = UINT32_MAX, .position = spe->aux.tail};
	aux_piece_record_set(&spe->piece, &place, bytes, size, ret);
	spe_stream_feed(&spe->stream, bytes, size);
	return true;
}

// Best first: what the hardware wrote into the record, whose event it is, who had the core.
static struct running_thread perf_spe_thread_of(const struct perf_spe *spe,
						const struct perf_spe_context *context,
						const struct spe_record *operation)
{
	uint32_t tid = spe_sample_tid(operation);
	if (tid != UINT32_MAX)
		return running_threads_find(context->threads, tid);
	return context->is_of_threads ? spe->parts[spe->first_part].thread
				      : running_threads_on(context->threads, spe->core);
}

bool perf_spe_next(struct perf_spe *spe, const struct perf_spe_context *context, struct record *ret)
{
	const struct spe_record *operation = spe->piece_size ? spe_stream_next(&spe->stream) : NULL;
	if (!operation) {
		if (spe->piece_size)
			perf_aux_drop(&spe->aux, spe->piece_size);
		spe->piece_size = 0;
		return perf_spe_begin_piece(spe, ret);
	}
	struct running_thread thread = perf_spe_thread_of(spe, context, operation);
	// Without a timestamp of its own an operation has that of the one before.
	if (spe_record_has(operation, SPE_VALUE_TIMESTAMP) && context->conversion.is_known)
		spe->last_time_ns = time_conversion_ns(&context->conversion,
						       operation->values[SPE_VALUE_TIMESTAMP]);
	*ret = (struct record){
		.pid = thread.pid,
		.tid = thread.tid,
		.time_ns = spe->last_time_ns,
		.cpu = spe->core,
		.event = context->event,
	};
	spe_sample_set(ret, operation, spe->midr, context->period);
	return true;
}
