/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_TEXT_DURATION_H
#define WPERF_BASE_TEXT_DURATION_H

/**
 * Durations on the command line: `2`, `1.5`, `250ms`, `3m`, `0.25h`, `1d`. An integer without
 * leading zeros, at most two decimals, and a unit: ms, s (the default), m, h or d.
 */

#include <stdbool.h>
#include <stdint.h>

/** False if @text is not a duration or does not fit; then @ret_ns is not set. */
bool duration_parse(const char *text, uint64_t *ret_ns);

#endif
