/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_ATTR_H
#define WPERF_SOURCE_PERF_PERF_ATTR_H

/** Converts a requested event to the kernel's struct perf_event_attr. */

#include "catalog/event_list.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who counts it, which decides whether "user code only" is possible. */
enum perf_counter {
	PERF_COUNTER_CPU,    /* the PMU of a core: distinguishes user and kernel code */
	PERF_COUNTER_KERNEL, /* the kernel: software events, tracepoints */
	PERF_COUNTER_PROBE,  /* the kernel, at a place in code: user or kernel code, as it is */
	PERF_COUNTER_OTHER,  /* interconnects, memory controllers, msr: do not distinguish them */
};

/** Which other tasks an event includes. */
enum perf_inherit {
	PERF_INHERIT_NOTHING,
	PERF_INHERIT_THREADS, /* that the task starts from now on; Linux 5.13 */
	PERF_INHERIT_ALL,     /* also processes */
};

enum { PERF_MAX_CPU_PMUS = 8, PERF_PMU_NAME_MAX = 64 };

/** The PMUs of cores, one for each kind; the first one is for codes without a PMU's name. */
struct perf_cpu_types {
	uint32_t types[PERF_MAX_CPU_PMUS]; /* attr.type */
	char names[PERF_MAX_CPU_PMUS][PERF_PMU_NAME_MAX];
	cpu_set_t cores[PERF_MAX_CPU_PMUS]; /* on which it counts */
	size_t num_types;
};

struct perf_attr_rules {
	const struct perf_cpu_types *cpu_types;
	bool kernel; /* CPU events include kernel code, unless a modifier says otherwise */
	enum perf_inherit inherit;
};

/**
 * For counting: read as a group, disabled at first.
 * @request: of class EVENT_PERF or EVENT_CORE.
 */
struct perf_event_attr perf_attr_build(const struct event_request *request,
				       const struct perf_attr_rules *rules);

/** @event: that the attributes are made of. */
enum perf_counter perf_attr_counter(const struct perf_event_attr *attr, const struct event *event,
				    const struct perf_cpu_types *cpu_types);

/** On a task: is it an event without a PMU's name, which the kernel counts on cores of only one of
 *  several PMUs? */
bool perf_attr_misses_cores(const struct perf_event_attr *attr,
			    const struct perf_cpu_types *cpu_types);

/**
 * The place in @cpu_types of the PMU that counts it, where there are several; -1: of no PMU in
 * particular, or there is only one.
 */
int perf_attr_core_pmu(const struct perf_event_attr *attr, const struct perf_cpu_types *cpu_types);

/** Does it happen only in the kernel, and never in user code? */
bool perf_attr_is_kernel_only(const struct perf_event_attr *attr);

/** Is it the time of tasks or cores, which includes all code even if some is excluded? */
bool perf_attr_is_clock(const struct perf_event_attr *attr);

#endif
