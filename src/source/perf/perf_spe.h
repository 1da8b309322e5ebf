/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_SPE_H
#define WPERF_SOURCE_PERF_PERF_SPE_H

/**
 * Reads SPE's data of one core from its AUX area. Each piece becomes a record of PERF_ABI_AUXTRACE
 * with the bytes after it, followed by the samples in it.
 */

#include "record/aux_piece_record.h"
#include "record/record.h"
#include "record/running_threads.h"
#include "record/spe/spe_stream.h"
#include "record/time_conversion.h"
#include "source/perf/perf_aux.h"

#include <stdbool.h>
#include <stdint.h>

/** The same for all cores. */
struct perf_spe_context {
	const struct running_threads *threads;
	struct time_conversion conversion;
	uint32_t event;
	uint64_t period;
	/** Threads are profiled, not cores: a part ends when its thread leaves the core. */
	bool is_of_threads;
};

/** A part that the kernel reported: from the end of the previous part up to a position. */
struct perf_spe_part {
	uint64_t end;
	struct running_thread thread; /* that ran at its end */
	bool is_cut;                  /* data is missing after it */
};

struct perf_spe {
	uint32_t core;
	uint32_t midr;
	struct perf_aux aux;
	struct spe_stream stream;
	size_t piece_size; /* of the current piece; 0: none */
	struct aux_piece_record piece;
	struct perf_spe_part *parts; /* that are not completely decoded */
	size_t first_part, num_parts, cap_parts;
	uint64_t last_time_ns;
	uint64_t num_truncations, num_gaps, num_collisions;
};

/** Map the area afterwards, and unmap it before perf_spe_deinit(). */
void perf_spe_init(struct perf_spe *spe, uint32_t core, uint32_t midr);
void perf_spe_deinit(struct perf_spe *spe);

/** A record of the area's ring: PERF_ABI_AUX reports new data and losses. */
struct error *perf_spe_note(struct perf_spe *spe, const struct record *record);

/** Update the position of the data; see perf_aux_look(). */
void perf_spe_look(struct perf_spe *spe);

/** The next record, valid until the next call; false: there is none before the next look, or before
 * the kernel reports more data. */
bool perf_spe_next(struct perf_spe *spe, const struct perf_spe_context *context,
		   struct record *ret);

#endif
