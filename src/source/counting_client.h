/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_COUNTING_CLIENT_H
#define WPERF_SOURCE_COUNTING_CLIENT_H

/**
 * Counting through the driver contract: events are assigned to cores, clusters and memory
 * channels, started, stopped and read. The driver multiplexes; we ask for its sums.
 */

#include "source/count_plan.h"
#include "source/driver_client.h"

struct counting_client {
	const struct driver_transport *transport; /* outlives this */
	struct driver_topology topology;
	unsigned *cores; /* that count, in the order of the plan */
	size_t num_cores;
	size_t *core_events;                /* of each of these, without the fixed counter */
	size_t num_events[NUM_PMU_CLASSES]; /* likewise, at most on one unit */
	uint32_t period_ms;
	unsigned channel;
};

#define COUNTING_CLIENT_INIT \
	{                    \
	}

/**
 * Assign the plan's placements.
 * @num_cores: of the machine, for a plan without cores.
 * Events of the plan may say :u or :k, but the driver has one filter for all of a class.
 */
struct error *counting_client_open(struct counting_client *counting,
				   const struct driver_transport *transport,
				   const struct driver_topology *topology, unsigned num_cores,
				   const struct count_plan *plan);
void counting_client_close(struct counting_client *counting);

struct error *counting_client_start(const struct counting_client *counting);
struct error *counting_client_stop(const struct counting_client *counting);
struct error *counting_client_reset(const struct counting_client *counting);

/** Since the last reset. @ret is ended by source_counts_deinit(), also after a failure. */
struct error *counting_client_read(const struct counting_client *counting,
				   struct source_counts *ret);

#endif
