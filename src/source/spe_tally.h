/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SPE_TALLY_H
#define WPERF_SOURCE_SPE_TALLY_H

/**
 * Counts SPE's own four events (sample_pop to sample_collision) and cycles on a core, through the
 * driver contract; of user and kernel code.
 */

#include "source/driver/driver_client.h"
#include "source/sample_plan.h"

struct spe_tally {
	const struct driver_transport *transport; /* outlives this; NULL: not open */
	unsigned core;
	bool is_running;
};

#define SPE_TALLY_INIT \
	{              \
	}

/** Program the core's counters. */
struct error *spe_tally_open(struct spe_tally *tally, const struct driver_transport *transport,
			     unsigned core);

/** Start from 0. */
struct error *spe_tally_start(struct spe_tally *tally);

/** @ret: not known if the events were multiplexed for lack of counters. */
struct error *spe_tally_stop(struct spe_tally *tally, struct sample_spe_counts *ret);

void spe_tally_close(struct spe_tally *tally);

#endif
