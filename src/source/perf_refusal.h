/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_REFUSAL_H
#define WPERF_SOURCE_PERF_REFUSAL_H

/** perf_event_open said no: to what, why, and what to do about it. */

#include "base/error.h"
#include "source/perf_attr.h"
#include "source/perf_targets.h"

#include <stdbool.h>

struct perf_refusal {
	int errnum;
	const char *event; /* name */
	const struct perf_event_attr *attr;
	enum perf_counter counter;
	const struct perf_target *target;
	bool is_member;   /* of a group, behind its leader */
	size_t num_files; /* that the whole counting needs */
};

struct error *perf_refusal_error(const struct perf_refusal *refusal);

/** Is it only this event that cannot be counted on this machine? */
bool perf_refusal_spares_others(const struct perf_refusal *refusal);

#define PERF_HINT_CAPABILITY "give wperf CAP_PERFMON (setcap cap_perfmon+ep)"
#define PERF_HINT_CONTAINER                                                                   \
	"run the container with a seccomp profile that allows it (docker: --cap-add PERFMON " \
	"--security-opt seccomp=unconfined)"
#define PERF_HINT_NO_PMU                                                                        \
	"count on a machine with a PMU, or give this one a virtual PMU; --source sim plays an " \
	"Arm PMU on any machine"

#endif
