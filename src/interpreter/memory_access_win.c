// SPDX-License-Identifier: Apache-2.0

#include "interpreter/memory_access.h"

#include "process/memory/process_memory.h"
#include "process/thread/thread_hold.h"

#include <stdio.h>

/** A process that wperf starts can always be read: the owner has this right on Windows. */
struct error *memory_access_check(bool stops, const uint32_t *pids, size_t num_pids)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_pids; i++) {
		err = process_memory_check(pids[i]);
		if (!err && stops)
			err = thread_hold_check(pids[i]);
	}
	return err;
}

struct error *memory_access_probe(const char *language, struct probe *probe)
{
	char ability[64];
	snprintf(ability, sizeof(ability), "%s of running programs", language);
	return probe_add_finding(probe, ability, PROBE_YES, "of this user, with -p", NULL);
}
