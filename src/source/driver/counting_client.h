/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_COUNTING_CLIENT_H
#define WPERF_SOURCE_DRIVER_COUNTING_CLIENT_H

/**
 * Counts through the driver contract: assigns events to cores, clusters and memory channels,
 * starts, stops and reads them. The driver multiplexes and returns the sums.
 */

#include "source/driver/count_plan.h"
#include "source/driver/driver_client.h"

struct counting_client {
	const struct driver_transport *transport; /* outlives this */
	struct driver_topology topology;
	unsigned *cores; /* in the order of the plan */
	size_t num_cores;
	size_t *core_events;                /* number for each of them, without the fixed counter */
	size_t num_events[NUM_PMU_CLASSES]; /* maximum of all units, likewise */
	uint32_t period_ms;
	unsigned channel;
};

#define COUNTING_CLIENT_INIT \
	{                    \
	}

/**
 * Assign the plan's placements.
 * @num_cores: of the machine, for a plan without cores.
 * The modifiers :u and :k must be the same for all events of a class: the driver has one filter.
 */
struct error *counting_client_open(struct counting_client *counting,
				   const struct driver_transport *transport,
				   const struct driver_topology *topology, unsigned num_cores,
				   const struct count_plan *plan);
void counting_client_close(struct counting_client *counting);

struct error *counting_client_start(const struct counting_client *counting);
struct error *counting_client_stop(const struct counting_client *counting);
struct error *counting_client_reset(const struct counting_client *counting);

/** The counts since the last reset. Call source_counts_deinit() on @ret also after a failure. */
struct error *counting_client_read(const struct counting_client *counting,
				   struct source_counts *ret);

#endif
