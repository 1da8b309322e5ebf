/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_MEMORY_ACCESS_H
#define WPERF_INTERPRETER_MEMORY_ACCESS_H

/** May this user read the memory of processes, which interpreted stacks need? */

#include "base/error.h"
#include "source/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * NULL if the memory of all these processes can be read; else the reason, with a hint.
 * @stops: stopping their threads must be allowed, too. @pids: none: processes that wperf starts.
 */
struct error *memory_access_check(bool stops, const uint32_t *pids, size_t num_pids);

/** Adds to `detect` what is allowed for running processes. @language: as users read it. */
struct error *memory_access_probe(const char *language, struct probe *probe);

#endif
