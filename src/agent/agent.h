/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_AGENT_H
#define WPERF_AGENT_AGENT_H

/**
 * Samples for as long as it runs. The samples of each window of time are summed up, divided among
 * services, and sealed in the spool as one request; what is in the spool is sent.
 *
 * What a profile builder and a symbolizer keep of processes, code and files grows with time. So
 * both are replaced by new ones between two windows (sampling_renew()), when the process has grown
 * or an hour has passed. Sampling goes on meanwhile.
 */

#include "agent/spool.h"
#include "base/error.h"
#include "fleet/fleet_batch.h"
#include "session/setup/sample_setup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent_config {
	struct sample_setup *setup; /* finished; it and its session must outlive the agent */
	struct spool *spool;        /* must outlive the agent, as all that is named here */
	const char *url, *token_file, *token; /* as in struct agent_sender_config */
	const struct fleet_label *labels;
	size_t num_labels;
	const char *const *rules; /* "PATTERN=NAME" */
	size_t num_rules;
	const char *rules_file; /* more rules, behind these; or NULL */
	uint64_t window_ns;
	uint32_t budget;    /* samples for each service and hour; 0: no limit */
	double probability; /* that a window is sampled */
	bool is_once;       /* one window, which begins at once and is as long as was asked for */
	bool is_verbose;
};

struct agent;

/** @ret: set only on success. */
struct error *agent_create(const struct agent_config *config, struct agent **ret);

/** Accepts NULL. */
void agent_destroy(struct agent *agent);

static inline void agent_destroyp(struct agent **agent)
{
	agent_destroy(*agent);
}

/** Begin to sample. */
struct error *agent_begin(struct agent *agent);

/** A short time. @ret_over: call agent_end() next. */
struct error *agent_round(struct agent *agent, bool *ret_over);

/** Read the file of rules again. If that fails, the rules stay, and the notes say so. */
struct error *agent_reload(struct agent *agent);

/**
 * Stop sampling, seal the window that has begun, and send what waits in at most @limit_ns.
 * @ret_is_sent: all of it, or there is no server.
 * @ret_reason: why not; valid as long as the agent; or NULL.
 */
struct error *agent_end(struct agent *agent, uint64_t limit_ns, bool *ret_is_sent,
			const char **ret_reason);

/** Lines for the user since the last call. Valid until the next call of anything. */
const char *agent_notes(struct agent *agent);

#endif
