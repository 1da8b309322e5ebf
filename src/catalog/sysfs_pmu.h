/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SYSFS_PMU_H
#define WPERF_CATALOG_SYSFS_PMU_H

/**
 * How a PMU that the kernel describes in sysfs wants its events: the terms that it takes, which
 * bits of perf_event_attr each of them fills, and the encoding of a line of terms.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SYSFS_PMU_NUM_CONFIGS = 3, /* attr.config, config1, config2 */
	SYSFS_PMU_TERM_MAX = 64,
};

/** What a term fills. */
struct sysfs_format {
	char name[SYSFS_PMU_TERM_MAX];
	unsigned config; /* 0 to 2 */
	uint64_t mask;   /* the bits of a value go to the bits set here, lowest first */
};

struct sysfs_pmu {
	uint32_t type;
	struct sysfs_format *formats;
	size_t num_formats, cap_formats;
};

#define SYSFS_PMU_INIT \
	{              \
	}

/**
 * Add the format file @name with the text @text: `config:0-7,32-35`.
 * A format that we cannot use is left out: events that need it cannot be encoded.
 */
struct error *sysfs_pmu_add_format(struct sysfs_pmu *pmu, const char *name, const char *text);

/**
 * Encode the text of an event: `event=0x3c,umask=0x1`. A term without a value is 1.
 * False if a term is not known, its value does not fit or is to be chosen by the user (`?`); then
 * @ret is not touched.
 */
bool sysfs_pmu_encode(const struct sysfs_pmu *pmu, const char *terms,
		      uint64_t ret[SYSFS_PMU_NUM_CONFIGS]);

void sysfs_pmu_deinit(struct sysfs_pmu *pmu);

#endif
