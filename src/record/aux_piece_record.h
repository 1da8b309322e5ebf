/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_AUX_PIECE_RECORD_H
#define WPERF_RECORD_AUX_PIECE_RECORD_H

/** A record of PERF_ABI_AUXTRACE: a piece of the trace that hardware wrote on one core. */

#include "record/perf_data/perf_abi.h"
#include "record/record.h"

#include <stddef.h>
#include <stdint.h>

struct aux_piece_record {
	struct perf_abi_header header;
	uint64_t size, position, reference;
	uint32_t index, tid, cpu, reserved;
};

/** Which bytes of which core. */
struct aux_piece_place {
	uint32_t cpu;
	uint32_t tid;      /* that ran there if nothing else tells; UINT32_MAX: not known */
	uint64_t position; /* of the first byte, of all that the core ever wrote */
};

/** @piece: filled. @ret: the record, which points at @piece and @bytes. */
void aux_piece_record_set(struct aux_piece_record *piece, const struct aux_piece_place *place,
			  const uint8_t *bytes, size_t size, struct record *ret);

#endif
