/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_SPOOL_H
#define WPERF_AGENT_SPOOL_H

/**
 * Requests that wait to be sent, as files of a folder: each is there as a whole, or not at all, and
 * survives a crash. The oldest are dropped when all together are too large. What is dropped is
 * counted, so that a store can say it: whatever kills the agent, at whatever point, each batch that
 * was sealed is in the folder, was sent, or is counted.
 *
 * "SEQUENCE-BATCHES.otlp.gz" is a request. So many batches would be lost with it: its own, and
 * those that were dropped before it and are counted in it. "SEQUENCE-BATCHES.dropped": so many were
 * lost, and no request counts them yet. "SEQUENCE.sent": nothing waits, and that request was the
 * last. "refused" has requests that a server refused, or that are damaged: the last
 * SPOOL_MAX_REFUSED. "agent-id" is a random number, that of this spool's agent for ever; one agent
 * has "lock".
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SPOOL_MAX_REFUSED = 32, SPOOL_AGENT_ID_SIZE = 16 + 1 };

struct spool;

/**
 * @folder: created if it is missing.
 * @max_bytes: of requests that wait.
 * @ret: set only on success.
 */
struct error *spool_open(const char *folder, uint64_t max_bytes, struct spool **ret);

/** Accepts NULL. */
void spool_close(struct spool *spool);

static inline void spool_closep(struct spool **spool)
{
	spool_close(*spool);
}

const char *spool_folder(const struct spool *spool);
const char *spool_agent_id(const struct spool *spool);

/** What the next request has to say: its sequence, which is larger than those that wait, and how
 *  many batches were lost before it. */
uint64_t spool_next_sequence(const struct spool *spool);
uint64_t spool_num_dropped(const struct spool *spool);

/**
 * Seal a request; it is on the disk when this returns. Then the oldest are dropped until the limit
 * is kept. On failure its batches are counted as dropped.
 */
struct error *spool_seal(struct spool *spool, const void *bytes, size_t size, uint32_t num_batches);

struct spool_totals {
	uint64_t num_waiting, num_bytes; /* requests in the folder */
	uint64_t num_refused;            /* requests that were set aside, since spool_open() */
};
struct spool_totals spool_totals(const struct spool *spool);

/**
 * The oldest request. It is not dropped before spool_end_sending().
 * @ret_bytes: to be freed. NULL, on success: there is none. On an error it cannot be read, and was
 *             set aside.
 */
struct error *spool_begin_sending(struct spool *spool, void **ret_bytes, size_t *ret_size);

enum spool_verdict {
	SPOOL_SENT,    /* it has arrived: forget it */
	SPOOL_KEPT,    /* it is to be sent again */
	SPOOL_REFUSED, /* nobody will take it: set it aside */
};
void spool_end_sending(struct spool *spool, enum spool_verdict verdict);

#endif
