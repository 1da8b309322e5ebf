/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_WINDOW_BATCHES_H
#define WPERF_AGENT_WINDOW_BATCHES_H

/**
 * The profile of a window, divided into batches: one for each service. That of the agent itself is
 * always there. It has two more events, OWN_COST_CPU and OWN_COST_MEMORY, says how many
 * samples were lost, and how many batches were dropped before.
 */

#include "agent/agent_cost.h"
#include "agent/sample_thinning.h"
#include "agent/services.h"
#include "fleet/fleet_batch.h"

struct window_request {
	const struct fleet_label *labels; /* of all batches */
	size_t num_labels;
	const char *id; /* of the window; its batches have a number behind it */
	uint64_t start_ns, length_ns;
	uint64_t steady_ns;     /* when it ended, on a clock that nobody sets: for budgets */
	uint64_t num_dropped;   /* batches */
	uint64_t num_lost;      /* samples */
	struct agent_cost cost; /* cpu_ns: since the last one that was made */
	struct sample_dice *dice;
	struct sample_budgets *budgets;
	double factor; /* of all weights: 1 / the probability that a window is sampled */
};

struct window_batches {
	struct fleet_batch *batches; /* their profiles are views of the window's */
	size_t num_batches, cap_batches;
	struct named_sample *samples; /* by service */
	struct named_event *events;   /* of the agent's batch */
	struct named_sample *own;     /* its samples */
};

/**
 * @profile: gets a thread, a frame and strings for the agent's cost; its samples stay as they are.
 *           It must outlive the batches, and not change meanwhile.
 * @services: have looked at all samples.
 * @ret: set only on success.
 */
struct error *window_batches_create(const struct window_request *request,
				    struct named_profile *profile, struct services *services,
				    struct window_batches *ret);
void window_batches_deinit(struct window_batches *batches);

#endif
