// SPDX-License-Identifier: Apache-2.0

#include "base/thread/mutex.h"

#include <stdlib.h>
#include <windows.h>

struct mutex {
	SRWLOCK lock;
};

struct error *mutex_create(struct mutex **ret)
{
	struct mutex *mutex = calloc(1, sizeof(*mutex));
	if (!mutex)
		return &error_no_memory;
	InitializeSRWLock(&mutex->lock);
	*ret = mutex;
	return NULL;
}

void mutex_destroy(struct mutex *mutex)
{
	free(mutex);
}

void mutex_lock(struct mutex *mutex)
{
	AcquireSRWLockExclusive(&mutex->lock);
}

void mutex_unlock(struct mutex *mutex)
{
	ReleaseSRWLockExclusive(&mutex->lock);
}
