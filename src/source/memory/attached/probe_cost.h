/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_ATTACHED_PROBE_COST_H
#define WPERF_SOURCE_MEMORY_ATTACHED_PROBE_COST_H

/** How much slower probes at its allocator make a process, measured before it is sampled. */

#include "base/error.h"
#include "source/bpf/bpf_allocations.h"

#include <stddef.h>
#include <stdint.h>

/** What probes take on this machine. */
struct probe_prices {
	double ns_of_call;
	double ns_of_return; /* more, if a function is probed where it returns as well */
};

/** Of a process that was probed for a moment. */
struct probe_cost {
	uint32_t pid;
	double ns_of_call;     /* that its probes take for each call, on average */
	double calls_a_second; /* of its allocator */
	double percent;        /* of CPU time that the process takes more, with all its probes */
};

/** Measured with calls of our own. @has_returns: else nothing is probed where it returns. */
struct error *probe_cost_calibrate(struct bpf_allocations *allocations, bool has_returns,
				   struct probe_prices *ret);

/**
 * Watch processes whose probes are attached for a fifth of a second.
 * @costs: their pids are given, the rest is measured. An error if one of them ends meanwhile.
 */
struct error *probe_cost_measure(struct bpf_allocations *allocations,
				 const struct probe_prices *prices, struct probe_cost *costs,
				 size_t num);

/** @hits_ns: time in probes. @cpu_ns: of the process, with these. A share of 100 % or more, which
 *  only inexact clocks give, is taken for just below. */
double probe_cost_percent(double hits_ns, double cpu_ns);

#endif
