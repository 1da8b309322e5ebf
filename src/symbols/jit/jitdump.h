/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_JITDUMP_H
#define WPERF_SYMBOLS_JIT_JITDUMP_H

/**
 * jit-PID.dump: what a just-in-time compiler tells of its code. Functions, where they were moved
 * to, and their lines; the code itself and how to unwind it are skipped.
 */

#include "symbols/code_map.h"

/**
 * A file whose end is missing gives what is before. @bytes: @map keeps pointers into them.
 * ERROR_FAILED if it is no such file.
 */
struct error *jitdump_parse(struct code_map *map, const void *bytes, size_t size);

#endif
