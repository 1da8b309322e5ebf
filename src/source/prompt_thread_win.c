// SPDX-License-Identifier: Apache-2.0

#include "source/prompt_thread.h"

#include <windows.h>

void prompt_thread_precede(void)
{
	SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_HIGHEST);
}

// Above all threads that do something; ours never does so for long.
void prompt_thread_begin(struct prompt_thread *prompt)
{
	prompt->tid = GetCurrentThreadId();
	prompt->priority_before = GetThreadPriority(GetCurrentThread());
	SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_TIME_CRITICAL);
}

void prompt_thread_end(struct prompt_thread *prompt)
{
	if (prompt->tid == GetCurrentThreadId() &&
	    prompt->priority_before != THREAD_PRIORITY_ERROR_RETURN)
		SetThreadPriority(GetCurrentThread(), prompt->priority_before);
	prompt->tid = 0;
}
