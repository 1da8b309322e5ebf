/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_PERF_PERF_SPE_SAMPLING_H
#define WPERF_SOURCE_PERF_PERF_SPE_SAMPLING_H

/**
 * SPE on all cores of a recording, with an AUX area for each. Samples are in time order on each
 * core. The kernel reports the data of an area when it is half full, or at the end, so samples may
 * be older than records of earlier rounds.
 */

#include "record/spe/spe_file_head.h"
#include "record/spe/spe_trace.h"
#include "source/perf/perf_spe.h"
#include "source/perf/perf_spe_pmu.h"
#include "source/sample_plan.h"

struct perf_spe_sampling {
	const struct perf_spe_pmu *pmu; /* outlives this */
	struct perf_spe_context context;
	struct running_threads threads;
	struct perf_spe *cores;
	size_t num_cores, max_cores;
	size_t area_bytes;      /* of each core; change it only while none is mapped */
	bool are_areas_reduced; /* because the kernel refused larger ones */
	size_t current;         /* the core whose records are read */
	struct spe_file_head head;
};

/** @event: the number of the samples' event. */
struct error *perf_spe_sampling_create(const struct perf_spe_pmu *pmu, uint32_t event,
				       const struct sample_plan *plan,
				       struct perf_spe_sampling **ret);

/** Map the area of a core, after the ring of its event. 0, or the errno. */
int perf_spe_sampling_map(struct perf_spe_sampling *sampling, unsigned core, int fd,
			  struct perf_event_mmap_page *page, size_t ring_bytes);

/** Unmap the areas of all cores, whose rings are still mapped. */
void perf_spe_sampling_unmap(struct perf_spe_sampling *sampling);

/** Call it before the rings are read in a round. */
void perf_spe_sampling_look(struct perf_spe_sampling *sampling);

/** Call it with each record of the rings. @core: whose area's ring has it; -1: another ring. */
struct error *perf_spe_sampling_note(struct perf_spe_sampling *sampling, int core,
				     const struct record *record);

/** The next record that must precede all others in a file; false: there are no more. */
bool perf_spe_sampling_introduce(struct perf_spe_sampling *sampling, struct record *ret);

/** The next record of the round, valid until the next call; false: there are no more. */
bool perf_spe_sampling_next(struct perf_spe_sampling *sampling, struct record *ret);

/** How much data was read, and lost. */
struct spe_trace_totals perf_spe_sampling_totals(const struct perf_spe_sampling *sampling);

/** Call it before the rings are unmapped. Accepts NULL. */
void perf_spe_sampling_destroy(struct perf_spe_sampling *sampling);
static inline void perf_spe_sampling_destroyp(struct perf_spe_sampling **sampling)
{
	perf_spe_sampling_destroy(*sampling);
}

#endif
