/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_UNSAMPLED_NOTES_H
#define WPERF_REPORT_NOTES_UNSAMPLED_NOTES_H

/**
 * What a recording lacks: processes that ended too soon for a sample, if they matter, programs that
 * Linux does not sample for this user, and samples that its timer skipped.
 */

#include "session/profile_builder.h"
#include "source/sample_plan.h"
#include "view/json/json_writer.h"

#include <stdio.h>

/** Of processes that ran before (-p): why there may be no sample at all. */
void unsampled_notes_print_attached(const struct sample_totals *samples, FILE *stream);

/** @event: the name of the first event. */
void unsampled_notes_print(const struct sample_totals *samples,
			   const struct profile_builder_totals *totals, const char *event,
			   FILE *stream);

/** The same as a member of an object; nothing if there are no notes. */
void unsampled_notes_write_json(const struct sample_totals *samples,
				const struct profile_builder_totals *totals, const char *event,
				struct json_writer *json);

#endif
