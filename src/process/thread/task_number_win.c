// SPDX-License-Identifier: Apache-2.0

#include "process/thread/task_number.h"

// Containers of Windows have numbers of one kind only.

bool task_number_is_hidden(uint32_t pid)
{
	return false;
}

uint32_t task_number_inside(uint32_t pid, uint32_t tid)
{
	return tid;
}
