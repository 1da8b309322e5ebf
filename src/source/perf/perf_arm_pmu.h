/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_ARM_PMU_H
#define WPERF_SOURCE_PERF_PERF_ARM_PMU_H

/**
 * Which common events (those with a bit in PMCEID) the PMU of Arm cores has, as the kernel reports.
 * Opening an event is no test: the kernel opens every code, and one that the PMU lacks counts 0. It
 * is not known which other events a PMU has.
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

/** Is it a common event that the kernel does not list? False if the kernel lists none at all. */
bool perf_arm_events_lack(const struct perf_arm_events *events, uint64_t code);

/** Is this folder below /sys/bus/event_source/devices the PMU of Arm cores? */
bool perf_arm_pmu_is(const char *name);

/** Add how many events of the table of @cpu the PMU @name below @sysfs has. */
struct error *perf_arm_pmu_probe(const char *sysfs, const char *name, const struct cpu *cpu,
				 struct probe *probe);

#endif
