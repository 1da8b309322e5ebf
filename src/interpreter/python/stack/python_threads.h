/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_THREADS_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_THREADS_H

/** The Python threads of all interpreters of a process. */

#include "base/error.h"
#include "interpreter/interpreter_dump.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct python_thread {
	uint64_t state; /* address of its thread state */
	uint64_t interpreter;
	int64_t interpreter_id; /* 0 is the main one; -1: not known */
	uint64_t id;            /* pthread_self(); on Windows the same as tid */
	uint32_t tid;           /* of the system; 0: not known */
	bool holds_gil;
	enum dump_attachment attachment; /* of builds without a GIL */
};

struct python_threads {
	struct python_thread *items; /* by interpreter, newest first in each */
	size_t num_items, cap_items;
	bool is_cut; /* there are more, or the list has a cycle */
};

#define PYTHON_THREADS_INIT \
	{                   \
	}

enum { PYTHON_MAX_THREADS = 1 << 16 };

/**
 * Read the current threads into @threads.
 * @tids: of the process; may be empty. Python has them since 3.11; for older versions they are
 * matched by the thread structures of the C library.
 */
struct error *python_threads_read(struct python_threads *threads,
				  const struct python_runtime *runtime, const uint32_t *tids,
				  size_t num_tids);
void python_threads_deinit(struct python_threads *threads);

#endif
