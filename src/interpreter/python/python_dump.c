// SPDX-License-Identifier: Apache-2.0
// First all that holds for the whole process: where its CPython keeps things, its threads, and with
// tasks those of asyncio. Then thread by thread: the stack is read at once, as it changes all the
// time (or while the thread is stopped), then what the thread does, then the names and lines of the
// frames, which stay.

#include "interpreter/python/python_dump.h"

#include "base/cleanup.h"
#include "base/text/utf8.h"
#include "interpreter/python/python_process.h"
#include "interpreter/python/stack/python_code.h"
#include "interpreter/python/stack/python_gil.h"
#include "interpreter/python/stack/python_stack.h"
#include "interpreter/python/stack/python_thread_names.h"
#include "interpreter/python/stack/python_threads.h"
#include "interpreter/python/task/python_tasks.h"
#include "interpreter/python/value/python_locals.h"
#include "process/system/process_list.h"
#include "process/thread/running.h"
#include "process/thread/thread_hold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FRAMES = 1 << 16 };

/** It stays where it is: its code table refers to its runtime. */
struct python_dump {
	struct interpreter_dump base;
	struct dump_request request;
	struct python_runtime runtime;
	struct python_threads threads;
	struct python_thread_names names;
	uint64_t named;               /* the interpreter whose names they are */
	char name[PROCESS_NAME_SIZE]; /* the system's, of the process */
	struct code_budget budget;
	struct python_code_table codes;
	struct python_stack_reader *reader;
	struct thread_hold hold;
	struct error *no_tasks; /* why there are none */
	struct python_asyncio asyncio;
	/* Of the thread that was read last. */
	uint64_t thread;                  /* address of its state */
	struct interpreted_frame *frames; /* MAX_FRAMES */
	uint64_t *addresses;              /* of the frames */
	struct python_tasks tasks;
	bool is_steady; /* the task that runs is among them */
	/* Of the frame that was read last. */
	struct python_locals locals;
	struct dump_local items[PYTHON_LOCALS_MAX];
	struct dump_locals shown;
};

static void python_dump_destroy(struct interpreter_dump *base)
{
	struct python_dump *dump = (struct python_dump *)base;
	if (!dump)
		return;
	thread_hold_deinit(&dump->hold);
	python_stack_reader_destroy(dump->reader);
	python_code_table_deinit(&dump->codes);
	python_threads_deinit(&dump->threads);
	python_thread_names_deinit(&dump->names);
	python_locals_deinit(&dump->locals);
	python_tasks_deinit(&dump->tasks);
	error_destroy(dump->no_tasks);
	free(dump->addresses);
	free(dump->frames);
	free(dump);
}

/** "3.13.0", "3.13 (free-threaded)". */
static void python_dump_set_version(struct python_dump *dump)
{
	const struct python_runtime *runtime = &dump->runtime;
	char *text = dump->base.version;
	const size_t size = sizeof(dump->base.version);
	int length = snprintf(text, size, "3.%" PRIu32, runtime->layout.minor);
	// PY_VERSION_HEX of Include/patchlevel.h: 0x030d01f0 is 3.13.1. Where only the minor
	// version is known, the lower bytes are 0.
	if (runtime->version & 0xffff)
		length += snprintf(text + length, size - (size_t)length, ".%" PRIu32,
				   runtime->version >> 8 & 0xff);
	if (runtime->layout.is_free_threaded)
		snprintf(text + length, size - (size_t)length, " (free-threaded)");
}

static struct error *python_dump_find_threads(struct python_dump *dump)
{
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num_tids;
	const uint32_t pid = dump->request.pid;
	struct error *err = process_list_threads(pid, &tids, &num_tids);
	if (!err)
		err = python_threads_read(&dump->threads, &dump->runtime, tids, num_tids);
	dump->base.num_threads = dump->threads.num_items;
	if (err || dump->threads.num_items)
		return err;
	return error_create(ERROR_FAILED, "no Python threads in process %" PRIu32, pid);
}

