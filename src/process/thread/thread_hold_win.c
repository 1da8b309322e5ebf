// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_hold.h"

#include "base/os/close_handle.h"
#include "base/os/win_error.h"
#include "process/system/process_list.h"

// SuspendThread() only requests the stop; GetThreadContext() waits until it has happened, and is
// called for this reason. The pid of the thread is compared after it was opened, as its number may
// belong to another thread by now.

enum { RIGHTS = THREAD_SUSPEND_RESUME | THREAD_GET_CONTEXT | THREAD_QUERY_LIMITED_INFORMATION };

static const DWORD failed = (DWORD)-1;

static bool thread_hold_suspend(HANDLE thread)
{
	if (SuspendThread(thread) == failed)
		return false;
	// The system stops it when it can; that its registers can be had says that it did.
	CONTEXT context = {.ContextFlags = CONTEXT_CONTROL};
	if (GetThreadContext(thread, &context))
		return true;
	ResumeThread(thread);
	return false;
}

bool thread_hold_begin(struct thread_hold *hold, uint32_t pid, uint32_t tid)
{
	_cleanup_(close_handle) HANDLE thread = OpenThread(RIGHTS, FALSE, tid);
	// A number may be another thread's by now. One of our own would wait for itself.
	if (!thread || GetProcessIdOfThread(thread) != pid || pid == GetCurrentProcessId() ||
	    !thread_hold_suspend(thread))
		return false;
	hold->pid = pid;
	hold->tid = tid;
	hold->thread = take_ptr(thread);
	return true;
}

void thread_hold_end(struct thread_hold *hold)
{
	ResumeThread(hold->thread);
	close_handle(&hold->thread);
	hold->tid = 0;
}

// Whoever does not stop is let go at once.
void thread_hold_release_late(struct thread_hold *hold)
{
}

void thread_hold_deinit(struct thread_hold *hold)
{
	if (hold->tid)
		thread_hold_end(hold);
}

void thread_hold_leave(struct thread_hold *hold, struct thread_hold *late)
{
	thread_hold_deinit(hold);
}

struct error *thread_hold_check(uint32_t pid)
{
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num_tids;
	struct error *err = process_list_threads(pid, &tids, &num_tids);
	if (err)
		return err;
	_cleanup_(close_handle) HANDLE thread = OpenThread(RIGHTS, FALSE, tids[0]);
	if (thread)
		return NULL;
	return error_with_hint(win_error(GetLastError(), "cannot stop process %u", pid),
			       "for processes of other users or of an administrator, use a console "
			       "opened with \"Run as administrator\"");
}
