// SPDX-License-Identifier: Apache-2.0

#include "session/setup/crowded_target.h"

#include "base/cleanup.h"
#include "process/pid_list.h"
#include "process/system/process_list.h"
#include "source/prompt_thread.h"

// All threads count, also those that sleep now, as they may be busy in a moment. Errors in the list
// of processes are dropped: the command reports them when it opens the processes.

enum { CROWD = 200 }; // threads; were all of them busy, few machines had a core for each

void crowded_target_precede(const char *pids)
{
	_cleanup_free_ uint32_t *list = NULL;
	size_t num_pids = 0, num = 0;
	if (!pids)
		return;
	error_destroy(pid_list_parse(pids, &list, &num_pids));
	for (size_t i = 0; i < num_pids; i++) {
		_cleanup_free_ uint32_t *tids = NULL;
		size_t num_threads = 0;
		error_destroy(process_list_threads(list[i], &tids, &num_threads));
		num += num_threads;
	}
	if (num >= CROWD)
		prompt_thread_precede();
}
