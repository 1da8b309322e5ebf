/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SPE_SPEC_H
#define WPERF_CATALOG_SPE_SPEC_H

/** The "event" arm_spe_0/filter=value,.../ of Arm's statistical profiling extension. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct spe_filters {
	bool load, store, branch;
	bool timestamps;
	uint16_t min_latency;
};

/** A filter, as `list` shows it. */
struct spe_filter_info {
	const char *name;
	const char *alias;
	uint16_t max;
	const char *title;
};

enum { NUM_SPE_FILTERS = 5 };
extern const struct spe_filter_info spe_filter_infos[NUM_SPE_FILTERS];

/** Does this -e ask for SPE at all (does it start with `arm_spe_0/`)? */
bool spe_spec_is(const char *spec);

/** @supported: does the machine have SPE? @ret: set only on success. */
struct error *spe_spec_parse(const char *spec, bool supported, struct spe_filters *ret);

#endif