static struct error *python_dump_begin(struct python_dump *dump)
{
	const uint32_t pid = dump->request.pid;
	struct error *err = python_process_open(pid, &dump->runtime);
	if (err && err->code == ERROR_ABSENT)
		return error_with_hint(err, "dump needs CPython 3.6 or newer; for native stacks, "
					    "use wperf sample -g -p PID");
	if (err)
		return err;
	python_code_table_init(&dump->codes, &dump->runtime, &dump->budget);
	dump->frames = calloc(MAX_FRAMES, sizeof(*dump->frames));
	dump->addresses = calloc(MAX_FRAMES, sizeof(*dump->addresses));
	if (!dump->frames || !dump->addresses)
		return &error_no_memory;
	err = python_stack_reader_create(&dump->runtime, &dump->reader);
	if (!err && dump->request.with_tasks)
		dump->no_tasks = python_process_find_asyncio(pid, &dump->runtime, &dump->asyncio);
	dump->base.no_tasks = dump->no_tasks ? dump->no_tasks->message : NULL;
	running_thread_name(pid, pid, dump->name, sizeof(dump->name));
	return err ? err : python_dump_find_threads(dump);
}

static struct error *python_dump_open(const struct dump_request *request,
				      struct interpreter_dump **ret)
{
	struct python_dump *dump = calloc(1, sizeof(*dump));
	if (!dump)
		return &error_no_memory;
	dump->base.ops = &python_dump_ops;
	dump->request = *request;
	struct error *err = python_dump_begin(dump);
	if (err) {
		python_dump_destroy(&dump->base);
		return err;
	}
	python_dump_set_version(dump);
	*ret = &dump->base;
	return NULL;
}

static bool python_dump_has_tasks(const struct python_dump *dump)
{
	return dump->request.with_tasks && !dump->no_tasks;
}

/** The frames, and the task that they belong to; again if another one runs meanwhile. */
static struct error *python_dump_read_stack(struct python_dump *dump, struct dump_thread *ret)
{
	enum { MAX_TRIES = 200 };
	const struct python_task_place place = {&dump->runtime, &dump->asyncio, dump->thread};
	struct error *err = NULL;
	dump->is_steady = false;
	for (int i = 0; !err && !dump->is_steady && i < MAX_TRIES; i++) {
		ret->end = python_stack_read_places(dump->reader, dump->thread, dump->frames,
						    dump->addresses, MAX_FRAMES, &ret->num_frames);
		dump->is_steady = !python_dump_has_tasks(dump);
		python_tasks_clear(&dump->tasks);
		if (python_dump_has_tasks(dump))
			err = python_tasks_add_running(&dump->tasks, &place, dump->addresses,
						       ret->num_frames, &dump->is_steady);
	}
	return err;
}

/** The system's name, unless Python knows one that says more. */
static struct error *python_dump_name_thread(struct python_dump *dump,
					     const struct python_thread *thread,
					     struct dump_thread *ret)
{
	struct error *err = NULL;
	running_thread_name(dump->request.pid, thread->tid, ret->name, sizeof(ret->name));
	if (dump->named != thread->interpreter)
		err = python_thread_names_read(&dump->names, &dump->runtime, thread->interpreter);
	if (err)
		return err;
	dump->named = thread->interpreter;
	const char *name = python_thread_names_find(&dump->names, thread->id);
	if (name && process_name_stands_for(ret->name, dump->name, name))
		utf8_copy(name, ret->name, sizeof(ret->name));
	return NULL;
}

static struct error *python_dump_read_thread(struct interpreter_dump *base, size_t index,
					     struct dump_thread *ret)
{
	struct python_dump *dump = (struct python_dump *)base;
	// Threads come newest first (python_threads.h): the main thread is the last one.
	const struct python_thread *thread =
		&dump->threads.items[dump->threads.num_items - 1 - index];
	const uint32_t pid = dump->request.pid;
	*ret = (struct dump_thread){
		.tid = thread->tid,
		.id = thread->id,
		.interpreter_id = thread->interpreter_id,
		.attachment = thread->attachment,
	};
	dump->thread = thread->state;
	// Only for the read: what the caller prints may wait for a reader.
	bool is_held = dump->request.stops_threads && thread->tid &&
		       thread_hold_begin(&dump->hold, pid, thread->tid);
	struct error *err = python_dump_read_stack(dump, ret);
	if (is_held)
		thread_hold_end(&dump->hold);
	if (err)
		return err;
	// What it does, as close to the moment of its stack as can be.
	struct python_gil gil;
	if (thread->tid)
		ret->activity = thread_activity_read(pid, thread->tid);
	if (python_gil_read(&dump->runtime, thread->interpreter, &gil))
		ret->gil = python_gil_state_of(&gil, thread->state, ret->activity.lock);
	return python_dump_name_thread(dump, thread, ret);
}

