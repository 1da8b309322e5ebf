/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_TRACEPOINT_H
#define WPERF_CATALOG_LINUX_TRACEPOINT_H

/** Tracepoints of the Linux kernel, `sched:sched_switch`. There are thousands: each is read when it
 *  is needed. */

#include "base/error.h"
#include "catalog/catalog_tables.h"

/**
 * Look up a tracepoint in catalog->tracing_folder and add it to the system events.
 * @ret: NULL if @name is not a tracepoint, or there is no such folder. A tracepoint that this user
 *       may not read is an error.
 */
struct error *tracepoint_find(struct catalog *catalog, const char *name, const struct event **ret);

/** For lists: add all of them, by name. Adds none if the folder is missing or not readable. */
struct error *tracepoint_add_all(struct catalog *catalog);

#endif
