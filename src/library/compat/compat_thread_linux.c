// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_thread.h"

#include <pthread.h>
#include <stdlib.h>

// A library that others load cannot rely on a call before all others: the key is made by the first
// thread that needs it. What a thread has is freed by its end (pthread_key_create(3)), which hands
// over the bytes and nothing else; so the function that forgets stands before them.

struct thread_bytes {
	void (*forget)(void *own);
	_Alignas(max_align_t) unsigned char own[];
};

static pthread_mutex_t locks[COMPAT_NUM_LOCKS] = {
	PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_errnum;

void compat_thread_lock(enum compat_lock lock)
{
	pthread_mutex_lock(&locks[lock]);
}

void compat_thread_unlock(enum compat_lock lock)
{
	pthread_mutex_unlock(&locks[lock]);
}

static void compat_thread_end(void *data)
{
	struct thread_bytes *bytes = data;
	bytes->forget(bytes->own);
	free(bytes);
}

static void make_key(void)
{
	key_errnum = pthread_key_create(&key, compat_thread_end);
}

void *compat_thread_own(size_t size, void (*forget)(void *own))
{
	pthread_once(&once, make_key);
	if (key_errnum)
		return NULL;
	struct thread_bytes *bytes = pthread_getspecific(key);
	if (bytes)
		return bytes->own;
	bytes = calloc(1, sizeof(*bytes) + size);
	if (!bytes)
		return NULL;
	bytes->forget = forget;
	if (pthread_setspecific(key, bytes)) {
		free(bytes);
		return NULL;
	}
	return bytes->own;
}
