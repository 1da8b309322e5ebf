/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_STAT_DERIVED_H
#define WPERF_REPORT_STAT_DERIVED_H

/**
 * What a count of the kernel's events means beside the others: CPUs utilized, instructions per
 * cycle, shares, rates per second of CPU time.
 */

#include "base/container/arena.h"
#include "base/error.h"
#include "catalog/catalog_tables.h"
#include "view/stat_report.h"

/**
 * Set stat_event.derived of all @events, which are those of the section, to texts of this count;
 * empty where there is nothing to say.
 */
struct error *derived_fill(const struct catalog *catalog, const struct stat_section *section,
			   struct stat_event *events, uint64_t elapsed_ns, struct arena *arena);

#endif
