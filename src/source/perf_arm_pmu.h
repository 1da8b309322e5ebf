/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_ARM_PMU_H
#define WPERF_SOURCE_PERF_ARM_PMU_H

/**
 * Which of the common events (those that PMCEID has a bit for) the PMU of Arm cores has, as the
 * kernel tells. Opening one says nothing: the kernel opens every code, and one that the PMU does
 * not have counts 0. Of the other events nobody knows.
 */

#include "base/error.h"
#include "catalog/catalog.h"
#include "source/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_arm_events {
	uint64_t low, high; /* bit i: code i, code 0x4000 + i */
};

/**
 * The events of the PMU of this name, or, if it is NULL, of all PMUs of Arm cores.
 * @kernel: has the events of sysfs.
 */
struct perf_arm_events perf_arm_events_of(const struct catalog *kernel, const char *pmu);

/** It is a common event and the kernel does not find it; false if it finds none at all. */
bool perf_arm_events_lack(const struct perf_arm_events *events, uint64_t code);

/** Is this folder below /sys/bus/event_source/devices the PMU of Arm cores? */
bool perf_arm_pmu_is(const char *name);

/** Add what the PMU @name below @sysfs has of the table of its @cpu. */
struct error *perf_arm_pmu_probe(const char *sysfs, const char *name, const struct cpu *cpu,
				 struct probe *probe);

#endif
