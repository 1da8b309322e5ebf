/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_HOST_H
#define WPERF_SOURCE_PERF_HOST_H

/**
 * What this Linux offers to count with: found by asking the kernel, by trying, and by reading
 * below /proc and /sys.
 */

#include "base/error.h"
#include "source/perf_attr.h"

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

/** Does the CPU count cycles for us? 0, or the errno. */
int perf_host_try_cycles(void);

/** Not this user, so nobody knows whether the CPU could. */
bool perf_host_forbids_cycles(void);

/** So many events of the CPU fit into one group; 0 if there is no CPU PMU. */
unsigned perf_host_count_counters(void);

/** kernel.perf_event_paranoid, or INT_MIN if it cannot be read: no perf events in this kernel. */
int perf_host_paranoid(void);

/** How often a second the kernel samples at most. */
uint32_t perf_host_max_frequency(void);

bool perf_host_is_virtual(void);

/** Does the PMU of this name stand below /sys/bus/event_source/devices? */
bool perf_host_has_pmu(const char *name);

/** Its perf_event_attr.type, or -1. */
int perf_host_pmu_type(const char *name);

/** The first core that this PMU counts on; 0 if it does not say. */
unsigned perf_host_first_core(const char *pmu);

unsigned perf_host_num_cores(void);

/** Only such a core can be counted on. */
bool perf_host_core_is_online(unsigned core);

/** The PMUs of the cores among those below /sys/bus/event_source/devices. */
void perf_host_cpu_types(struct perf_cpu_types *ret);

/** What the kernel calls the thread; empty if it is gone. */
void perf_host_thread_name(pid_t thread, char *name, int size);

/** The process that a thread is of; 0 if it is gone. */
uint32_t perf_host_process_of(uint32_t thread);

/** MIDR_EL1 of a core as the kernel of an Arm machine tells it; 0 on others. */
uint64_t perf_host_midr(unsigned core);

/** "Intel(R) Xeon(R) Processor", "GenuineIntel"; NULL if /proc/cpuinfo does not say. */
struct error *perf_host_cpuinfo(const char *key, char **ret);

extern const char perf_host_sysfs[];

#endif
