/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_THREAD_MUTEX_H
#define WPERF_BASE_THREAD_MUTEX_H

/** A lock of one owner's data. Do not lock twice. */

#include "base/error.h"

struct mutex;

struct error *mutex_create(struct mutex **ret);

/** Nobody holds it. Accepts NULL. */
void mutex_destroy(struct mutex *mutex);

void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

#endif
