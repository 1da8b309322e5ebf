/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SIM_SAMPLING_H
#define WPERF_SOURCE_SIM_SAMPLING_H

/**
 * Sampling of the simulated machine: first what runs there, as an operating system would tell, then
 * the driver's samples. The driver is asked so often in simulated time that it has no reason to
 * drop any.
 */

#include "driver/sim/sim.h"
#include "source/sampling_client.h"
#include "source/spe_client.h"

enum { SIM_PID = 4711 };

struct sim_sampling {
	struct sim *sim;
	struct sampling_client client;
	struct spe_client spe;
	bool is_spe; /* else it is the client's */
	struct sample_symbol *symbols;
	size_t num_symbols;
	size_t num_introduced; /* records that were given before the first sample */
	uint64_t began_ns;
	uint64_t step_ns; /* of simulated time between two looks at the driver */
	bool has_stopped;
};

#define SIM_SAMPLING_INIT \
	{                 \
	}

/** Both must outlive the sampling. */
struct error *sim_sampling_open(struct sim_sampling *sampling, struct sim *sim,
				const struct driver_transport *transport,
				const struct sample_plan *plan);
void sim_sampling_close(struct sim_sampling *sampling);

struct error *sim_sampling_start(struct sim_sampling *sampling);
struct error *sim_sampling_stop(struct sim_sampling *sampling);

/** Let so much time pass, all of it; none after the stop. UINT64_MAX: a second. */
struct error *sim_sampling_wait(struct sim_sampling *sampling, uint64_t timeout_ns);

/** As source_ops.sample_next(). */
bool sim_sampling_next(struct sim_sampling *sampling, struct record *ret);

struct sample_totals sim_sampling_totals(const struct sim_sampling *sampling);

#endif
