/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SPE_H
#define WPERF_SOURCE_PERF_SPE_H

/**
 * What SPE wrote on one core, out of its AUX area: a piece at a time comes as a record of
 * PERF_ABI_AUXTRACE, with the bytes behind it, and then the samples that are in it.
 */

#include "record/aux_piece_record.h"
#include "record/record.h"
#include "record/running_threads.h"
#include "record/spe_stream.h"
#include "record/time_conversion.h"
#include "source/perf_aux.h"

#include <stdbool.h>
#include <stdint.h>

/** What is the same for all cores. */
struct perf_spe_context {
	const struct running_threads *threads;
	struct time_conversion conversion;
	uint32_t event;
	uint64_t period;
	/** Threads are profiled, not cores: then a part ends when its thread leaves the core. */
	bool is_of_threads;
};

/** What the kernel said is there: up to a position, behind the part before. */
struct perf_spe_part {
	uint64_t end;
	struct running_thread thread; /* that ran at its end */
	bool is_cut;                  /* something is missing behind it */
};

struct perf_spe {
	uint32_t core;
	uint32_t midr;
	struct perf_aux aux;
	struct spe_stream stream;
	size_t piece_size; /* of the piece that is decoded; 0: none */
	struct aux_piece_record piece;
	struct perf_spe_part *parts; /* that were not decoded to their ends */
	size_t first_part, num_parts, cap_parts;
	uint64_t last_time_ns;
	uint64_t num_truncations, num_gaps, num_collisions;
};

/** The area must be mapped afterwards, and is unmapped before the end. */
void perf_spe_init(struct perf_spe *spe, uint32_t core, uint32_t midr);
void perf_spe_deinit(struct perf_spe *spe);

/** A record of the ring beside the area: PERF_ABI_AUX says what is there, and what lacks. */
struct error *perf_spe_note(struct perf_spe *spe, const struct record *record);

/** See what is there by now. */
void perf_spe_look(struct perf_spe *spe);

/** The next record; false: none before the next look, or before the kernel says what is there. @ret
 * lives until the next call. */
bool perf_spe_next(struct perf_spe *spe, const struct perf_spe_context *context,
		   struct record *ret);

#endif
