// SPDX-License-Identifier: Apache-2.0

#include "source/timer/task_look.h"

#include "base/cleanup.h"
#include "base/file/file_time.h"
#include "base/os/close_handle.h"

#include <windows.h>

bool task_files_open(uint32_t pid, uint32_t tid, struct task_files *ret)
{
	_cleanup_(close_handle) HANDLE thread =
		OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, tid);
	if (!thread || GetProcessIdOfThread(thread) != pid)
		return false;
	*ret = (struct task_files)TASK_FILES_INIT;
	ret->thread = take_ptr(thread);
	return true;
}

void task_files_close(struct task_files *files)
{
	close_handle(&files->thread);
	*files = (struct task_files)TASK_FILES_INIT;
}

bool task_files_clock(const struct task_files *files, struct task_clock *ret)
{
	FILETIME created, ended, kernel, user;
	if (!GetThreadTimes(files->thread, &created, &ended, &kernel, &user))
		return false;
	*ret = (struct task_clock){.time_ns = file_time_ns(user),
				   .kernel_ns = file_time_ns(kernel)};
	ULONG64 cycles;
	if (QueryThreadCycleTime(files->thread, &cycles))
		ret->cycles = cycles;
	return true;
}
