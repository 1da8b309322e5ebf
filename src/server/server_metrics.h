/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_SERVER_METRICS_H
#define WPERF_SERVER_SERVER_METRICS_H

/** What the server counts about itself, from any thread. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum server_counter {
	SERVER_BATCHES_STORED,
	SERVER_BATCHES_KNOWN,
	SERVER_BATCHES_TOO_OLD,
	SERVER_REFUSED_AUTHORIZATION, /* requests to store, by reason */
	SERVER_REFUSED_DAMAGED,
	SERVER_REFUSED_TYPE,
	SERVER_REFUSED_SIZE,
	SERVER_REFUSED_LIMIT, /* of the rate, or of names */
	SERVER_REFUSED_STORE,
	SERVER_BYTES_IN, /* of bodies, as they came */
	SERVER_SAMPLES,  /* different stacks, of all batches that came */
	NUM_SERVER_COUNTERS,
};

enum {
	SERVER_METRICS_NUM_STATUSES = 600,
	SERVER_METRICS_NUM_TIMES = 9, /* limits of the histogram, and the rest */
};

struct server_metrics {
	atomic_uint_fast64_t counters[NUM_SERVER_COUNTERS];
	atomic_uint_fast64_t requests[SERVER_METRICS_NUM_STATUSES]; /* by status */
	atomic_uint_fast64_t puts[SERVER_METRICS_NUM_TIMES];
	atomic_uint_fast64_t put_ns;
	atomic_bool is_retention_held; /* the clock has jumped ahead: see retention_clock.h */
};

void server_metrics_add(struct server_metrics *metrics, enum server_counter counter,
			uint64_t amount);
void server_metrics_count_request(struct server_metrics *metrics, int status);
void server_metrics_time_put(struct server_metrics *metrics, uint64_t length_ns);

/** The upper limit of puts[@i], in seconds; not of the last one. */
double server_metrics_limit_s(size_t i);

#endif
