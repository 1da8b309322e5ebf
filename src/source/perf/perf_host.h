/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_HOST_H
#define WPERF_SOURCE_PERF_PERF_HOST_H

/** What this Linux kernel can count, found by opening events and reading /proc and /sys. */

#include "base/error.h"
#include "source/perf/perf_attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** Where a trial event counts. */
enum perf_scope {
	PERF_OWN_USER_CODE,
	PERF_OWN_KERNEL_CODE,
	PERF_WHOLE_CORE,
};

/** Open and close one event. 0, or the errno of the kernel. */
int perf_host_try(uint32_t type, uint64_t config, enum perf_scope scope);

/** Can this user count cycles of the CPU? 0, or the errno. */
int perf_host_try_cycles(void);

/** Is that forbidden for this user, so that it is not known whether the CPU could? */
bool perf_host_forbids_cycles(void);

/** How many CPU events fit into one group; 0 if there is no CPU PMU. */
unsigned perf_host_count_counters(void);

/** kernel.perf_event_paranoid, or INT_MIN if it cannot be read: no perf events in this kernel. */
int perf_host_paranoid(void);

/** Has this process CAP_PERFMON, as root has? */
bool perf_host_has_perfmon(void);

/** The kernel's maximum sampling frequency in Hz. */
uint32_t perf_host_max_frequency(void);

bool perf_host_is_virtual(void);

/** Is there a PMU of this name below /sys/bus/event_source/devices? */
bool perf_host_has_pmu(const char *name);

/** Its perf_event_attr.type, or -1. */
int perf_host_pmu_type(const char *name);

/** The first core on which this PMU counts; 0 if sysfs does not list them. */
unsigned perf_host_first_core(const char *pmu);

unsigned perf_host_num_cores(void);

/** Only online cores can count. */
bool perf_host_core_is_online(unsigned core);

/** The cores' PMUs below /sys/bus/event_source/devices. */
void perf_host_cpu_types(struct perf_cpu_types *ret);

/**
 * The cores on which the kernel counts what a PMU outside of the cores counts: one for each
 * package, die or whatever has such a unit. False: any core, or it is not said.
 * @type: attr.type.
 */
bool perf_host_unit_cores(uint32_t type, cpu_set_t *ret);

/** The kernel's name of a thread; empty if it has ended. */
void perf_host_thread_name(pid_t thread, char *name, int size);

/** The process of a thread; 0 if it has ended. */
uint32_t perf_host_process_of(uint32_t thread);

/** MIDR_EL1 of an Arm core; 0 on other machines. */
uint64_t perf_host_midr(unsigned core);

/** "Intel(R) Xeon(R) Processor", "GenuineIntel"; NULL if /proc/cpuinfo does not have it. */
struct error *perf_host_cpuinfo(const char *key, char **ret);

extern const char perf_host_sysfs[];

#endif