static struct error *python_dump_find_place(struct python_dump *dump,
					    const struct interpreted_frame *frame,
					    struct dump_place *ret)
{
	*ret = (struct dump_place){0};
	uint32_t index;
	// Code is read once, as threads of a pool run the same functions.
	struct error *err = python_code_table_find(&dump->codes, frame, &index);
	if (err || index == PYTHON_CODE_NONE)
		return err;
	const struct python_code *code = &dump->codes.items[index];
	const struct string_table *strings = &dump->codes.strings;
	ret->name = string_table_get(strings, code->qualified_name);
	ret->name_length = string_table_length(strings, code->qualified_name);
	ret->file = string_table_get(strings, code->file);
	ret->file_length = string_table_length(strings, code->file);
	ret->position = python_code_position(&dump->codes, index, frame);
	return NULL;
}

static struct error *python_dump_read_locals(struct python_dump *dump, size_t frame)
{
	const struct python_locals *locals = &dump->locals;
	bool has_locals;
	struct error *err = python_locals_read(&dump->locals, &dump->runtime, &dump->frames[frame],
					       dump->addresses[frame], &has_locals);
	if (err)
		return err;
	for (size_t i = 0; i < locals->num_items; i++)
		dump->items[i] = (struct dump_local){python_locals_name(locals, i),
						     python_locals_value(locals, i)};
	dump->shown = (struct dump_locals){
		.items = dump->items,
		.num_items = locals->num_items,
		.is_cut = locals->is_cut,
		.is_torn = !has_locals,
	};
	return NULL;
}

static struct error *python_dump_read_frame(struct interpreter_dump *base, size_t frame,
					    struct dump_place *ret)
{
	struct python_dump *dump = (struct python_dump *)base;
	struct error *err = python_dump_find_place(dump, &dump->frames[frame], ret);
	if (err || !dump->request.with_locals || !ret->name)
		return err;
	ret->locals = &dump->shown;
	return python_dump_read_locals(dump, frame);
}

static struct error *python_dump_read_tasks(struct interpreter_dump *base, struct dump_tasks *ret)
{
	struct python_dump *dump = (struct python_dump *)base;
	const struct python_task_place place = {&dump->runtime, &dump->asyncio, dump->thread};
	struct error *err = python_tasks_add_others(&dump->tasks, &place);
	if (err)
		return err;
	*ret = (struct dump_tasks){
		.num_rows = dump->tasks.num_items,
		.is_steady = dump->is_steady,
		.is_cut = dump->tasks.is_cut,
	};
	return NULL;
}

static struct dump_task python_dump_task(const struct interpreter_dump *base, size_t row)
{
	const struct python_tasks *tasks = &((const struct python_dump *)base)->tasks;
	const struct python_task *task = &tasks->items[row];
	return (struct dump_task){
		.address = task->address,
		.kind = task->kind,
		.depth = task->depth,
		.name = python_tasks_name(tasks, task),
		.num_frames = task->num_frames,
		.end = task->end,
		.is_cut = task->is_cut,
	};
}

static struct error *python_dump_read_task_frame(struct interpreter_dump *base, size_t row,
						 size_t frame, struct dump_place *ret)
{
	struct python_dump *dump = (struct python_dump *)base;
	const struct python_tasks *tasks = &dump->tasks;
	return python_dump_find_place(dump, &tasks->frames[tasks->items[row].first_frame + frame],
				      ret);
}

const struct dump_ops python_dump_ops = {
	.open = python_dump_open,
	.destroy = python_dump_destroy,
	.read_thread = python_dump_read_thread,
	.read_frame = python_dump_read_frame,
	.read_tasks = python_dump_read_tasks,
	.task = python_dump_task,
	.read_task_frame = python_dump_read_task_frame,
};
