/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDING_COPY_H
#define WPERF_SESSION_RECORDING_COPY_H

/**
 * Writes a recording that is being read, of any format, as perf.data. Samples with registers and
 * copies of the stack get the call chains that were unwound from them. Traces of SPE cannot be
 * copied.
 */

#include "record/perf_data/perf_data.h"
#include "session/profile_builder.h"
#include "symbols/symbolizer.h"

struct recording_copy;

/** @info: of the recording, with its events. @is_anonymous: names of computers and users are left
 * out of the metadata, and of all paths. */
struct error *recording_copy_create(const char *path, const struct perf_data_info *info,
				    bool is_anonymous, struct recording_copy **ret);
void recording_copy_destroy(struct recording_copy *copy);
static inline void recording_copy_destroyp(struct recording_copy **copy)
{
	recording_copy_destroy(*copy);
}

/** @chain: of the record, if it is a sample. */
struct error *recording_copy_add(struct recording_copy *copy, const struct record *record,
				 struct profile_builder_chain chain);

/** Write the metadata and the names of all places, and close the file. */
struct error *recording_copy_finish(struct recording_copy *copy, const struct perf_data_info *info,
				    const struct symbolizer *names);

#endif
