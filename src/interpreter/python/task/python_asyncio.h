/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_TASK_PYTHON_ASYNCIO_H
#define WPERF_INTERPRETER_PYTHON_TASK_PYTHON_ASYNCIO_H

/**
 * The offsets that CPython's module _asyncio publishes in a section of its own since 3.14: members
 * of tasks, and a thread's list of tasks. They have neither a cookie nor a version.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_ASYNCIO_OLDEST_MINOR = 14,
	PYTHON_ASYNCIO_BYTES = 13 * 8,
};

#define PYTHON_ASYNCIO_SECTION "AsyncioDebug"

struct python_asyncio {
	uint32_t task_name, task_coroutine;
	uint32_t task_node; /* links it in the thread's list */
	/** Of futures, and so of tasks. The last two are offsets of bytes. */
	uint32_t task_awaited_by, task_is_task, task_awaited_by_is_set;
	uint32_t thread_running_task; /* a pointer in the thread state */
	uint32_t thread_tasks;        /* the head of the list */
};

/** @bytes: of the section. @ret: set only on success. False: the offsets are impossible. */
bool python_asyncio_parse(const void *bytes, size_t size, struct python_asyncio *ret);

#endif
