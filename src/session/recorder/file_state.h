/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_FILE_STATE_H
#define WPERF_SESSION_RECORDER_FILE_STATE_H

/** The begin of a file that does not begin with the run: what is known of processes by then. */

#include "session/recorder/used_modules.h"
#include "session/recording_file.h"

/**
 * @time_ns:    of the records that are added.
 * @has_places: each process gets a map of places in interpreted code, too.
 * @modules:    gets the same records; or NULL.
 */
struct error *file_state_write(struct recording_file *file, const struct process_table *processes,
			       uint64_t time_ns, bool has_places, struct used_modules *modules);

#endif
