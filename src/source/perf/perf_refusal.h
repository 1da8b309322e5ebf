/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_REFUSAL_H
#define WPERF_SOURCE_PERF_PERF_REFUSAL_H

/** Makes the error for a failed perf_event_open: for which event, why, and what to do. */

#include "base/error.h"
#include "base/os/privileges.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_targets.h"

#include <stdbool.h>

struct perf_refusal {
	int errnum;
	const char *event; /* name */
	const struct perf_event_attr *attr;
	enum perf_counter counter;
	const struct perf_target *target;
	bool is_member;   /* of a group, and not its leader */
	size_t num_files; /* that all events need */
};

struct error *perf_refusal_error(const struct perf_refusal *refusal);

/** Does the failure concern only this event, and not others on this machine? */
bool perf_refusal_spares_others(const struct perf_refusal *refusal);

#define PERF_HINT_CAPABILITY "give wperf CAP_PERFMON (" PRIVILEGES_HINT ")"
#define PERF_HINT_CONTAINER                                                                   \
	"run the container with a seccomp profile that allows it (docker: --cap-add PERFMON " \
	"--security-opt seccomp=unconfined)"
#define PERF_HINT_NO_PMU                                                                        \
	"count on a machine with a PMU, or give this one a virtual PMU; --source sim plays an " \
	"Arm PMU on any machine"

#endif
