/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_FETCH_HTTP_FETCH_H
#define WPERF_OBJECT_FETCH_HTTP_FETCH_H

/**
 * One file by HTTP or HTTPS, with a few redirections, but none from HTTPS to HTTP; the other side's
 * certificate is checked as the system does it. On Linux by libcurl, which is loaded for it, on
 * Windows by WinHTTP. Ctrl-C ends it where it was installed (base/os/interrupt.h).
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct http_limits {
	uint64_t max_bytes;
	uint32_t total_ms;
	uint32_t silence_ms; /* until there is a connection, and while next to nothing comes */
};

struct http_answer {
	int status; /* 200: it is there, 404: it is not */
	bool is_too_large;
	uint64_t num_bytes; /* that were written */
};

/**
 * @url:  http:// or https://, of ASCII, with what is none of it as %XX.
 * @into: gets what came, whatever the status is; NULL only asks whether it is there.
 * @ret:  what the other side said. That it said nothing in time, or what came could not be
 *        written, is an error.
 */
struct error *http_fetch(const char *url, const struct http_limits *limits, FILE *into,
			 struct http_answer *ret);

#endif
