/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_THREADS_H
#define WPERF_PYTHON_PYTHON_THREADS_H

/** The threads of all interpreters of a process, as far as Python knows of them. */

#include "base/error.h"
#include "python/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Builds without a GIL: may the thread touch objects of Python? */
enum python_attachment {
	PYTHON_ATTACHMENT_UNKNOWN,
	PYTHON_DETACHED,
	PYTHON_ATTACHED,
	PYTHON_SUSPENDED, /* the interpreter has stopped all others for a while */
};

struct python_thread {
	uint64_t state; /* address of its thread state */
	uint64_t interpreter;
	int64_t interpreter_id; /* 0 is the main one; -1: not known */
	uint64_t id;            /* pthread_self(); on Windows the same as: */
	uint32_t tid;           /* the system's number; 0: not known */
	bool holds_gil;
	enum python_attachment attachment; /* of builds without a GIL */
};

struct python_threads {
	struct python_thread *items; /* by interpreter, newest first in each */
	size_t num_items, cap_items;
	bool is_cut; /* there are more, or the list ran in circles */
};

#define PYTHON_THREADS_INIT \
	{                   \
	}

enum { PYTHON_MAX_THREADS = 1 << 16 };

/**
 * Read them anew into @threads.
 * @tids: of the threads that the kernel has in this process. Up to 3.10 Python does not know them:
 * they are looked for in the thread structures of the C library. May be empty.
 */
struct error *python_threads_read(struct python_threads *threads,
				  const struct python_runtime *runtime, const uint32_t *tids,
				  size_t num_tids);
void python_threads_deinit(struct python_threads *threads);

#endif
