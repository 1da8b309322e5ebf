/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_RING_CLIENT_H
#define WPERF_SOURCE_DRIVER_RING_CLIENT_H

/**
 * Samples through the ring of the driver contract: the samples of each core are read when there are
 * enough, and become records in time order, one for each event that overflowed, with thread and
 * callers.
 *
 * A core samples everything that runs there, also other processes than the plan's.
 */

#include "record/record.h"
#include "record/time_conversion.h"
#include "source/sampled_events.h"

/** The address, the context between kernel and user code, and the callers. */
enum { RING_CHAIN_LENGTH = 2 + WPERF_RING_MAX_CALLERS };

/** Samples of a core that were read, and are not records yet. */
struct ring_queue {
	uint8_t *bytes;
	size_t start, size, cap;
};

struct ring_client {
	struct sampled_events events;
	struct wperf_ring_info info;
	struct time_conversion conversion;
	uint32_t fallback_pid; /* for samples without a process */
	bool wants_chain;
	bool is_running;
	struct sample_totals totals;

	struct ring_queue *queues; /* of the n-th core */
	uint64_t until;            /* on the timer: all samples up to then were read */
	size_t next_event;         /* of the oldest sample */
	uint64_t chain[RING_CHAIN_LENGTH];
	uint8_t *answer; /* WPERF_MAX_OUTPUT bytes */
};

#define RING_CLIENT_INIT \
	{                \
	}

/**
 * Does the driver have a ring of a known version? WindowsPerf's has none.
 * @ret: with version 0 if not.
 */
struct error *ring_client_ask(const struct driver_transport *transport,
			      struct wperf_ring_info *ret);

/** As sampled_events_open(). @info: of a ring. @fallback_pid: for samples without a process. */
struct error *ring_client_open(struct ring_client *ring, const struct driver_transport *transport,
			       unsigned num_cores, const struct wperf_ring_info *info,
			       uint32_t fallback_pid, const struct sample_plan *plan);
void ring_client_close(struct ring_client *ring);

struct error *ring_client_start(struct ring_client *ring);

/** Stop all cores, and read the rest. */
struct error *ring_client_stop(struct ring_client *ring);

/** Read the available samples. */
struct error *ring_client_read(struct ring_client *ring);

/** The next record, valid until the next call; false: there is none before the next read. */
bool ring_client_next(struct ring_client *ring, struct record *ret);

#endif
