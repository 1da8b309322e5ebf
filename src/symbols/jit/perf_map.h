/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_PERF_MAP_H
#define WPERF_SYMBOLS_JIT_PERF_MAP_H

/**
 * perf-PID.map: lines `START SIZE name` with hexadecimal numbers, written by a program about the
 * code that it makes. Lines of another form are left out.
 */

#include "symbols/code_map.h"

/** @text: NUL behind @size bytes; is changed, and @map keeps pointers into it. */
struct error *perf_map_parse(struct code_map *map, char *text, size_t size);

#endif
