/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PROCESS_LIVES_H
#define WPERF_SESSION_PROCESS_LIVES_H

/**
 * Counts the processes that began and ended during a recording without a sample, and finds the
 * programs that Linux does not sample because they run with other rights than the user.
 */

#include "process/process_table.h"
#include "record/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROCESS_LIVES_MAX_NAMES = 4 };

struct process_lives {
	uint64_t num_ended;     /* that began during the recording, too */
	uint64_t num_unsampled; /* of these: without a sample */
	uint64_t unsampled_ns;  /* the sum of their lifetimes, which limits their CPU time */

	/**
	 * Programs whose exec took the events away: set-user-ID, set-group-ID, with file
	 * capabilities, or not readable. Their first different names.
	 */
	uint64_t num_barred;
	char barred[PROCESS_LIVES_MAX_NAMES][PROCESS_NAME_SIZE];
	size_t num_barred_names;
};

/** A sample of this process was taken. */
static inline void process_lives_sample(struct process *process)
{
	process->life.is_sampled = true;
}

/** Any other record, after it was applied to the table. */
struct error *process_lives_apply(struct process_lives *lives, struct process_table *table,
				  const struct record *record);

#endif
