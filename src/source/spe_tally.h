/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SPE_TALLY_H
#define WPERF_SOURCE_SPE_TALLY_H

/**
 * What the PMU of a core counts of SPE's work, through the driver contract: the four events
 * sample_pop to sample_collision, and cycles, of user code and the kernel.
 */

#include "source/driver_client.h"
#include "source/sample_plan.h"

struct spe_tally {
	const struct driver_transport *transport; /* outlives this; NULL: not open */
	unsigned core;
	bool is_running;
};

#define SPE_TALLY_INIT \
	{              \
	}

/** Put the events on the core's counters. */
struct error *spe_tally_open(struct spe_tally *tally, const struct driver_transport *transport,
			     unsigned core);

/** From 0. */
struct error *spe_tally_start(struct spe_tally *tally);

/** @ret: not known if there were too few counters, so that the events took turns. */
struct error *spe_tally_stop(struct spe_tally *tally, struct sample_spe_counts *ret);

void spe_tally_close(struct spe_tally *tally);

#endif
