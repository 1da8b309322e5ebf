/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SYSFS_EVENTS_H
#define WPERF_CATALOG_SYSFS_EVENTS_H

/**
 * The events that PMUs publish in sysfs, one folder per PMU with small files: `type`,
 * `format/<term>`, `events/<event>` (a line of terms), `events/<event>.unit` and `.scale`.
 */

#include "base/error.h"
#include "catalog/catalog.h"

struct string_builder;
struct sysfs_pmu;

/** Add what the files of format/ say. @pmu_fd: of the PMU's folder. */
struct error *sysfs_events_read_formats(int pmu_fd, struct sysfs_pmu *pmu);

/**
 * Append the events of all PMUs below @sysfs to the catalog, as `<pmu>/<event>/`, in order of
 * name. What cannot be used is left out and gets a line in @notes.
 */
struct error *sysfs_events_load(struct catalog *catalog, const char *sysfs,
				struct string_builder *notes);

#endif
