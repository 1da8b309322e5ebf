/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_END_THREAD_H
#define WPERF_PROCESS_PROCESS_END_THREAD_H

/** The end of a process, on kernels that have no pidfd_open() (before Linux 5.3): a thread of ours
 *  asks /proc. */

#include <stdint.h>

/**
 * Returns a descriptor that is ready some 10 ms after the process has ended (POLLHUP), as a zombie
 * at least, and the caller's to close, or a negative errno. It means this process even after the
 * system gives its ID to another one.
 */
int process_end_thread_start(uint32_t pid);

#endif
