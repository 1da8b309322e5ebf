/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_DELIVERY_H
#define WPERF_AGENT_DELIVERY_H

/** One request to the server, in a thread of its own, so that sampling goes on meanwhile. */

#include "base/error.h"
#include "base/http/http_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct delivery_request {
	const char *url;
	const char *token; /* for Authorization: Bearer; NULL: none */
	void *body;        /* the delivery's from now on, also on failure; compressed by gzip */
	size_t body_size;
	uint32_t total_ms; /* after that it is given up */
	bool goes_on;      /* although there is a request to stop */
};

struct delivery;

/** Texts are copied. @ret: set only on success; ended by delivery_end(). */
struct error *delivery_start(const struct delivery_request *request, struct delivery **ret);

bool delivery_is_over(const struct delivery *delivery);

/** Wait for the end, if it is not over. An error: the server said nothing. */
struct error *delivery_end(struct delivery *delivery, struct http_answer *ret);

/** What follows from the status of an answer. */
enum delivery_outcome {
	DELIVERY_ARRIVED,
	DELIVERY_AGAIN,     /* later */
	DELIVERY_FORBIDDEN, /* later, but somebody has to change something first */
	DELIVERY_REFUSED,   /* it will never be taken */
};
enum delivery_outcome delivery_outcome(int status);

/** When to try again after failures: each pause is twice as long as the one before, up to a limit,
 *  and of a random length between half of that and all of it, so that a server that comes back does
 *  not get the requests of all agents at once. */
struct delivery_pause {
	uint64_t length_ns; /* the last one; 0: nothing has failed since something arrived */
	uint64_t until_ns;
};

#define DELIVERY_FIRST_PAUSE_NS UINT64_C(1000000000)
#define DELIVERY_MAX_PAUSE_NS   (300 * DELIVERY_FIRST_PAUSE_NS)

/** @retry_after_s: of the answer; it counts where it is longer, up to an hour. @random: any. */
void delivery_pause_begin(struct delivery_pause *pause, uint64_t now_ns, uint32_t retry_after_s,
			  uint64_t random);

#endif
