/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_SAMPLE_SAMPLE_RESULT_H
#define WPERF_REPORT_SAMPLE_SAMPLE_RESULT_H

/** What came of a run of `sample` or `record`: tables and JSON of its profile, and notes. */

#include "profile/spe/spe_by_name.h"
#include "report/interpreted_tables.h"
#include "report/output.h"
#include "report/sample/sample_seconds.h"
#include "report/sample/sample_tables.h"
#include "report/sample/thread_table.h"
#include "report/spe/spe_counts.h"
#include "report/spe/spe_tables.h"
#include "session/sampling.h"
#include "session/setup/sample_setup.h"

/** What is shown, and where. */
struct sample_result_request {
	struct sample_tables_request tables;
	uint32_t rows_beside_interpreted; /* of the native table, where tables of interpreted code
					     come first */
	const struct spe_choice *spe;     /* a report on SPE beside the rest; or NULL */
	const char *source_file;          /* interpreted, with its hits line by line; or NULL */
	bool shows_seconds;               /* of the run: a mark for each */
	struct output_request output;
};

struct sample_result {
	const struct sample_result_request *request;
	const struct sample_setup *setup;
	const struct sampling *sampling;
	const struct sample_seconds *seconds;
	struct symbolizer *symbolizer;
	/* set by sample_result_take() */
	struct named_profile profile;
	struct profile_builder_totals totals;
	/* private */
	struct interpreted_tables interpreted; /* without events if there is no such code */
	struct frame_snapshot_totals snapshots;
	struct named_profile by_name; /* with SPE: what happened to operations are its events */
	struct spe_counts spe_counts; /* likewise */
	struct thread_table threads;
};

/**
 * Take the profile out of the setup's recording, and sum up what the tables need. The members above
 * are set, and outlive @result, which is ended with sample_result_deinit() also after a failure.
 */
struct error *sample_result_take(struct sample_result *result);

/** The profile alone, without the request, for those who want no tables. */
struct error *sample_result_take_profile(struct sample_result *result);

/** Write tables and JSON to the output. */
struct error *sample_result_write(struct sample_result *result);

/** Where the result is less than was asked for. */
struct error *sample_result_print_notes(const struct sample_result *result, FILE *stream);

void sample_result_deinit(struct sample_result *result);

#endif
