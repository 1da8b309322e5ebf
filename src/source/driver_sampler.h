/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_SAMPLER_H
#define WPERF_SOURCE_DRIVER_SAMPLER_H

/**
 * Sampling through the driver contract, by whatever the driver has: its ring, where there is one;
 * the few samples that WindowsPerf's own driver keeps of each core, asked for as often as it needs;
 * or SPE.
 *
 * The waits between two questions to a driver without a ring adapt themselves: half as long when a
 * core's samples were half full, twice as long when they were not even to a quarter.
 */

#include "source/ring_client.h"
#include "source/sampling_client.h"
#include "source/spe_client.h"

enum driver_sampler_kind {
	DRIVER_SAMPLER_POLLS,
	DRIVER_SAMPLER_RING,
	DRIVER_SAMPLER_SPE,
};

struct driver_sampler {
	const struct driver_transport *transport; /* outlives this */
	enum driver_sampler_kind kind;
	struct sampling_client polled; /* one of these three */
	struct ring_client ring;
	struct spe_client spe;
	uint64_t step_ns; /* between two looks at the driver */
	bool has_stopped;
};

#define DRIVER_SAMPLER_INIT \
	{                   \
	}

/** What it is told of its machine. The pid is that of samples of a driver that does not know. */
struct error *driver_sampler_open(struct driver_sampler *sampler,
				  const struct driver_transport *transport,
				  const struct spe_client_machine *machine,
				  const struct sample_plan *plan);
void driver_sampler_close(struct driver_sampler *sampler);

struct error *driver_sampler_start(struct driver_sampler *sampler);
struct error *driver_sampler_stop(struct driver_sampler *sampler);

/** As source_ops.sample_wait(): where time is simulated all of it passes. None after the stop. */
struct error *driver_sampler_wait(struct driver_sampler *sampler, uint64_t timeout_ns);

/** The next record; false: there is none before the next wait. @ret lives until the next call. */
bool driver_sampler_next(struct driver_sampler *sampler, struct record *ret);

/** As source_ops.sample_events(). */
const struct perf_data_event *driver_sampler_events(const struct driver_sampler *sampler,
						    size_t *ret_num);

struct sample_totals driver_sampler_totals(const struct driver_sampler *sampler);

#endif
