// SPDX-License-Identifier: Apache-2.0
// First all that holds for the whole process: where its CPython keeps things, its threads, and with
// tasks those of asyncio. Then thread by thread: the stack is read at once, as it changes all the
// time (or while the thread is stopped), then what the thread does, then the names and lines of the
// frames, which stay. Each thread is shown before the next one is read: nothing is kept, and a
// process with lists without end in its memory fills neither ours nor the reader's disk.

#include "report/dump/process_dump.h"

#include "base/container/array.h"
#include "interpreter/python/python_process.h"
#include "interpreter/python/stack/python_code.h"
#include "interpreter/python/stack/python_gil.h"
#include "interpreter/python/stack/python_stack.h"
#include "interpreter/python/stack/python_threads.h"
#include "interpreter/python/task/python_tasks.h"
#include "process/system/process_list.h"
#include "process/thread/running.h"
#include "process/thread/thread_hold.h"
#include "report/dump/dump_task_view.h"
#include "report/dump/dump_view.h"

#include <inttypes.h>
#include <string.h>

enum {
	MAX_FRAMES = 1 << 16,
	MAX_SHOWN = 1 << 23,    // bytes, about: a process may have lists without end in its memory
	BYTES_AROUND_TEXT = 40, // of a frame or a variable, for what is printed around it
};

struct dump {
	uint32_t pid;
	struct python_runtime runtime;
	struct python_threads threads;
	struct code_budget budget;
	struct python_code_table codes;
	struct python_stack_reader *reader;
	struct interpreted_frame *frames; /* MAX_FRAMES */
	uint64_t *addresses;              /* of the frames */
	bool shows_locals;
	struct python_locals locals; /* of the frame that is shown */
	bool shows_tasks;
	bool stops_threads; /* each while its stack is read */
	struct thread_hold hold;
	struct error *no_tasks; /* why there are none */
	struct python_asyncio asyncio;
	struct python_tasks tasks; /* of the thread that is shown */
	struct output output;
	uint64_t num_shown; /* bytes, about */
};

static void dump_deinit(struct dump *dump)
{
	thread_hold_deinit(&dump->hold);
	output_deinit(&dump->output);
	python_stack_reader_destroy(dump->reader);
	python_code_table_deinit(&dump->codes);
	python_threads_deinit(&dump->threads);
	python_locals_deinit(&dump->locals);
	python_tasks_deinit(&dump->tasks);
	error_destroy(dump->no_tasks);
	free(dump->addresses);
	free(dump->frames);
}

