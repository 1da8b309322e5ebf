// SPDX-License-Identifier: Apache-2.0
// Input: the words that asyncio publishes (PYTHON_ASYNCIO_BYTES), a byte for the version, one for
// the address of the thread, then the memory of a process, whose bytes are at every address, again
// and again.

#include "interpreter/python/task/python_tasks.h"

#include "endless_memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUDGET = 30000, HEAD = PYTHON_ASYNCIO_BYTES + 2 };

static void check_row(const struct python_tasks *tasks, const struct python_task *task)
{
	if (task->depth > PYTHON_TASKS_MAX_DEPTH || task->num_frames > PYTHON_TASKS_MAX_FRAMES ||
	    task->first_frame + task->num_frames > tasks->num_frames ||
	    strlen(python_tasks_name(tasks, task)) > 1000)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct python_asyncio asyncio;
	if (size <= HEAD || !python_asyncio_parse(data, PYTHON_ASYNCIO_BYTES, &asyncio))
		return 0;
	struct endless_memory memory = {data + HEAD, size - HEAD, BUDGET};
	struct python_runtime runtime = {
		.memory = endless_memory_of(&memory),
		.layout = *python_layout_find(12),
	};
	runtime.walk = python_layout_walk(&runtime.layout);
	runtime.layout.minor = 14 + data[PYTHON_ASYNCIO_BYTES] % 2;
	runtime.layout.generator_frame = 72;
	runtime.layout.generator_state = 67;
	runtime.layout.frame_stack = 64;
	const struct python_task_place place = {&runtime, &asyncio, data[PYTHON_ASYNCIO_BYTES + 1]};
	_cleanup_(python_tasks_deinit) struct python_tasks tasks = PYTHON_TASKS_INIT;
	const uint64_t addresses[] = {72, 172};
	bool is_steady;
	error_destroy(python_tasks_add_running(&tasks, &place, addresses, 2, &is_steady));
	error_destroy(python_tasks_add_others(&tasks, &place));
	if (tasks.num_items > PYTHON_TASKS_MAX)
		abort();
	for (size_t i = 0; i < tasks.num_items; i++)
		check_row(&tasks, &tasks.items[i]);
	return 0;
}
