// SPDX-License-Identifier: Apache-2.0

#include "base/thread/library_lock.h"

#include <pthread.h>

static pthread_mutex_t library_state_lock = PTHREAD_MUTEX_INITIALIZER;

void library_lock(void)
{
	pthread_mutex_lock(&library_state_lock);
}

void library_unlock(void)
{
	pthread_mutex_unlock(&library_state_lock);
}
