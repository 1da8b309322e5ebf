// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/task/python_asyncio.h"

#include "base/reader.h"

#include <string.h>

// Follows struct Py_AsyncioModuleDebugOffsets of Modules/_asynciomodule.c (3.14 and newer), which
// the extension module puts into a section of its own. The structure is three groups of 64-bit
// words: TaskObj, the interpreter's state, the thread's state. Each group begins with the size of
// its struct. python_asyncio_take_word() refuses members that would end behind that size, since the
// words are read from another process.

enum { NOT_WANTED = -1, STRUCT_SIZE = -2, LARGEST_STRUCT = 64 << 10 };

#define TARGET(name) ((int)offsetof(struct python_asyncio, name))

/** One word behind the other; members follow the size of their struct. */
static const struct word {
	int target;
	uint32_t width; /* of the member; 0: its struct may be of any size */
} words[] = {
	{STRUCT_SIZE, 1},
	{TARGET(task_name), 8},
	{TARGET(task_awaited_by), 8},
	{TARGET(task_is_task), 1},
	{TARGET(task_awaited_by_is_set), 1},
	{TARGET(task_coroutine), 8},
	{TARGET(task_node), 16},
	{STRUCT_SIZE, 0}, // interpreter, whose tasks are those of threads that are over
	{NOT_WANTED, 0},
	{STRUCT_SIZE, 1}, // thread
	{NOT_WANTED, 8},  // its loop
	{TARGET(thread_running_task), 8},
	{TARGET(thread_tasks), 16},
};

static bool python_asyncio_take_word(const struct word *word, uint64_t value, uint64_t *struct_size,
				     struct python_asyncio *asyncio)
{
	if (word->target == STRUCT_SIZE) {
		*struct_size = value;
		return !word->width || value <= LARGEST_STRUCT;
	}
	if (word->target == NOT_WANTED)
		return true;
	uint32_t offset = (uint32_t)value;
	memcpy((char *)asyncio + word->target, &offset, sizeof(offset));
	return value <= *struct_size && word->width <= *struct_size - value;
}

bool python_asyncio_parse(const void *bytes, size_t size, struct python_asyncio *ret)
{
	struct reader reader = reader_create(bytes, size);
	struct python_asyncio asyncio = {0};
	uint64_t struct_size = 0;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!python_asyncio_take_word(&words[i], reader_u64(&reader), &struct_size,
					      &asyncio))
			return false;
	if (reader.failed || !asyncio.task_coroutine || !asyncio.thread_running_task)
		return false;
	*ret = asyncio;
	return true;
}
