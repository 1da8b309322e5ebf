/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLED_EVENTS_H
#define WPERF_SOURCE_SAMPLED_EVENTS_H

/** The events of a plan on the counters of the driver's cores. */

#include "driver/include/wperf_driver.h"
#include "record/perf_data/perf_data.h"
#include "source/driver/driver_client.h"
#include "source/sample_plan.h"

struct sampled_event {
	uint64_t overflow; /* its bit of wperf_sample.ov_flags */
	uint32_t interval;
};

struct sampled_events {
	const struct driver_transport *transport; /* outlives this */
	unsigned *cores;
	size_t num_cores;
	struct sampled_event *items;       /* in the order of the plan */
	struct perf_data_event *described; /* ... for perf.data */
	uint64_t *ids;                     /* of these */
	size_t num_items;
};

#define SAMPLED_EVENTS_INIT \
	{                   \
	}

/**
 * Program the plan's events on its cores. Events without an interval get EVENT_DEFAULT_INTERVAL.
 * @num_cores: of the machine, for a plan without cores.
 */
struct error *sampled_events_open(struct sampled_events *sampled,
				  const struct driver_transport *transport, unsigned num_cores,
				  const struct sample_plan *plan);
void sampled_events_close(struct sampled_events *sampled);

#endif
