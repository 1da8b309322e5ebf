/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_NOTES_INTERPRETED_NOTES_H
#define WPERF_REPORT_NOTES_INTERPRETED_NOTES_H

/** Where a recording has fewer interpreted lines than was asked for. */

#include "session/profile_builder.h"
#include "source/sample_plan.h"
#include "view/json/json_writer.h"

#include <stdio.h>

/**
 * @totals:   of the recording and of its snapshots, from before it was finished.
 * @language: of the interpreted code, as users read it.
 */
void interpreted_notes_print(const struct profile_builder *builder,
			     const struct sample_totals *samples,
			     const struct profile_builder_totals *totals,
			     const struct frame_snapshot_totals *snapshots, const char *language,
			     FILE *stream);

/** The same of stacks read in the kernel, as a member of an object; nothing if all are complete. */
void interpreted_notes_write_json(const struct sample_totals *samples, struct json_writer *json);

#endif
