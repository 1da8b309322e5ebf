/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_ATTACHED_PROBE_COST_H
#define WPERF_SOURCE_MEMORY_ATTACHED_PROBE_COST_H

/** How much slower probes at its allocator make a process, measured before it is sampled. */

#include "base/error.h"
#include "source/bpf/bpf_allocations.h"

#include <stddef.h>
#include <stdint.h>

/** Of a process that was probed for a moment. */
struct probe_cost {
	uint32_t pid;
	double ns_of_call;     /* that a probe takes on this machine */
	double calls_a_second; /* of its allocator */
	double percent;        /* of CPU time that the process takes more, with all its probes */
};

/** What a probe takes here: measured with calls of our own. */
struct error *probe_cost_calibrate(struct bpf_allocations *allocations, double *ret_ns);

/**
 * Watch processes whose probes are attached for a fifth of a second.
 * @costs: their pids are given, the rest is measured. An error if one of them ends meanwhile.
 */
struct error *probe_cost_measure(struct bpf_allocations *allocations, double ns_of_call,
				 struct probe_cost *costs, size_t num);

/** @hits_ns: time in probes. @cpu_ns: of the process, with these. A share of 100 % or more, which
 *  only inexact clocks give, is taken for just below. */
double probe_cost_percent(double hits_ns, double cpu_ns);

#endif
