/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SPE_SPEC_H
#define WPERF_CATALOG_SPE_SPEC_H

/**
 * Parses arm_spe_0/filter=value,.../, the "event" of Arm's Statistical Profiling Extension. The
 * source determines the filters: WindowsPerf's driver has the table below, Linux has them in sysfs.
 * For all sources, the result has the layout of the kernel's perf_event_attr.
 */

#include "base/error.h"
#include "catalog/linux/sysfs_pmu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SPE_PERIOD = SYSFS_FORMAT_NUM_CONFIGS, /* not in a config: operations per sample */
	SPE_NUM_CONFIGS,
	SPE_DEFAULT_PERIOD = 4096,
};

/** A filter, as `list` shows it. */
struct spe_filter_info {
	struct sysfs_format format; /* its name, and the bits of its value */
	const char *alias;          /* or NULL */
	const char *title;          /* or NULL */
	bool is_extra;              /* not named in messages */
};

struct spe_filter_table {
	const struct spe_filter_info *filters;
	size_t num_filters;
	uint32_t min_period; /* that the hardware recommends */
};

/** The filters of the driver's requests; min_period depends on the machine. */
extern const struct spe_filter_info spe_driver_filters[];
extern const size_t spe_num_driver_filters;

/** The filter of this name; or NULL. */
const struct spe_filter_info *spe_filter_find(const struct spe_filter_table *table,
					      const char *name);

/** The largest value of a filter. */
uint64_t spe_filter_max(const struct spe_filter_info *filter);

struct spe_filters {
	const char *spec;                  /* as the user typed it; not owned */
	uint64_t configs[SPE_NUM_CONFIGS]; /* of perf_event_attr; and the period, never 0 */
};

/** The value of a filter of the driver's table. */
uint64_t spe_filters_value(const struct spe_filters *filters, const char *name);

/** Is this -e for SPE? (It starts with `arm_spe_0/`.) */
bool spe_spec_is(const char *spec);

/** @table: NULL: the machine has no SPE. @ret: set only on success. */
struct error *spe_spec_parse(const char *spec, const struct spe_filter_table *table,
			     struct spe_filters *ret);

#endif
