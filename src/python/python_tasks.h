/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_TASKS_H
#define WPERF_PYTHON_PYTHON_TASKS_H

/**
 * The tasks of asyncio that a thread has, each with the frames of its coroutine, and which tasks
 * wait for which. The process goes on: a task is as it was when it was read, not at the moment of
 * another one.
 */

#include "base/error.h"
#include "base/hash_table.h"
#include "base/string_builder.h"
#include "python/python_asyncio.h"
#include "python/python_coroutine.h"
#include "python/python_runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_TASKS_MAX = 16384,      /* rows of a thread */
	PYTHON_TASKS_MAX_FRAMES = 128, /* of a task */
	PYTHON_TASKS_MAX_AWAITERS = 64,
	PYTHON_TASKS_MAX_DEPTH = 32,
};

enum python_task_kind {
	PYTHON_TASK_RUNS,      /* its frames are those of the thread */
	PYTHON_TASK_WAITS,     /* for something else, or for its turn */
	PYTHON_TASK_ELSEWHERE, /* one of the other kinds stands for it */
	PYTHON_TASK_FUTURE,    /* no task, but tasks may wait for it */
	PYTHON_TASK_GONE,      /* it could not be read */
};

/** A row of a tree that is written down from the top. */
struct python_task {
	uint64_t address;
	enum python_task_kind kind;
	uint32_t depth; /* if it is not 0, it waits for the last row above that has one less */
	size_t name;    /* private */
	size_t first_frame, num_frames; /* innermost first */
	enum python_coroutine_end end;
	bool is_cut; /* more tasks wait for it than follow */
};

struct python_tasks {
	struct python_task *items;
	size_t num_items, cap_items;
	struct python_frame *frames;
	size_t num_frames, cap_frames;
	bool is_cut;                         /* there are more, or their list changed meanwhile */
	struct string_builder names;         /* private */
	struct hash_table index;             /* private: of all that are not elsewhere */
	struct python_task_pending *pending; /* private */
	size_t num_pending, cap_pending;
};

#define PYTHON_TASKS_INIT \
	{                 \
	}

void python_tasks_deinit(struct python_tasks *tasks);
void python_tasks_clear(struct python_tasks *tasks);

/** Where a task is looked for. */
struct python_task_place {
	const struct python_runtime *runtime;
	const struct python_asyncio *asyncio;
	uint64_t thread; /* address of its state */
};

/**
 * Add the task that runs, if one does, with all that wait for it.
 * @addresses: of the frames of the thread, as they have just been read.
 * @ret_is_steady: false: another task ran when the frames were read, and nothing was added.
 */
struct error *python_tasks_add_running(struct python_tasks *tasks,
				       const struct python_task_place *place,
				       const uint64_t *addresses, size_t num_addresses,
				       bool *ret_is_steady);

/** Add the others, oldest first. What waits for them is elsewhere, as it is one of them, too. */
struct error *python_tasks_add_others(struct python_tasks *tasks,
				      const struct python_task_place *place);

static inline const char *python_tasks_name(const struct python_tasks *tasks,
					    const struct python_task *task)
{
	return string_builder_peek(&tasks->names) + task->name;
}

#endif
