/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_RUN_REQUEST_H
#define WPERF_SESSION_SETUP_RUN_REQUEST_H

/**
 * What a counting or sampling command was asked to do: from words to events, metrics and cores,
 * checked against the machine.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "catalog/core_list.h"
#include "catalog/event_list.h"
#include "catalog/event_spec.h"
#include "catalog/placement.h"
#include "catalog/spe_spec.h"

#include <stdbool.h>
#include <stdint.h>

struct session;

/** One -e or -m; their order is the order of counting. */
struct counted_word {
	bool is_metric;
	const char *spec;
};

/** What to count or sample, as text. */
struct run_words {
	const struct counted_word *counted;
	size_t num_counted;
	const char *cores;         /* "0,2-3"; NULL: all of them */
	const char *const *config; /* "count.period=20" */
	size_t num_config;
	bool only_warns_of_config; /* if a parameter cannot be set */
};

/** The parameters of --config. */
struct run_config {
	uint32_t count_period_ms; /* count.period: between two multiplexed windows */
};

enum { COUNT_PERIOD_MIN_MS = 10, COUNT_PERIOD_MAX_MS = 100 };

/** Cores that count events of their own: core_N/EVENTS/ that is not the same for all. */
struct core_request {
	struct core_list cores;
	struct event_list events;
	struct placement placement;
};

struct run_request {
	struct event_list events;
	struct placement placements[NUM_PMU_CLASSES]; /* for counting */
	struct core_list cores;                       /* empty: all of them */
	struct core_request *core_requests; /* in place of events, with all of `cores` in order */
	size_t num_core_requests;
	bool has_topdown; /* -m topdown */
	bool has_spe;
	struct spe_filters spe;
	struct run_config config;
};

/**
 * @request is ended with run_request_deinit() also after a failure.
 * @warnings: lines for the user that do not stop the command.
 */
struct error *run_request_create(const struct run_words *words, struct session *session,
				 enum event_spec_mode mode, struct run_request *request,
				 struct string_builder *warnings);
void run_request_deinit(struct run_request *request);

#endif
