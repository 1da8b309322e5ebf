/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SPE_H
#define WPERF_SOURCE_PERF_SPE_H

/**
 * What SPE wrote on one core, out of its AUX area: a piece at a time comes as a record of
 * PERF_ABI_AUXTRACE, with the bytes behind it, and then the samples that are in it.
 */

#include "record/perf_abi.h"
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
};

/** A record of PERF_ABI_AUXTRACE. */
struct perf_spe_piece {
	struct perf_abi_header header;
	uint64_t size, position, reference;
	uint32_t index, tid, cpu, reserved;
};

enum { PERF_SPE_MAX_CUTS = 16 };

struct perf_spe {
	uint32_t core;
	uint32_t midr;
	struct perf_aux aux;
	struct spe_stream stream;
	size_t piece_size; /* of the piece that is decoded; 0: none */
	struct perf_spe_piece piece;
	/* Positions behind which the kernel says that something is missing, ascending; if there are
	   more, the decoder finds out by itself. */
	uint64_t cuts[PERF_SPE_MAX_CUTS];
	size_t num_cuts;
	uint64_t last_time_ns;
	uint64_t num_truncations, num_gaps, num_collisions;
};

/** The area must be mapped afterwards. */
void perf_spe_init(struct perf_spe *spe, uint32_t core, uint32_t midr);

/** A record of the ring beside the area: PERF_ABI_AUX says what the area lacks. */
void perf_spe_note(struct perf_spe *spe, const struct record *record);

/** See what is there by now. */
void perf_spe_look(struct perf_spe *spe);

/** The next record; false: none before the next look. @ret lives until the next call. */
bool perf_spe_next(struct perf_spe *spe, const struct perf_spe_context *context,
		   struct record *ret);

#endif