static struct error *process_dump_find_place(struct dump *dump,
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

/** @place: of the frame. */
static struct error *read_locals(struct dump *dump, size_t frame, struct dump_place *place)
{
	if (!dump->shows_locals || !place->name)
		return NULL;
	place->locals = &dump->locals;
	return python_locals_read(&dump->locals, &dump->runtime, &dump->frames[frame],
				  dump->addresses[frame], &place->has_locals);
}

static bool process_dump_is_full(const struct dump *dump)
{
	return dump->num_shown >= MAX_SHOWN;
}

static void show_place(struct dump *dump, const struct dump_place *place)
{
	dump_view_place(&dump->output, place);
	dump->num_shown += BYTES_AROUND_TEXT + place->name_length + place->file_length;
	for (size_t i = 0; place->locals && i < place->locals->num_items; i++)
		dump->num_shown += BYTES_AROUND_TEXT +
				   strlen(python_locals_name(place->locals, i)) +
				   strlen(python_locals_value(place->locals, i));
}

static struct error *show_frames(struct dump *dump, const struct dump_thread *thread)
{
	struct error *err = NULL;
	size_t i = 0;
	for (; !err && i < thread->num_frames && !process_dump_is_full(dump); i++) {
		struct dump_place place;
		err = process_dump_find_place(dump, &dump->frames[i], &place);
		if (!err)
			err = read_locals(dump, i, &place);
		if (!err)
			show_place(dump, &place);
	}
	dump_view_end_places(&dump->output, i < thread->num_frames);
	return err;
}

/** What it does, as close to the moment of its stack as can be. */
static void read_activity(const struct dump *dump, struct dump_thread *ret)
{
	const struct python_thread *thread = ret->thread;
	struct python_gil gil;
	if (thread->tid)
		ret->activity = thread_activity_read(dump->pid, thread->tid);
	if (python_gil_read(&dump->runtime, thread->interpreter, &gil))
		ret->gil = python_gil_state_of(&gil, thread->state, ret->activity.lock);
}

static struct error *show_task(struct dump *dump, struct dump_task_view *view,
			       const struct python_task *task)
{
	dump_task_view_begin_task(view, &dump->tasks, task);
	for (size_t i = 0; i < task->num_frames; i++) {
		struct dump_place place;
		struct error *err = process_dump_find_place(
			dump, &dump->tasks.frames[task->first_frame + i], &place);
		if (err)
			return err;
		place.indent = dump_task_indent(task) + DUMP_TASK_FRAME_INDENT;
		show_place(dump, &place);
	}
	dump_task_view_end_frames(view, task);
	return NULL;
}

/** @is_steady: the task that runs is among them. */
static struct error *show_tasks(struct dump *dump, uint64_t thread, bool is_steady)
{
	const struct python_task_place place = {&dump->runtime, &dump->asyncio, thread};
	struct error *err = python_tasks_add_others(&dump->tasks, &place);
	if (err)
		return err;
	struct dump_task_view view;
	dump_task_view_begin(&view, &dump->output, is_steady);
	for (size_t i = 0; !err && i < dump->tasks.num_items && !process_dump_is_full(dump); i++)
		err = show_task(dump, &view, &dump->tasks.items[i]);
	dump->tasks.is_cut |= process_dump_is_full(dump);
	dump_task_view_end(&view, &dump->tasks);
	return err;
}

static bool has_tasks(const struct dump *dump)
{
	return dump->shows_tasks && !dump->no_tasks;
}

/** The frames, and the task that they belong to; again if another one runs meanwhile. */
static struct error *read_stack(struct dump *dump, struct dump_thread *shown, bool *ret_is_steady)
{
	enum { MAX_TRIES = 200 };
	uint64_t thread = shown->thread->state;
	const struct python_task_place place = {&dump->runtime, &dump->asyncio, thread};
	struct error *err = NULL;
	*ret_is_steady = false;
	for (int i = 0; !err && !*ret_is_steady && i < MAX_TRIES; i++) {
		shown->end =
			python_stack_read_places(dump->reader, thread, dump->frames,
						 dump->addresses, MAX_FRAMES, &shown->num_frames);
		*ret_is_steady = !has_tasks(dump);
		python_tasks_clear(&dump->tasks);
		if (has_tasks(dump))
			err = python_tasks_add_running(&dump->tasks, &place, dump->addresses,
						       shown->num_frames, ret_is_steady);
	}
	return err;
}

static struct error *show_thread(struct dump *dump, const struct python_thread *thread)
{
	struct dump_thread shown = {.thread = thread};
	bool is_steady;
	// Only for the read: what it prints may wait for a reader.
	bool is_held = dump->stops_threads && thread->tid &&
		       thread_hold_begin(&dump->hold, dump->pid, thread->tid);
	struct error *err = read_stack(dump, &shown, &is_steady);
	if (is_held)
		thread_hold_end(&dump->hold);
	if (err)
		return err;
	read_activity(dump, &shown);
	running_thread_name(dump->pid, thread->tid, shown.name, sizeof(shown.name));
	dump_view_begin_thread(&dump->output, &shown);
	dump->num_shown += BYTES_AROUND_TEXT;
	err = show_frames(dump, &shown);
	if (!err && has_tasks(dump))
		err = show_tasks(dump, thread->state, is_steady);
	dump_view_end_thread(&dump->output);
	return err;
}

struct version_text {
	char text[64];
};

/** "3.13.0", "3.13 (free-threaded)". */
static struct version_text version_text(const struct python_runtime *runtime)
{
	struct version_text version;
	int length =
		snprintf(version.text, sizeof(version.text), "3.%" PRIu32, runtime->layout.minor);
	// PY_VERSION_HEX of Include/patchlevel.h: 0x030d01f0 is 3.13.1. Where only the minor
	// version is known, the lower bytes are 0.
	if (runtime->version & 0xffff)
		length += snprintf(version.text + length, sizeof(version.text) - (size_t)length,
				   ".%" PRIu32, runtime->version >> 8 & 0xff);
	if (runtime->layout.is_free_threaded)
		snprintf(version.text + length, sizeof(version.text) - (size_t)length,
			 " (free-threaded)");
	return version;
}

/** @ret_left_out: how many are not shown. */
static struct error *show_threads(struct dump *dump, size_t *ret_left_out)
{
	struct error *err = NULL;
	size_t num_left = dump->threads.num_items;
	// Threads come newest first (python_threads.h): from the end, the main thread is shown
	// first.
	for (; !err && num_left && !process_dump_is_full(dump); num_left--)
		err = show_thread(dump, &dump->threads.items[num_left - 1]);
	*ret_left_out = num_left;
	return err;
}

static struct error *process_dump_show(struct dump *dump)
{
	struct version_text version = version_text(&dump->runtime);
	dump_view_begin(&dump->output, dump->pid, version.text,
			dump->no_tasks ? dump->no_tasks->message : NULL);
	size_t num_left_out;
	struct error *err = show_threads(dump, &num_left_out);
	dump_view_end(&dump->output, num_left_out);
	return err;
}

static struct error *read_threads(struct dump *dump)
{
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num_tids;
	struct error *err = process_list_threads(dump->pid, &tids, &num_tids);
	if (!err)
		err = python_threads_read(&dump->threads, &dump->runtime, tids, num_tids);
	if (err || dump->threads.num_items)
		return err;
	return error_create(ERROR_FAILED, "no Python threads in process %" PRIu32, dump->pid);
}

static struct error *open_dump(struct dump *dump)
{
	struct error *err = python_process_open(dump->pid, &dump->runtime);
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
	if (!err && dump->shows_tasks)
		dump->no_tasks =
			python_process_find_asyncio(dump->pid, &dump->runtime, &dump->asyncio);
	return err ? err : read_threads(dump);
}

struct error *process_dump_write(const struct dump_request *request,
				 struct output_request output_request)
{
	_cleanup_(dump_deinit) struct dump dump = {
		.pid = request->pid,
		.shows_locals = request->with_locals,
		.shows_tasks = request->with_tasks,
		.stops_threads = request->stops_threads,
	};
	struct error *err = dump.stops_threads ? thread_hold_check(dump.pid) : NULL;
	if (!err)
		err = open_dump(&dump);
	if (!err)
		err = output_open(output_request, &dump.output);
	if (!err)
		err = process_dump_show(&dump);
	return err ? err : output_close(&dump.output);
}
