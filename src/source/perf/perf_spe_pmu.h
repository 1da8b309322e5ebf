/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_SPE_PMU_H
#define WPERF_SOURCE_PERF_PERF_SPE_PMU_H

/**
 * The PMU arm_spe_0 as sysfs describes it: its filters and their bits (format/), the capabilities
 * of the hardware (caps/), and its cores (cpumask). Filters that a new kernel adds to format/ work
 * without a change here.
 */

#include "base/error.h"
#include "catalog/spe_spec.h"
#include "source/perf/perf_attr.h"

#include <stdbool.h>

#define PERF_SPE_PMU_NAME "arm_spe_0"

struct perf_spe_pmu {
	uint32_t type; /* of perf_event_attr */
	struct spe_filter_info *filters;
	size_t num_filters, cap_filters;
	uint32_t min_period; /* that the hardware recommends; 0: not known */
	bool *has_core;      /* num_cores of them; NULL: all cores have it */
	size_t num_cores;
};

#define PERF_SPE_PMU_INIT \
	{                 \
	}

/** @sysfs: "/sys/bus/event_source/devices", or a test's. ERROR_ABSENT: there is none. */
struct error *perf_spe_pmu_read(const char *sysfs, struct perf_spe_pmu *ret);

/** Valid as long as @pmu. */
struct spe_filter_table perf_spe_pmu_filters(const struct perf_spe_pmu *pmu);

bool perf_spe_pmu_has_core(const struct perf_spe_pmu *pmu, unsigned core);

/** perf_event_attr of newer kernels: its last members are missing in the headers of the build. */
union perf_spe_attr {
	struct perf_event_attr attr;
	uint8_t bytes[144];
};

enum {
	PERF_SPE_ATTR_CONFIG3 = 128, /* Linux 6.3 */
	PERF_SPE_ATTR_CONFIG4 = 136,
};

/** Disabled; its size covers the members in use. */
union perf_spe_attr perf_spe_pmu_attr(const struct perf_spe_pmu *pmu,
				      const struct spe_filters *filters, bool kernel);

void perf_spe_pmu_deinit(struct perf_spe_pmu *pmu);

#endif
