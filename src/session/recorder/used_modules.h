/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_RECORDER_USED_MODULES_H
#define WPERF_SESSION_RECORDER_USED_MODULES_H

/** Which modules have code in the samples of a recording, found from its records alone: their build
 *  ids go into the file. */

#include "process/process_table.h"
#include "record/record.h"

struct used_modules {
	struct process_table processes;
	bool *used; /* by the number of the module */
	size_t cap_used;
};

#define USED_MODULES_INIT                        \
	{                                        \
		.processes = PROCESS_TABLE_INIT, \
	}

/** In the order of time. */
struct error *used_modules_add(struct used_modules *modules, const struct record *record);

/** After the last record: `used` has an item for each module. */
struct error *used_modules_complete(struct used_modules *modules);

/** No module has code in samples so far; what is known of processes stays. */
void used_modules_forget(struct used_modules *modules);

void used_modules_deinit(struct used_modules *modules);

#endif
