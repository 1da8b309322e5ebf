/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_CORE_PMU_EVENTS_H
#define WPERF_CATALOG_LINUX_CORE_PMU_EVENTS_H

/** The events of each PMU of a machine with several kinds of cores, beside those of sysfs. */

#include "base/error.h"
#include "catalog/catalog_tables.h"

#include <stdbool.h>

/**
 * Append `PMU/EVENT/` for each of catalog->core_pmus: the generic events, if @with_generic, and
 * those of the table of its cores. What sysfs has by that name stays.
 */
struct error *core_pmu_events_load(struct catalog *catalog, bool with_generic);

#endif
