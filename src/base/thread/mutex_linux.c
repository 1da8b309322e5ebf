// SPDX-License-Identifier: Apache-2.0

#include "base/thread/mutex.h"

#include <pthread.h>
#include <stdlib.h>

struct mutex {
	pthread_mutex_t lock;
};

struct error *mutex_create(struct mutex **ret)
{
	struct mutex *mutex = calloc(1, sizeof(*mutex));
	if (!mutex)
		return &error_no_memory;
	pthread_mutex_init(&mutex->lock, NULL);
	*ret = mutex;
	return NULL;
}

void mutex_destroy(struct mutex *mutex)
{
	if (!mutex)
		return;
	pthread_mutex_destroy(&mutex->lock);
	free(mutex);
}

void mutex_lock(struct mutex *mutex)
{
	pthread_mutex_lock(&mutex->lock);
}

void mutex_unlock(struct mutex *mutex)
{
	pthread_mutex_unlock(&mutex->lock);
}
