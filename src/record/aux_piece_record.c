// SPDX-License-Identifier: Apache-2.0

#include "record/aux_piece_record.h"

// struct perf_record_auxtrace of tools/lib/perf/include/perf/event.h. The size in its header is
// that of the record alone; the trace follows it in the file and has a size of its own, as it may
// be larger than 64 KiB.

void aux_piece_record_set(struct aux_piece_record *piece, const struct aux_piece_place *place,
			  const uint8_t *bytes, size_t size, struct record *ret)
{
	*piece = (struct aux_piece_record){
		.header = {.type = PERF_ABI_AUXTRACE, .size = sizeof(*piece)},
		.size = size,
		.position = place->position,
		.index = place->cpu,
		.tid = place->tid,
		.cpu = place->cpu,
	};
	*ret = (struct record){
		.kind = RECORD_OTHER,
		.cpu = place->cpu,
		.raw = (const uint8_t *)piece,
		.raw_size = sizeof(*piece),
		.payload = bytes,
		.payload_size = size,
	};
}
