/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_SAMPLING_CLIENT_H
#define WPERF_SOURCE_DRIVER_SAMPLING_CLIENT_H

/**
 * Samples through the driver contract without a ring: the samples of each core are polled before
 * its buffer of WPERF_MAX_SAMPLES is full, and become records, one for each event that overflowed.
 * The driver reports neither time nor process: a sample gets the time of the poll and the caller's
 * pid.
 */

#include "driver/include/wperf_driver.h"
#include "record/record.h"
#include "source/sampled_events.h"

enum { SAMPLING_CHAIN_LENGTH = 2 }; /* the address and its caller */

/** A sample that is not a record yet. */
struct sampling_item {
	struct wperf_sample sample;
	uint64_t time_ns;
	uint32_t core;
};

struct sampling_client {
	struct sampled_events events;
	uint32_t pid; /* of all records */
	bool wants_chain;
	size_t num_running; /* the number of cores that sample, from the first on */
	struct sample_totals totals;

	struct sampling_item *items;
	size_t num_items, cap_items;
	size_t next_item, next_event;
	uint64_t chain[SAMPLING_CHAIN_LENGTH]; /* of the last record */
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

/** Stop all cores, and read the rest. */
struct error *sampling_client_stop(struct sampling_client *sampling, uint64_t time_ns);

/** Read the samples of all cores. @ret_most: the largest number of samples of a core. */
struct error *sampling_client_poll(struct sampling_client *sampling, uint64_t time_ns,
				   unsigned *ret_most);

/** The next record, valid until the next call; false: there is none before the next poll. */
bool sampling_client_next(struct sampling_client *sampling, struct record *ret);

#endif
