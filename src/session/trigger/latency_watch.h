/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_TRIGGER_LATENCY_WATCH_H
#define WPERF_SESSION_TRIGGER_LATENCY_WATCH_H

/** Waits for calls of functions that take longer than a limit; programs in the kernel time them.
 *  Linux only. */

#include "session/session.h"
#include "session/trigger/trigger_words.h"

#include <stdbool.h>
#include <stdint.h>

struct latency_watch;

/** The error says which right is missing, or that processes have other numbers in the kernel. */
struct error *latency_watch_create(struct latency_watch **ret);
/** Accepts NULL. */
void latency_watch_destroy(struct latency_watch *watch);

/** @session: with a catalog. @pids: "12,34"; NULL is refused. @number: of the trigger. */
struct error *latency_watch_add(struct latency_watch *watch, struct session *session,
				const char *pids, const struct trigger_words *words,
				uint32_t number);

/** Read what has come. */
void latency_watch_poll(struct latency_watch *watch);

/** Has a call been too long that is not settled? */
bool latency_watch_has(const struct latency_watch *watch, uint32_t number);

/** The trigger has fired for all that have come. */
void latency_watch_settle(struct latency_watch *watch, uint32_t number);

/** Of the longest of these: the thread, the time and its callers. Stays when it is settled, until
 *  the next poll. "": there was none. Names come from the process, and may hold anything. */
const char *latency_watch_reason(const struct latency_watch *watch, uint32_t number);

uint64_t latency_watch_num_lost(const struct latency_watch *watch);

#endif
