/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSFS_TERMS_H
#define WPERF_CATALOG_LINUX_SYSFS_TERMS_H

/**
 * An event of a PMU by its terms, as in perf: `cpu/event=0x11,umask=2,name=x/`. Terms are those of
 * the PMU (its folder format/), its published events (events/), the whole registers config, config1
 * and config2, and name, period and freq.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"

#include <stdbool.h>

/** The terms for sampling; 0: not set. */
struct sysfs_rate {
	uint64_t period;
	uint32_t frequency;
};

/** Does @word have the form `pmu/terms/`? */
bool sysfs_terms_is(const char *word);

/**
 * Make the event of @word, by the PMU's description in catalog->sysfs_folder.
 * @ret: NULL if @word has another form, or there is no such folder. An unknown PMU or term is an
 *       error with the list of known ones.
 */
struct error *sysfs_terms_find(struct catalog *catalog, const char *word, const struct event **ret,
			       struct sysfs_rate *ret_rate);

#endif
