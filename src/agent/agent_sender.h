/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_AGENT_SENDER_H
#define WPERF_AGENT_AGENT_SENDER_H

/** Sends what is in the spool to a server, the oldest first, one request at a time. */

#include "agent/spool.h"
#include "base/text/string_builder.h"

#include <stdbool.h>
#include <stdint.h>

struct agent_sender_config {
	const char *url;        /* where requests are posted; NULL: nothing is sent */
	const char *token_file; /* read before each request; or NULL */
	const char *token;      /* without a file; a right one (bearer_token.h), or NULL */
	bool is_verbose;
	struct spool *spool;          /* must outlive the sender, as the next */
	struct string_builder *notes; /* gets lines for the user */
};

struct agent_sender;

/** @ret: set only on success. */
struct error *agent_sender_create(const struct agent_sender_config *config,
				  struct agent_sender **ret);

/** Accepts NULL. Waits for a request that is on its way. */
void agent_sender_destroy(struct agent_sender *sender);

/** Never waits: take an answer that has come, and send the next request, if it is time. */
struct error *agent_sender_step(struct agent_sender *sender);

/**
 * At the end: send what waits, in at most @limit_ns; also after a request to stop. The first
 * failure ends it, without another try.
 * @ret_is_sent: nothing waits any more, and nothing was refused meanwhile.
 * @ret_reason: why not; NULL if it is sent. Valid until the next call.
 */
struct error *agent_sender_flush(struct agent_sender *sender, uint64_t limit_ns, bool *ret_is_sent,
				 const char **ret_reason);

#endif
