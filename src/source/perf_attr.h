/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_ATTR_H
#define WPERF_SOURCE_PERF_ATTR_H

/** An event that was asked for, as the Linux kernel wants to be asked: struct perf_event_attr. */

#include "catalog/event_list.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who counts it; that decides what "user code only" means to it. */
enum perf_counter {
	PERF_COUNTER_CPU,    /* the PMU of a core: it knows user code from kernel code */
	PERF_COUNTER_KERNEL, /* the kernel: software events, tracepoints */
	PERF_COUNTER_OTHER,  /* interconnects, memory controllers, msr: they know no levels */
};

/** Which tasks are counted besides the one that is opened. */
enum perf_inherit {
	PERF_INHERIT_NOTHING,
	PERF_INHERIT_THREADS, /* that it starts from now on; Linux 5.13 */
	PERF_INHERIT_ALL,     /* processes, too */
};

enum { PERF_MAX_CPU_PMUS = 8 };

/** attr.type of the PMUs of the cores; the first is for codes without a PMU's name. */
struct perf_cpu_types {
	uint32_t types[PERF_MAX_CPU_PMUS];
	size_t num_types;
};

struct perf_attr_rules {
	const struct perf_cpu_types *cpu_types;
	bool kernel; /* kernel code of the CPU's events, too, where no modifier says otherwise */
	enum perf_inherit inherit;
};

/**
 * For counting, read as a group, off until somebody switches it on.
 * @request: of class EVENT_PERF or EVENT_CORE.
 */
struct perf_event_attr perf_attr_build(const struct event_request *request,
				       const struct perf_attr_rules *rules);

enum perf_counter perf_attr_counter(const struct perf_event_attr *attr,
				    const struct perf_cpu_types *cpu_types);

/** Does it happen in the kernel alone, so that it is never seen in user code? */
bool perf_attr_is_kernel_only(const struct perf_event_attr *attr);

/** Time of tasks or cores: to it all code is the same, whatever is excluded. */
bool perf_attr_is_clock(const struct perf_event_attr *attr);

#endif
