/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SYSFS_TERMS_H
#define WPERF_CATALOG_SYSFS_TERMS_H

/**
 * An event of a PMU by its terms, as perf takes them: `cpu/event=0x11,umask=2,name=x/`. Terms are
 * the PMU's own (its folder format/), an event that it publishes (events/), the registers config,
 * config1 and config2 as a whole, and name, period and freq.
 */

#include "base/error.h"
#include "catalog/catalog.h"

#include <stdbool.h>

/** What terms say of sampling; 0: nothing. */
struct sysfs_rate {
	uint64_t period;
	uint32_t frequency;
};

/** Has @word the form `pmu/terms/`? */
bool sysfs_terms_is(const char *word);

/**
 * Make the event of @word from what catalog->sysfs_folder says of the PMU.
 * @ret: NULL if it is no such word, or there is no such folder. Otherwise an unknown PMU or term is
 *       an error that names those there are.
 */
struct error *sysfs_terms_find(struct catalog *catalog, const char *word, const struct event **ret,
			       struct sysfs_rate *ret_rate);

#endif
