/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_FILTER_H
#define WPERF_SOURCE_ETW_ETW_FILTER_H

/**
 * Which records of a session are wanted: a session records the whole machine, in all modes. Without
 * -k, samples in the kernel are left out, as the Linux kernel does it. But threads always leave
 * their CPU in the kernel: samples of absences get the first user address as theirs.
 */

#include "source/etw/etw_targets.h"

/** What is wanted of the samples of an event. */
struct etw_filter_event {
	bool user, kernel;
	bool is_absences; /* time off the CPU */
};

struct etw_filter {
	struct etw_targets *targets;
	const struct etw_filter_event *events; /* by record.event */
	size_t num_events;
	bool has_callers;
	bool kernel; /* callers in the kernel are wanted, too */
};

/** The next record of all, in order of time; changed to what is wanted of it. */
struct error *etw_filter_take(const struct etw_filter *filter, struct record *record,
			      bool *ret_is_wanted);

#endif
