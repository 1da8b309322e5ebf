/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_TASK_PYTHON_TASKS_H
#define WPERF_INTERPRETER_PYTHON_TASK_PYTHON_TASKS_H

/**
 * The asyncio tasks of a thread, each with the frames of its coroutine, and which tasks wait for
 * it. As the process runs meanwhile, tasks are not all of the same moment.
 */

#include "base/container/hash_table.h"
#include "base/error.h"
#include "base/text/string_builder.h"
#include "interpreter/interpreter_dump.h"
#include "interpreter/python/layout/python_runtime.h"
#include "interpreter/python/task/python_asyncio.h"
#include "interpreter/python/task/python_coroutine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_TASKS_MAX = 16384,      /* rows of a thread */
	PYTHON_TASKS_MAX_FRAMES = 128, /* of a task */
	PYTHON_TASKS_MAX_AWAITERS = 64,
	PYTHON_TASKS_MAX_DEPTH = 32,
};

/** A row of the tree of tasks; parents precede their children. */
struct python_task {
	uint64_t address;
	enum dump_task_kind kind;
	uint32_t depth; /* if it is not 0, the task waits for the previous row with depth - 1 */
	size_t name;    /* private */
	size_t first_frame, num_frames; /* innermost first */
	enum dump_coroutine_end end;
	bool is_cut; /* more tasks wait for it than there are rows */
};

struct python_tasks {
	struct python_task *items;
	size_t num_items, cap_items;
	struct interpreted_frame *frames;
	size_t num_frames, cap_frames;
	bool is_cut;                         /* there are more, or the list changed meanwhile */
	struct string_builder names;         /* private */
	struct hash_table index;             /* private: of rows that are not ELSEWHERE */
	struct python_task_pending *pending; /* private */
	size_t num_pending, cap_pending;
};

#define PYTHON_TASKS_INIT \
	{                 \
	}

void python_tasks_deinit(struct python_tasks *tasks);
void python_tasks_clear(struct python_tasks *tasks);

/** Where to search tasks. */
struct python_task_place {
	const struct python_runtime *runtime;
	const struct python_asyncio *asyncio;
	uint64_t thread; /* address of its state */
};

/**
 * Add the running task, if there is one, with all tasks that wait for it.
 * @addresses: of the thread's frames, which were just read.
 * @ret_is_steady: false: another task ran when the frames were read; nothing was added.
 */
struct error *python_tasks_add_running(struct python_tasks *tasks,
				       const struct python_task_place *place,
				       const uint64_t *addresses, size_t num_addresses,
				       bool *ret_is_steady);

/** Add the other tasks, oldest first. Tasks that wait for them are ELSEWHERE, as they have rows of
 *  their own. */
struct error *python_tasks_add_others(struct python_tasks *tasks,
				      const struct python_task_place *place);

static inline const char *python_tasks_name(const struct python_tasks *tasks,
					    const struct python_task *task)
{
	return string_builder_peek(&tasks->names) + task->name;
}

#endif
