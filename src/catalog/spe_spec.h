/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SPE_SPEC_H
#define WPERF_CATALOG_SPE_SPEC_H

/**
 * The "event" arm_spe_0/filter=value,.../ of Arm's statistical profiling extension. Which filters
 * there are a source says: those of WindowsPerf's driver are a table here, those of Linux stand in
 * sysfs. A request is the words of perf_event_attr that the Linux kernel takes them in, for all.
 */

#include "base/error.h"
#include "catalog/sysfs_pmu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SPE_PERIOD = SYSFS_FORMAT_NUM_CONFIGS, /* not in a config: operations to one sample */
	SPE_NUM_CONFIGS,
	SPE_DEFAULT_PERIOD = 4096,
};

/** A filter, as `list` shows it. */
struct spe_filter_info {
	struct sysfs_format format; /* its name, and where its value goes */
	const char *alias;          /* or NULL */
	const char *title;          /* or NULL */
	bool is_extra;              /* beyond those that the messages name */
};

struct spe_filter_table {
	const struct spe_filter_info *filters;
	size_t num_filters;
	uint32_t min_period; /* that the hardware's maker recommends */
};

/** What the driver's requests can say; the table's min_period is the machine's. */
extern const struct spe_filter_info spe_driver_filters[];
extern const size_t spe_num_driver_filters;

/** Alias and title of a filter of this name, and its bits where Linux has them; or NULL. */
const struct spe_filter_info *spe_filter_find(const struct spe_filter_table *table,
					      const char *name);

/** The largest value. */
uint64_t spe_filter_max(const struct spe_filter_info *filter);

struct spe_filters {
	const char *spec;                  /* as it was said; not owned */
	uint64_t configs[SPE_NUM_CONFIGS]; /* of perf_event_attr; and the period, never 0 */
};

/** The value of a filter of the driver's table. */
uint64_t spe_filters_value(const struct spe_filters *filters, const char *name);

/** Does this -e ask for SPE at all (does it start with `arm_spe_0/`)? */
bool spe_spec_is(const char *spec);

/** @table: NULL: the machine has no SPE. @ret: set only on success. */
struct error *spe_spec_parse(const char *spec, const struct spe_filter_table *table,
			     struct spe_filters *ret);

#endif
