// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_thread.h"

#include <stdlib.h>
#include <windows.h>

// As on Linux (compat_thread_linux.c); FlsAlloc() has a function for the end of a thread, which
// TlsAlloc() has not.

struct thread_bytes {
	void (*forget)(void *own);
	_Alignas(16) unsigned char own[];
};

static SRWLOCK locks[COMPAT_NUM_LOCKS] = {SRWLOCK_INIT, SRWLOCK_INIT};
static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
static DWORD key;

void compat_thread_lock(enum compat_lock lock)
{
	AcquireSRWLockExclusive(&locks[lock]);
}

void compat_thread_unlock(enum compat_lock lock)
{
	ReleaseSRWLockExclusive(&locks[lock]);
}

static void WINAPI compat_thread_end(void *data)
{
	struct thread_bytes *bytes = data;
	if (!bytes)
		return;
	bytes->forget(bytes->own);
	free(bytes);
}

static BOOL WINAPI make_key(INIT_ONCE *of, void *data, void **context)
{
	key = FlsAlloc(compat_thread_end);
	return TRUE;
}

void *compat_thread_own(size_t size, void (*forget)(void *own))
{
	InitOnceExecuteOnce(&once, make_key, NULL, NULL);
	if (key == FLS_OUT_OF_INDEXES)
		return NULL;
	struct thread_bytes *bytes = FlsGetValue(key);
	if (bytes)
		return bytes->own;
	bytes = calloc(1, sizeof(*bytes) + size);
	if (!bytes)
		return NULL;
	bytes->forget = forget;
	if (!FlsSetValue(key, bytes)) {
		free(bytes);
		return NULL;
	}
	return bytes->own;
}
