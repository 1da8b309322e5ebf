/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_THREAD_THREAD_H
#define WPERF_BASE_THREAD_THREAD_H

/**
 * A thread of ours in a program that may not be ours: signals that the program handles are not
 * delivered to it.
 */

#include "base/error.h"

#include <stdint.h>

struct thread;

/**
 * @name: as tools show it, at most 15 characters.
 * @run:  what it does; the thread ends when it returns.
 * @ret:  ended by thread_join().
 */
struct error *thread_start(const char *name, void (*run)(void *data), void *data,
			   struct thread **ret);

/** Wait until it has ended. NULL is fine. */
void thread_join(struct thread *thread);

/** The system's number of it, which samples have, too. */
uint32_t thread_number(const struct thread *thread);

/** The numbers of the calling thread, and of its process. */
uint32_t thread_own_number(void);
uint32_t thread_own_process(void);

#endif
