/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_THREAD_LIBRARY_LOCK_H
#define WPERF_BASE_THREAD_LIBRARY_LOCK_H

/**
 * For libraries that have one state for the whole process, which their functions change without a
 * lock (base/os/shared_library.h): one thread at a time calls these. Do not lock twice.
 */
void library_lock(void);
void library_unlock(void);

#endif
