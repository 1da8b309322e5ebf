/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_COMPAT_COMPAT_THREAD_H
#define WPERF_LIBRARY_COMPAT_COMPAT_THREAD_H

/** The locks of the library's one state, and what each thread has for itself. */

#include <stddef.h>

enum compat_lock {
	COMPAT_LOCK_SOURCE, /* of the session, for as long as a count takes; first, if both */
	COMPAT_LOCK_ITEMS,  /* of what was collected; for moments */
	COMPAT_NUM_LOCKS,
};

void compat_thread_lock(enum compat_lock lock);
void compat_thread_unlock(enum compat_lock lock);

/**
 * @size bytes of the calling thread, zero at first and the same in each call; NULL without memory.
 * @forget: called with them when the thread ends, before they are freed.
 */
void *compat_thread_own(size_t size, void (*forget)(void *own));

#endif
