/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_SAMPLE_SETUP_H
#define WPERF_CLI_SAMPLE_SETUP_H

/** What sampling commands begin with: from the user's words to a plan and an empty recording. */

#include "cli/python_choice.h"
#include "session/recording.h"
#include "session/sampling.h"
#include "session/session.h"
#include "session/setup/run_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;

struct sample_setup {
	const struct options *options;
	struct session session;
	struct run_request request;
	struct sampling_config config;
	struct recording *recording;
	struct python_choice python;
	/* private */
	bool keeps_samples;
	bool falls_back; /* to the timer */
	uint32_t *pids;
	struct symbolizer_name *names; /* of the source's own code */
	size_t num_names;
};

/**
 * Open the source and read which events are wanted. @keeps_samples: each with its time, not only
 * their sums. @setup is ended with sample_setup_deinit() also after a failure.
 */
struct error *sample_setup_open(struct sample_setup *setup, const struct options *options,
				bool keeps_samples);

/** Find the target. Nothing is started. */
struct error *sample_setup_finish(struct sample_setup *setup);

void sample_setup_deinit(struct sample_setup *setup);

/** A machine that plays itself has a program of its own, whatever command was said. */
bool sample_setup_is_simulated(const struct sample_setup *setup);

/** Once sampling is open: names for what it records. The setup must outlive it. */
struct error *sample_setup_symbolizer(struct sample_setup *setup, struct symbolizer **ret);

#endif
