/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_TRACEPOINT_H
#define WPERF_CATALOG_TRACEPOINT_H

/** Tracepoints of the Linux kernel, `sched:sched_switch`: there are thousands, so one at a time. */

#include "base/error.h"
#include "catalog/catalog.h"

/**
 * Look a tracepoint up in catalog->tracing_folder and add it to the system events.
 * @ret: NULL if @name is none, or the catalog has no such folder. One that is there but may not
 *       be read is an error.
 */
struct error *tracepoint_find(struct catalog *catalog, const char *name, const struct event **ret);

/** Add all of them, by name: for lists. None if the folder is not there or may not be read. */
struct error *tracepoint_add_all(struct catalog *catalog);

#endif
