/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_PFM_EVENTS_H
#define WPERF_CATALOG_PFM_EVENTS_H

/**
 * The events that libpfm4 knows of the CPU at hand, as `EVENT` or `EVENT:UMASK`. The library is
 * looked for at run time; only tables of core PMUs are read, PMUs outside of the cores publish
 * their events in sysfs.
 */

#include "base/error.h"
#include "catalog/catalog.h"

struct string_builder;

/**
 * Append them to the catalog. If there are none (no library, no PMU, a CPU that the library does
 * not know), @notes gets a line that says why.
 * @sysfs: tells whether the kernel has a PMU of the CPU.
 */
struct error *pfm_events_load(struct catalog *catalog, const char *sysfs,
			      struct string_builder *notes);

#endif
