/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_RUNNING_THREADS_H
#define WPERF_RECORD_RUNNING_THREADS_H

/**
 * Which thread runs on which core, and which process a thread is of, as records tell it in the
 * order of time. Traces of hardware say where they were taken, or a thread's number, but not whose.
 */

#include "record/record.h"

#include "base/container/hash_table.h"
#include "base/error.h"

struct running_thread {
	uint32_t pid, tid; /* UINT32_MAX: not known */
};

#define RUNNING_THREAD_NONE ((struct running_thread){UINT32_MAX, UINT32_MAX})

struct running_threads {
	struct running_thread *threads;
	size_t num_threads, cap_threads;
	struct hash_table by_tid;
	struct running_thread *on_cpu;
	size_t num_cpus, cap_cpus;
};

#define RUNNING_THREADS_INIT \
	{                    \
	}

/** A record of any kind. */
struct error *running_threads_note(struct running_threads *threads, const struct record *record);

/** What somebody else knows. */
struct error *running_threads_add(struct running_threads *threads, struct running_thread thread);

/** Did anybody say whose it is? */
bool running_threads_has(const struct running_threads *threads, uint32_t tid);

/** The thread with this number. If nobody said whose it is, it is taken for a process. */
struct running_thread running_threads_find(const struct running_threads *threads, uint32_t tid);

/** RUNNING_THREAD_NONE if it is not known. */
struct running_thread running_threads_on(const struct running_threads *threads, uint32_t cpu);

void running_threads_deinit(struct running_threads *threads);

#endif
