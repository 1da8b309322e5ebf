/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_EMULATE_EMULATED_SAMPLING_H
#define WPERF_SOURCE_EMULATE_EMULATED_SAMPLING_H

/** Samples in an emulated machine: its threads write records into a ring. */

#include "record/perf_data/perf_data.h"
#include "record/perf_data/perf_format.h"
#include "source/emulate/emulated_machine.h"
#include "source/perf/perf_ring.h"
#include "source/sample_plan.h"

struct emulated_sampling {
	struct region *region; /* NULL: nothing is sampled */
	struct perf_ring ring;
	size_t taken; /* size of the last record */
	struct perf_data_event *events;
	uint64_t *ids;
	struct perf_format *formats;
	struct perf_format_id *format_ids;
	size_t num_events;
	struct perf_formats decoding;
	struct sample_totals totals;
};

/** Fill in the region's config; the program must not have started. */
struct error *emulated_sampling_open(struct emulated_sampling *sampling,
				     struct emulated_machine *machine,
				     const struct sample_plan *plan);
void emulated_sampling_close(struct emulated_sampling *sampling);

void emulated_sampling_start(struct emulated_sampling *sampling);
void emulated_sampling_stop(struct emulated_sampling *sampling);

/** See struct source_ops. */
struct error *emulated_sampling_wait(struct emulated_sampling *sampling, uint64_t timeout_ns,
				     int fd);
struct error *emulated_sampling_next(struct emulated_sampling *sampling, struct record *ret,
				     bool *ret_more);

#endif
