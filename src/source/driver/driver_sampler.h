/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DRIVER_SAMPLER_H
#define WPERF_SOURCE_DRIVER_DRIVER_SAMPLER_H

/**
 * Samples through the driver contract, by what the driver has: its ring; the small buffer of each
 * core in WindowsPerf's driver, which is polled; or SPE.
 *
 * The polling interval adapts: it is halved when a core's buffer was half full, and doubled when
 * all were less than a quarter full.
 */

#include "source/driver/ring_client.h"
#include "source/driver/sampling_client.h"
#include "source/driver/spe_client.h"

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
	uint64_t step_ns; /* between two requests to the driver */
	bool has_stopped;
};

#define DRIVER_SAMPLER_INIT \
	{                   \
	}

/** @machine: its pid is for samples of a driver that does not report processes. */
struct error *driver_sampler_open(struct driver_sampler *sampler,
				  const struct driver_transport *transport,
				  const struct spe_client_machine *machine,
				  const struct sample_plan *plan);
void driver_sampler_close(struct driver_sampler *sampler);

struct error *driver_sampler_start(struct driver_sampler *sampler);
struct error *driver_sampler_stop(struct driver_sampler *sampler);

/** As sample_ops.wait(); simulated time passes completely. Not after the stop. */
struct error *driver_sampler_wait(struct driver_sampler *sampler, uint64_t timeout_ns);

/** The next record, valid until the next call; false: there is none before the next wait. */
bool driver_sampler_next(struct driver_sampler *sampler, struct record *ret);

/** As sample_ops.events(). */
const struct perf_data_event *driver_sampler_events(const struct driver_sampler *sampler,
						    size_t *ret_num);

struct sample_totals driver_sampler_totals(const struct driver_sampler *sampler);

#endif
