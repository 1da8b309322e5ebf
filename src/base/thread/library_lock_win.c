// SPDX-License-Identifier: Apache-2.0

#include "base/thread/library_lock.h"

#include <windows.h>

static SRWLOCK library_state_lock = SRWLOCK_INIT;

void library_lock(void)
{
	AcquireSRWLockExclusive(&library_state_lock);
}

void library_unlock(void)
{
	ReleaseSRWLockExclusive(&library_state_lock);
}
