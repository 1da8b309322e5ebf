/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSFS_EVENTS_H
#define WPERF_CATALOG_LINUX_SYSFS_EVENTS_H

/**
 * Reads the events that PMUs publish in sysfs. Each PMU has a folder with small files: `type`,
 * `format/<term>`, `events/<event>` (a line of terms), `events/<event>.unit` and `.scale`.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"

struct string_builder;
struct sysfs_pmu;

/** Add the formats of the files in format/. @pmu_fd: of the PMU's folder. */
struct error *sysfs_events_read_formats(int pmu_fd, struct sysfs_pmu *pmu);

/**
 * Append the events of all PMUs below @sysfs to the catalog, as `<pmu>/<event>/`, by name. Events
 * that cannot be used are left out, with a line in @notes.
 */
struct error *sysfs_events_load(struct catalog *catalog, const char *sysfs,
				struct string_builder *notes);

#endif
