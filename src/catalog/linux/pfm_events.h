/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_PFM_EVENTS_H
#define WPERF_CATALOG_LINUX_PFM_EVENTS_H

/**
 * libpfm4's events of the current CPU, as `EVENT` or `EVENT:UMASK`. The library is loaded at run
 * time. Only tables of core PMUs are used: other PMUs publish their events in sysfs.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"

struct string_builder;

/**
 * Append them to the catalog. If there are none (no library, no PMU, or a CPU that the library does
 * not know), @notes gets a line with the reason.
 * @sysfs: where to check whether the kernel has a PMU of the CPU.
 */
struct error *pfm_events_load(struct catalog *catalog, const char *sysfs,
			      struct string_builder *notes);

#endif
