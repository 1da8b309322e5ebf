/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SPE_PMU_H
#define WPERF_SOURCE_PERF_SPE_PMU_H

/**
 * arm_spe_0 as the Linux kernel describes it in sysfs: the filters that it takes and their bits
 * (format/), what its hardware can (caps/), and on which cores (cpumask). Whatever the kernel adds
 * to format/ can be said, without a change here.
 */

#include "base/error.h"
#include "catalog/spe_spec.h"
#include "source/perf_attr.h"

#include <stdbool.h>

#define PERF_SPE_PMU_NAME "arm_spe_0"

struct perf_spe_pmu {
	uint32_t type; /* of perf_event_attr */
	struct spe_filter_info *filters;
	size_t num_filters, cap_filters;
	uint32_t min_period; /* that the hardware's maker recommends; 0: not said */
	bool *has_core;      /* by number, num_cores of them; all have it if there are none */
	size_t num_cores;
};

#define PERF_SPE_PMU_INIT \
	{                 \
	}

/** @sysfs: "/sys/bus/event_source/devices", or a test's. ERROR_ABSENT: there is none. */
struct error *perf_spe_pmu_read(const char *sysfs, struct perf_spe_pmu *ret);

/** As long as the PMU. */
struct spe_filter_table perf_spe_pmu_filters(const struct perf_spe_pmu *pmu);

bool perf_spe_pmu_has_core(const struct perf_spe_pmu *pmu, unsigned core);

/** perf_event_attr of any kernel: the last members are newer than the headers that we build with.
 */
union perf_spe_attr {
	struct perf_event_attr attr;
	uint8_t bytes[144];
};

enum {
	PERF_SPE_ATTR_CONFIG3 = 128, /* Linux 6.3 */
	PERF_SPE_ATTR_CONFIG4 = 136,
};

/** Off until somebody switches it on; its size is that of the members in use. */
union perf_spe_attr perf_spe_pmu_attr(const struct perf_spe_pmu *pmu,
				      const struct spe_filters *filters, bool kernel);

void perf_spe_pmu_deinit(struct perf_spe_pmu *pmu);

#endif
