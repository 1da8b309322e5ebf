/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_DURATION_H
#define WPERF_BASE_DURATION_H

/**
 * Times of the command line: `2`, `1.5`, `250ms`, `3m`, `0.25h`, `1d`. A whole part without
 * leading zeros, at most two decimals, a unit of ms, s, m, h or d; seconds if there is none.
 */

#include <stdbool.h>
#include <stdint.h>

/** False if @text is not a time or does not fit; then @ret_ns is not touched. */
bool duration_parse(const char *text, uint64_t *ret_ns);

#endif
