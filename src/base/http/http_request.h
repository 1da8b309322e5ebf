/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_HTTP_HTTP_REQUEST_H
#define WPERF_BASE_HTTP_HTTP_REQUEST_H

/**
 * One request by HTTP or HTTPS, and its answer. The other side's certificate is checked as the
 * system does it. On Linux by libcurl, which is loaded for it, on Windows by WinHTTP. Ctrl-C ends
 * it where it was installed (base/os/interrupt.h).
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct http_limits {
	uint64_t max_bytes;  /* of the answer */
	uint32_t total_ms;   /* from the request to the end of the answer */
	uint32_t silence_ms; /* until there is a connection, and while next to nothing comes */
};

struct http_answer {
	int status; /* 200: it is there, 404: it is not */
	bool is_too_large;
	uint64_t num_bytes;     /* that were written */
	uint32_t retry_after_s; /* seconds to wait before the next request; 0: no Retry-After */
};

struct http_request {
	const char *url;            /* http:// or https://, ASCII; other bytes as %XX */
	const char *const *headers; /* "Content-Encoding: gzip"; ends with NULL; or NULL. Without
				     * line ends: for the caller to check */
	const void *body;           /* NULL: GET, with a few redirections, none from HTTPS to HTTP;
				     * else POST, without any */
	size_t body_size;
	bool is_for_one; /* no redirections: it has a secret that only this server may see */
	bool (*is_unwanted)(void *data); /* called each second or so: true ends it; or NULL */
	void *data;
	bool goes_on; /* although there is a request to stop: what is sent at the end */
};

/**
 * @into: gets what came, whatever the status is; NULL only asks whether it is there.
 * @ret:  what the other side said. That it said nothing in time, or what came could not be
 *        written, is an error.
 */
struct error *http_request_send(const struct http_request *request,
				const struct http_limits *limits, FILE *into,
				struct http_answer *ret);

/** A file. */
static inline struct error *http_fetch(const char *url, const struct http_limits *limits,
				       FILE *into, struct http_answer *ret)
{
	return http_request_send(&(struct http_request){.url = url}, limits, into, ret);
}

#endif
