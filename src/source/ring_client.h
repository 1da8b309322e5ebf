/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_RING_CLIENT_H
#define WPERF_SOURCE_RING_CLIENT_H

/**
 * Sampling through the ring of the driver contract: each core's samples are read when there are
 * enough of them, and become records in the order of their times, one for each event that
 * overflowed, with thread and callers.
 *
 * A core samples all that runs there, whichever processes are in the plan.
 */

#include "record/record.h"
#include "record/time_conversion.h"
#include "source/sampled_events.h"

/** The place, what marks user code behind the kernel's, and callers. */
enum { RING_CHAIN_LENGTH = 2 + WPERF_RING_MAX_CALLERS };

/** What was read of a core, and is not a record yet. */
struct ring_queue {
	uint8_t *bytes;
	size_t start, size, cap;
};

struct ring_client {
	struct sampled_events events;
	struct wperf_ring_info info;
	struct time_conversion conversion;
	uint32_t fallback_pid; /* where the driver does not know */
	bool wants_chain;
	bool is_running;
	struct sample_totals totals;

	struct ring_queue *queues; /* of the n-th core */
	uint64_t until;            /* timer: samples up to then are all there */
	size_t next_event;         /* of the oldest sample */
	uint64_t chain[RING_CHAIN_LENGTH];
	uint8_t *answer; /* WPERF_MAX_OUTPUT bytes */
};

#define RING_CLIENT_INIT \
	{                \
	}

/**
 * Has the driver a ring that we know? That of WindowsPerf has none.
 * @ret: with version 0 if not.
 */
struct error *ring_client_ask(const struct driver_transport *transport,
			      struct wperf_ring_info *ret);

/** As sampled_events_open(). @info: of a ring. @fallback_pid: of samples that do not say. */
struct error *ring_client_open(struct ring_client *ring, const struct driver_transport *transport,
			       unsigned num_cores, const struct wperf_ring_info *info,
			       uint32_t fallback_pid, const struct sample_plan *plan);
void ring_client_close(struct ring_client *ring);

struct error *ring_client_start(struct ring_client *ring);

/** Stop all cores, and read what is left. */
struct error *ring_client_stop(struct ring_client *ring);

/** Read what there is. */
struct error *ring_client_read(struct ring_client *ring);

/** The next record; false: there is none before the next read. @ret lives until the next call. */
bool ring_client_next(struct ring_client *ring, struct record *ret);

#endif
