// SPDX-License-Identifier: Apache-2.0

#include "session/python_reading.h"

#include "python/python_stack.h"
#include "python/python_threads.h"

#include <stdlib.h>

struct python_reading {
	const struct python_runtime *runtime;
	struct python_stack_reader *reader;
	struct python_threads threads;
	struct python_frame frames[PYTHON_WALK_MAX_FRAMES];
};

struct error *python_reading_create(const struct python_runtime *runtime,
				    struct python_reading **ret)
{
	struct python_reading *reading = calloc(1, sizeof(*reading));
	if (!reading)
		return &error_no_memory;
	reading->runtime = runtime;
	struct error *err = python_stack_reader_create(runtime, &reading->reader);
	if (err) {
		python_reading_destroy(reading);
		return err;
	}
	*ret = reading;
	return NULL;
}

void python_reading_destroy(struct python_reading *reading)
{
	if (!reading)
		return;
	if (reading->reader)
		python_stack_reader_destroy(reading->reader);
	python_threads_deinit(&reading->threads);
	free(reading);
}

/** 0 if it is none of Python's. A lone thread is it, also where Python does not know its number. */
static uint64_t state_of(const struct python_threads *threads, uint32_t tid)
{
	for (size_t i = 0; i < threads->num_items; i++)
		if (threads->items[i].tid == tid)
			return threads->items[i].state;
	bool is_lone = threads->num_items == 1 && threads->items[0].tid == 0;
	return is_lone ? threads->items[0].state : 0;
}

struct error *python_reading_take(struct python_reading *reading, uint32_t tid,
				  struct record_sample *sample)
{
	sample->python = reading->frames;
	sample->num_python = 0;
	sample->python_end = PYTHON_WALK_NO_PYTHON;
	struct error *err = python_threads_read(&reading->threads, reading->runtime, &tid, 1);
	if (err && err != &error_no_memory) {
		error_destroy(err); // it has not begun yet, or is over
		return NULL;
	}
	uint64_t state = err ? 0 : state_of(&reading->threads, tid);
	if (state)
		sample->python_end = python_stack_read(reading->reader, state, reading->frames,
						       PYTHON_WALK_MAX_FRAMES, &sample->num_python);
	return err;
}
