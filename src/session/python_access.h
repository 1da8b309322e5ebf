/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_ACCESS_H
#define WPERF_SESSION_PYTHON_ACCESS_H

/** May this user look into processes, as their Python takes? */

#include "base/error.h"
#include "source/probe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * NULL if the memory of all these can be read, else why not, and what would help.
 * @stops: their threads are to be stopped, too. @pids: none: what we start.
 */
struct error *python_access_check(bool stops, const uint32_t *pids, size_t num_pids);

/** What there is of processes that run already. */
struct error *python_access_probe(struct probe *probe);

#endif
