/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_UNCORE_DSU_H
#define WPERF_DRIVER_CORE_UNCORE_DSU_H

/** DynamIQ shared unit: the cache of a cluster of CPUs, with counters of its own. */

#include <stdbool.h>

struct driver_core;

/** The CPU that looks after a cluster: its first. */
unsigned driver_dsu_cpu(const struct driver_core *core, unsigned cluster);

/** False: there is no DSU, or this CPU is in no cluster. */
bool driver_dsu_find_cluster(const struct driver_core *core, unsigned cpu, unsigned *ret_cluster);

/** Event counters that every cluster has; 0 without a DSU. */
unsigned driver_dsu_count_counters(const struct driver_core *core);

#endif
