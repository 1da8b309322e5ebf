/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_SPE_SAMPLING_H
#define WPERF_SOURCE_PERF_SPE_SAMPLING_H

/**
 * SPE on all cores of a recording: an AUX area for each, whose samples come in the order of time
 * core by core. The kernel hands an area out when half of it is full, or at the end, so they may be
 * older than records of rounds before.
 */

#include "record/spe_file_head.h"
#include "record/spe_trace.h"
#include "source/perf_spe.h"
#include "source/perf_spe_pmu.h"
#include "source/sample_plan.h"

struct perf_spe_sampling {
	const struct perf_spe_pmu *pmu; /* outlives this */
	struct perf_spe_context context;
	struct running_threads threads;
	struct perf_spe *cores;
	size_t num_cores, max_cores;
	size_t current; /* the core whose records come */
	struct spe_file_head head;
};

/** @event: the number of its samples' event. @ret: by perf_spe_sampling_destroy(). */
struct error *perf_spe_sampling_create(const struct perf_spe_pmu *pmu, uint32_t event,
				       const struct sample_plan *plan,
				       struct perf_spe_sampling **ret);

/** Map the area of a core beside the ring of its event. */
struct error *perf_spe_sampling_map(struct perf_spe_sampling *sampling, unsigned core, int fd,
				    struct perf_event_mmap_page *page, size_t ring_bytes);

/** Before a round's look at the rings. */
void perf_spe_sampling_look(struct perf_spe_sampling *sampling);

/** Every record of the rings. @core: whose ring beside an area it came from; -1: another's. */
struct error *perf_spe_sampling_note(struct perf_spe_sampling *sampling, int core,
				     const struct record *record);

/** What a file needs before the first other record; false: all was given. */
bool perf_spe_sampling_introduce(struct perf_spe_sampling *sampling, struct record *ret);

/** The next record of the round; false: no more. @ret lives until the next call. */
bool perf_spe_sampling_next(struct perf_spe_sampling *sampling, struct record *ret);

/** What was there, and what lacks. */
struct spe_trace_totals perf_spe_sampling_totals(const struct perf_spe_sampling *sampling);

/** The rings are still mapped. Accepts NULL. */
void perf_spe_sampling_destroy(struct perf_spe_sampling *sampling);
static inline void perf_spe_sampling_destroyp(struct perf_spe_sampling **sampling)
{
	perf_spe_sampling_destroy(*sampling);
}

#endif
