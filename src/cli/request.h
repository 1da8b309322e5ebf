/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_REQUEST_H
#define WPERF_CLI_REQUEST_H

/** What a counting or sampling command was asked to do, checked against the machine. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "catalog/core_list.h"
#include "catalog/event_list.h"
#include "catalog/event_spec.h"
#include "catalog/placement.h"
#include "catalog/spe_spec.h"

#include <stdbool.h>
#include <stdint.h>

struct options;
struct session;

/** The parameters of --config. */
struct request_config {
	uint32_t count_period_ms; /* count.period: between two multiplexed windows */
};

enum { COUNT_PERIOD_MIN_MS = 10, COUNT_PERIOD_MAX_MS = 100 };

/** Cores that count events of their own: core_N/EVENTS/ that is not the same for all. */
struct core_request {
	struct core_list cores;
	struct event_list events;
	struct placement placement;
};

struct request {
	struct event_list events;
	struct placement placements[NUM_PMU_CLASSES]; /* for counting */
	struct core_list cores;                       /* empty: all of them */
	struct core_request *core_requests; /* in place of events, with all of `cores` in order */
	size_t num_core_requests;
	bool has_topdown; /* -m topdown */
	bool has_spe;
	struct spe_filters spe;
	struct request_config config;
};

/**
 * Take -e, -m, -c and --config. @request is ended with request_deinit() also after a failure.
 * @warnings: lines for the user that do not stop the command.
 */
struct error *request_create(const struct options *options, struct session *session,
			     enum event_spec_mode mode, struct request *request,
			     struct string_builder *warnings);
void request_deinit(struct request *request);

#endif
