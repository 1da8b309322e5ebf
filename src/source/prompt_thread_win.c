// SPDX-License-Identifier: Apache-2.0

#include "source/prompt_thread.h"

#include <windows.h>

void prompt_thread_precede(void)
{
	SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_HIGHEST);
}

// Above all threads that do something; ours never does so for long.
void prompt_thread_ask(void)
{
	SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_TIME_CRITICAL);
}
