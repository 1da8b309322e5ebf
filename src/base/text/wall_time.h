/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_WALL_TIME_H
#define WPERF_BASE_TEXT_WALL_TIME_H

/**
 * Instants on the command line and in tables: `2h` (ago, as in duration.h), `2026-03-01`,
 * `2026-03-01T12:30`, `2026-03-01T12:30:05`, each also with a "Z", or `@1772368205`, seconds since
 * 1970. Times are UTC.
 */

#include <stdbool.h>
#include <stdint.h>

/** False if @text is no instant, or not between 1970 and 2262; then @ret_ns is not set. */
bool wall_time_parse(const char *text, uint64_t now_ns, uint64_t *ret_ns);

struct wall_time_text {
	char text[24]; /* 2026-03-01T12:30:05Z */
};

/** @ns: since 1970; parts of seconds are cut. */
struct wall_time_text wall_time_format(uint64_t ns);

#endif
