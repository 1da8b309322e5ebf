/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_SAMPLING_H
#define WPERF_SOURCE_ETW_ETW_SAMPLING_H

/**
 * Samples by ETW: those of the plan's events, processes, threads and cores, out of all that Windows
 * records. They come after the stop, or, if the plan is live, about half a second after they
 * happened.
 */

#include "source/etw/etw_events.h"
#include "source/etw/etw_recording.h"
#include "source/etw/etw_targets.h"
#include "source/sample_plan.h"

struct etw_sampling {
	const struct etw_calls *calls;
	struct etw_events events;
	struct etw_targets targets;
	struct etw_recording recording;
	bool has_callers, kernel; /* see sample_plan */
	bool is_running, is_live;
	uint64_t next_look_ns; /* with is_live: when the file is read again */
	uint64_t num_samples;
};

#define ETW_SAMPLING_INIT \
	{                 \
	}

struct error *etw_sampling_open(struct etw_sampling *sampling, const struct etw_calls *calls,
				const struct etw_sources *sources, const struct sample_plan *plan,
				struct etw_notes *notes);
struct error *etw_sampling_start(struct etw_sampling *sampling);
struct error *etw_sampling_stop(struct etw_sampling *sampling);
struct error *etw_sampling_wait(struct etw_sampling *sampling, uint64_t timeout_ns, int fd);
struct error *etw_sampling_next(struct etw_sampling *sampling, struct record *ret, bool *ret_more);
struct sample_totals etw_sampling_totals(const struct etw_sampling *sampling);
void etw_sampling_close(struct etw_sampling *sampling);

#endif
