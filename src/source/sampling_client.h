/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SAMPLING_CLIENT_H
#define WPERF_SOURCE_SAMPLING_CLIENT_H

/**
 * Sampling through the driver contract: events are set on each core, started, and what the driver
 * keeps is taken away now and then, before its WPERF_MAX_SAMPLES of a core are full. Samples become
 * records, one for each event that overflowed. The driver tells neither time nor process: a sample
 * has the time when it was taken away, and the process that its user says.
 */

#include "driver/include/wperf_driver.h"
#include "record/record.h"
#include "source/sampled_events.h"

enum { SAMPLING_CHAIN_LENGTH = 2 }; /* the place and its caller */

/** A sample that waits to become records. */
struct sampling_item {
	struct wperf_sample sample;
	uint64_t time_ns;
	uint32_t core;
};

struct sampling_client {
	struct sampled_events events;
	uint32_t pid; /* of all records */
	bool wants_chain;
	size_t num_running; /* the first so many cores sample */
	struct sample_totals totals;

	struct sampling_item *items;
	size_t num_items, cap_items;
	size_t next_item, next_event;
	uint64_t chain[SAMPLING_CHAIN_LENGTH]; /* of the record given last */
};

#define SAMPLING_CLIENT_INIT \
	{                    \
	}

/** As sampled_events_open(). */
struct error *sampling_client_open(struct sampling_client *sampling,
				   const struct driver_transport *transport, unsigned num_cores,
				   uint32_t pid, const struct sample_plan *plan);
void sampling_client_close(struct sampling_client *sampling);

struct error *sampling_client_start(struct sampling_client *sampling);

/** Stop all cores, and take away what is left. */
struct error *sampling_client_stop(struct sampling_client *sampling, uint64_t time_ns);

/** Take the samples away from the driver. @ret_most: how many the core had that had most. */
struct error *sampling_client_poll(struct sampling_client *sampling, uint64_t time_ns,
				   unsigned *ret_most);

/** The next record; false: there is none before the next poll. @ret lives until the next call. */
bool sampling_client_next(struct sampling_client *sampling, struct record *ret);

#endif
