// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_reading.h"

#include "interpreter/python/stack/python_gil.h"
#include "interpreter/python/stack/python_stack.h"
#include "interpreter/python/stack/python_threads.h"
#include "process/thread/task_number.h"
#include "process/thread/thread_activity.h"

#include <stdlib.h>

// From a thread's id to its frames: the id inside the PID namespace of the interpreter
// (number_inside()), the thread state with this id (look_for_thread()), the state of the GIL, the
// frames (python_stack_read()). The list of threads is kept from sample to sample, and read again
// only if the thread is not in it or its state was replaced, which is_still_there() recognizes by
// the id in it: reading the list takes a system call per thread.

enum { MAX_NUMBERS = 64 };

/** Two numbers of a thread. */
struct number_pair {
	uint32_t tid, inside;
};

struct python_reading {
	const struct python_runtime *runtime;
	uint32_t pid;
	bool is_hidden; /* the interpreter knows threads by other numbers than we do */
	struct number_pair numbers[MAX_NUMBERS];
	size_t next_number; /* goes round */
	struct python_stack_reader *reader;
	struct python_threads threads;
	struct interpreted_frame frames[FRAME_WALK_MAX_FRAMES];
};

struct error *python_reading_create(uint32_t pid, const struct python_runtime *runtime,
				    struct python_reading **ret)
{
	struct python_reading *reading = calloc(1, sizeof(*reading));
	if (!reading)
		return &error_no_memory;
	reading->runtime = runtime;
	reading->pid = pid;
	reading->is_hidden = task_number_is_hidden(pid);
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

static const struct python_thread *python_reading_find_thread(const struct python_threads *threads,
							      uint32_t tid)
{
	for (size_t i = 0; i < threads->num_items; i++)
		if (threads->items[i].tid == tid)
			return &threads->items[i];
	return NULL;
}

/** NULL if it is none of Python's. A lone thread is it, also where Python does not know its number.
 */
static const struct python_thread *python_reading_thread_of(const struct python_threads *threads,
							    uint32_t tid)
{
	const struct python_thread *thread = python_reading_find_thread(threads, tid);
	bool is_lone = threads->num_items == 1 && threads->items[0].tid == 0;
	return thread || !is_lone ? thread : &threads->items[0];
}

/** Numbers are used again by other threads, but not soon. */
static uint32_t number_inside(struct python_reading *reading, uint32_t tid)
{
	if (!reading->is_hidden)
		return tid;
	for (size_t i = 0; i < MAX_NUMBERS; i++)
		if (reading->numbers[i].tid == tid)
			return reading->numbers[i].inside;
	uint32_t inside = task_number_inside(reading->pid, tid);
	reading->numbers[reading->next_number] = (struct number_pair){tid, inside};
	reading->next_number = (reading->next_number + 1) % MAX_NUMBERS;
	return inside;
}

static enum gil_state gil_state_of(const struct python_runtime *runtime,
				   const struct python_thread *thread, uint64_t lock)
{
	struct python_gil gil;
	return python_gil_read(runtime, thread->interpreter, &gil)
		       ? python_gil_state_of(&gil, thread->state, lock)
		       : GIL_UNKNOWN;
}

/** False: the list has to be read anew, as the thread is not in it or its state has ended. */
static bool is_still_there(const struct python_reading *reading, const struct python_thread *thread)
{
	const struct python_runtime *runtime = reading->runtime;
	uint64_t id;
	return thread &&
	       process_memory_read_pointer(&runtime->memory,
					   thread->state + runtime->walk.thread_id, &id) &&
	       python_layout_thread_number(&runtime->layout, id) == thread->id;
}

/** @ret: NULL if it is none of Python's. */
static struct error *look_for_thread(struct python_reading *reading, uint32_t tid,
				     const struct python_thread **ret)
{
	*ret = python_reading_find_thread(&reading->threads, tid);
	if (is_still_there(reading, *ret))
		return NULL;
	*ret = NULL;
	struct error *err = python_threads_read(&reading->threads, reading->runtime, &tid, 1);
	if (err == &error_no_memory)
		return err;
	if (!err)
		*ret = python_reading_thread_of(&reading->threads, tid);
	error_destroy(err); // it has not begun yet, or is over
	return NULL;
}

struct error *python_reading_take(struct python_reading *reading, uint32_t tid, bool is_away,
				  struct record_sample *sample)
{
	sample->frames = reading->frames;
	sample->num_frames = 0;
	sample->walk_end = FRAME_WALK_NONE;
	sample->gil = GIL_UNKNOWN;
	const struct python_thread *thread;
	struct error *err = look_for_thread(reading, number_inside(reading, tid), &thread);
	if (err || !thread)
		return err;
	// What it waits for, if it does.
	uint64_t lock = is_away ? thread_activity_read(reading->pid, tid).lock : 0;
	sample->gil = gil_state_of(reading->runtime, thread, lock);
	sample->walk_end = python_stack_read(reading->reader, thread->state, reading->frames,
					     FRAME_WALK_MAX_FRAMES, &sample->num_frames);
	return NULL;
}
