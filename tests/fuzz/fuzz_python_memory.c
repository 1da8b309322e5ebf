// SPDX-License-Identifier: Apache-2.0
// Input: a byte for the version (from 13 on the memory begins with published offsets), whether it
// is of Windows and whether the memory goes on and on, then the memory of a process, from address
// 0x1000 on.

#include "interpreter/python/layout/python_published.h"
#include "interpreter/python/stack/python_code.h"
#include "interpreter/python/stack/python_stack.h"
#include "interpreter/python/stack/python_thread_names.h"
#include "interpreter/python/stack/python_threads.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	BASE = 0x1000,
	MAX_FRAMES = 300,
	MAX_THREADS = 4,
	ENDLESS = 0x80,
	OF_WINDOWS = 0x40,
	BUDGET = 20000,
	BUDGET_BYTES = 1 << 20,
};

struct memory {
	const uint8_t *bytes;
	size_t size;
	int is_endless;    /* its bytes are at every address */
	size_t budget;     /* so many more reads succeed, */
	size_t bytes_left; /* and bytes */
};

static size_t read_memory(void *context, uint64_t address, void *bytes, size_t size)
{
	struct memory *memory = context;
	size_t done = 0;
	while (done < size && memory->size && memory->budget) {
		memory->budget--;
		uint64_t offset = address + done - BASE;
		if (!memory->is_endless && offset >= memory->size)
			break;
		offset %= memory->size;
		size_t left = memory->size - (size_t)offset;
		size_t count = size - done < left ? size - done : left;
		if (count > memory->bytes_left)
			break;
		memory->bytes_left -= count;
		memcpy((char *)bytes + done, memory->bytes + offset, count);
		done += count;
	}
	return done;
}

static bool read_parts(void *context, const struct process_memory_part *parts, size_t num)
{
	for (size_t i = 0; i < num; i++)
		if (read_memory(context, parts[i].address, parts[i].bytes, parts[i].size) !=
		    parts[i].size)
			return false;
	return true;
}

static void look_up(const struct python_runtime *runtime, const struct interpreted_frame *frames,
		    size_t num)
{
	struct code_budget budget = {0};
	_cleanup_(python_code_table_deinit) struct python_code_table codes;
	python_code_table_init(&codes, runtime, &budget);
	for (size_t i = 0; i < num; i++) {
		uint32_t index;
		error_destroy(python_code_table_find(&codes, &frames[i], &index));
		if (index != PYTHON_CODE_NONE)
			python_code_position(&codes, index, &frames[i]);
	}
}

static void check_names(const struct python_runtime *runtime, uint64_t interpreter)
{
	_cleanup_(python_thread_names_deinit) struct python_thread_names names =
		PYTHON_THREAD_NAMES_INIT;
	error_destroy(python_thread_names_read(&names, runtime, interpreter));
	for (size_t i = 0; i < names.num_items; i++) {
		const char *name = python_thread_names_find(&names, names.items[i].id);
		if (!name || !*name)
			abort();
	}
}

static void walk(const struct python_runtime *runtime)
{
	_cleanup_(python_threads_deinit) struct python_threads threads = PYTHON_THREADS_INIT;
	_cleanup_(python_stack_reader_destroyp) struct python_stack_reader *reader = NULL;
	static const uint32_t tids[] = {1, 2, 3};
	error_destroy(python_threads_read(&threads, runtime, tids, 3));
	error_destroy(python_stack_reader_create(runtime, &reader));
	for (size_t i = 0; i < threads.num_items && i < MAX_THREADS; i++) {
		check_names(runtime, threads.items[i].interpreter);
		struct interpreted_frame frames[MAX_FRAMES];
		size_t num;
		enum frame_walk_end end =
			python_stack_read(reader, threads.items[i].state, frames, MAX_FRAMES, &num);
		if (num > MAX_FRAMES || end >= FRAME_WALK_NUM_ENDS)
			abort();
		look_up(runtime, frames, num);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	struct memory memory = {data + 1, size - 1, data[0] & ENDLESS, BUDGET, BUDGET_BYTES};
	struct python_runtime runtime = {
		.memory = {.read = read_memory, .read_parts = read_parts, .context = &memory},
		.address = BASE,
		.version = 1,
	};
	const struct python_layout *layout = python_layout_find(PYTHON_OLDEST_MINOR + data[0] % 8);
	if (layout)
		runtime.layout = *layout;
	else {
		struct error *err =
			python_published_parse(memory.bytes, memory.size, data[0] & OF_WINDOWS,
					       &runtime.layout, &runtime.version);
		error_destroy(err);
		if (err)
			return 0;
	}
	runtime.walk = python_layout_walk(&runtime.layout);
	runtime.walk.interpreters = BASE + runtime.layout.runtime_interpreters;
	error_destroy(python_runtime_check(&runtime));
	walk(&runtime);
	return 0;
}
