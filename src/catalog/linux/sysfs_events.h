/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSFS_EVENTS_H
#define WPERF_CATALOG_LINUX_SYSFS_EVENTS_H

/**
 * Reads the events that PMUs publish in sysfs. Each PMU has a folder with small files: `type`,
 * `format/<term>`, `events/<event>` (a line of terms), `events/<event>.unit` and `.scale`.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"
#include "catalog/linux/sysfs_folder.h"

struct string_builder;
struct sysfs_pmu;

/** What one of an event's counts stands for. */
struct sysfs_measure {
	bool has_unit;
	char unit[SYSFS_TEXT_MAX + 1];
	double scale; /* 1 without a file */
};

/** The files beside that of an event. False if there is one that cannot be understood. */
bool sysfs_events_read_measure(int events_fd, const char *name, struct sysfs_measure *ret);

/** Add the formats of the files in format/. @pmu_fd: of the PMU's folder. */
struct error *sysfs_events_read_formats(int pmu_fd, struct sysfs_pmu *pmu);

/**
 * Append the events of all PMUs below @sysfs to the catalog, as `<pmu>/<event>/`, by name. Events
 * that cannot be used are left out, with a line in @notes.
 */
struct error *sysfs_events_load(struct catalog *catalog, const char *sysfs,
				struct string_builder *notes);

#endif
