/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PYTHON_ASYNC_IMAGE_H
#define WPERF_TESTS_UNIT_PYTHON_ASYNC_IMAGE_H

/** Coroutines and tasks in the memory of python_image.h, as 3.14 lays them out. */

#include "interpreter/python/task/python_asyncio.h"
#include "tests/unit/python_image.h"

enum {
	/** The byte of a coroutine that says its state. */
	IMAGE_CREATED = -3,
	IMAGE_SUSPENDED = -2,
	IMAGE_AWAITS = -1,
	IMAGE_RUNS = 0,
	IMAGE_OVER = 4,

	IMAGE_GENERATOR_STATE = 67,
	IMAGE_GENERATOR_FRAME = 72,
	IMAGE_STACK = 64,
	IMAGE_STACK_PLACE = 200, /* in a coroutine, of what it awaits */
};

static const struct python_asyncio image_asyncio = {
	.task_name = 136,
	.task_awaited_by = 96,
	.task_is_task = 108,
	.task_awaited_by_is_set = 109,
	.task_coroutine = 128,
	.task_node = 152,
	.thread_running_task = 872,
	.thread_tasks = 880,
};

/** Behind image_init(image, 12). */
static inline void image_init_async(struct image *image)
{
	struct python_runtime *runtime = &image->runtime;
	runtime->layout.minor = 14;
	runtime->layout.generator_state = IMAGE_GENERATOR_STATE;
	runtime->layout.generator_frame = IMAGE_GENERATOR_FRAME;
	runtime->layout.frame_stack = IMAGE_STACK;
	runtime->walk.code_mask = ~UINT64_C(3);
}

static inline uint64_t image_object(struct image *image, const char *type_name, size_t size)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t name = image_alloc(image, 256), type = image_alloc(image, 512);
	image_put(image, name, type_name, strlen(type_name) + 1);
	image_word(image, type + layout->type_name, name);
	uint64_t object = image_alloc(image, size);
	image_word(image, object + layout->object_type, type);
	return object;
}

/** @awaited: an object, of what awaits something. */
static inline uint64_t image_coroutine(struct image *image, const char *type_name, uint64_t code,
				       int8_t state, uint64_t awaited)
{
	uint64_t object = image_object(image, type_name, 256);
	uint64_t frame = object + IMAGE_GENERATOR_FRAME;
	image_frame(image, frame, code, 0, code + 0x100, 1);
	image_put(image, object + IMAGE_GENERATOR_STATE, &state, 1);
	image_word(image, object + IMAGE_STACK_PLACE, awaited | 1); // it is counted elsewhere
	image_word(image, frame + IMAGE_STACK, object + IMAGE_STACK_PLACE + 8);
	return object;
}

/** @coroutine: 0 for a future. */
static inline uint64_t image_task(struct image *image, const char *name, uint64_t coroutine)
{
	enum { TASK_BYTES = 168 };
	uint64_t task = image_object(image, "_asyncio.Task", TASK_BYTES), type;
	memcpy(&type, image->bytes + task + image->runtime.layout.object_type - IMAGE_BASE,
	       sizeof(type));
	image_word(image, type + image->runtime.layout.type_name + 8, TASK_BYTES);
	uint8_t is_task = coroutine != 0;
	uint64_t text = image_text(image, name);
	image_word(image, task + image_asyncio.task_name, text);
	image_word(image, task + image_asyncio.task_coroutine, coroutine);
	image_put(image, task + image_asyncio.task_is_task, &is_task, 1);
	return task;
}

static inline void image_await(struct image *image, uint64_t task, uint64_t awaiter)
{
	image_word(image, task + image_asyncio.task_awaited_by, awaiter);
}

/** @awaiters: a power of two of them; 0 is an empty place. */
static inline void image_await_set(struct image *image, uint64_t task, const uint64_t *awaiters,
				   size_t num_places, size_t num_used)
{
	uint64_t set = image_object(image, "set", 64);
	uint64_t head = set + image->runtime.layout.object_type + 8;
	uint64_t table = image_alloc(image, num_places * 16);
	uint8_t is_set = 1;
	image_word(image, head + 8, num_used);
	image_word(image, head + 16, num_places - 1);
	image_word(image, head + 24, table);
	for (size_t i = 0; i < num_places; i++)
		image_word(image, table + 16 * i, awaiters[i]);
	image_await(image, task, set);
	image_put(image, task + image_asyncio.task_awaited_by_is_set, &is_set, 1);
}

/** The thread's list, of these tasks. */
static inline void image_tasks(struct image *image, uint64_t thread, const uint64_t *tasks,
			       size_t num)
{
	uint64_t head = thread + image_asyncio.thread_tasks, node = head;
	for (size_t i = 0; i < num; i++) {
		image_word(image, node, tasks[i] + image_asyncio.task_node);
		node = tasks[i] + image_asyncio.task_node;
	}
	image_word(image, node, head);
}

#endif
