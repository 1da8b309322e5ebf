// SPDX-License-Identifier: Apache-2.0
// The interpreter of the process reads thread by thread (interpreter/interpreter_dump.h). Each
// thread is shown before the next one is read: nothing is kept, and a process with lists without
// end in its memory fills neither ours nor the reader's disk.

#include "report/dump/process_dump.h"

#include "base/cleanup.h"
#include "interpreter/interpreter_ops.h"
#include "process/thread/thread_hold.h"
#include "report/dump/dump_task_view.h"
#include "report/dump/dump_view.h"

#include <assert.h>
#include <string.h>

enum {
	MAX_SHOWN = 1 << 23,    // bytes, about: a process may have lists without end in its memory
	BYTES_AROUND_TEXT = 40, // of a frame or a variable, for what is printed around it
};

struct dump {
	struct interpreter_dump *source;
	const struct dump_ops *ops; /* of the source */
	bool shows_tasks;
	struct dump_view view;
	uint64_t num_shown; /* bytes, about */
};

static void dump_deinit(struct dump *dump)
{
	if (dump->source)
		dump->ops->destroy(dump->source);
}

static bool process_dump_is_full(const struct dump *dump)
{
	return dump->num_shown >= MAX_SHOWN;
}

/** @indent: columns more than those of a thread's frames. */
static void show_place(struct dump *dump, const struct dump_place *place, int indent)
{
	const struct dump_locals *locals = place->locals;
	dump_view_place(&dump->view, place, indent);
	dump->num_shown += BYTES_AROUND_TEXT + place->name_length + place->file_length;
	for (size_t i = 0; locals && i < locals->num_items; i++)
		dump->num_shown += BYTES_AROUND_TEXT + strlen(locals->items[i].name) +
				   strlen(locals->items[i].value);
}

static struct error *show_frames(struct dump *dump, size_t num_frames)
{
	struct error *err = NULL;
	size_t i = 0;
	for (; !err && i < num_frames && !process_dump_is_full(dump); i++) {
		struct dump_place place;
		err = dump->ops->read_frame(dump->source, i, &place);
		if (!err)
			show_place(dump, &place, 0);
	}
	dump_view_end_places(&dump->view, i < num_frames);
	return err;
}

static struct error *show_task(struct dump *dump, struct dump_task_view *view, size_t row)
{
	const struct dump_task task = dump->ops->task(dump->source, row);
	dump_task_view_begin_task(view, &task);
	for (size_t i = 0; i < task.num_frames; i++) {
		struct dump_place place;
		struct error *err = dump->ops->read_task_frame(dump->source, row, i, &place);
		if (err)
			return err;
		show_place(dump, &place, dump_task_indent(&task) + DUMP_TASK_FRAME_INDENT);
	}
	dump_task_view_end_frames(view, &task);
	return NULL;
}

static struct error *show_tasks(struct dump *dump)
{
	struct dump_tasks tasks;
	struct error *err = dump->ops->read_tasks(dump->source, &tasks);
	if (err)
		return err;
	struct dump_task_view view;
	dump_task_view_begin(&view, &dump->view, tasks.is_steady);
	for (size_t i = 0; !err && i < tasks.num_rows && !process_dump_is_full(dump); i++)
		err = show_task(dump, &view, i);
	dump_task_view_end(&view, tasks.is_cut || process_dump_is_full(dump));
	return err;
}

static struct error *show_thread(struct dump *dump, size_t index)
{
	struct dump_thread thread;
	struct error *err = dump->ops->read_thread(dump->source, index, &thread);
	if (err)
		return err;
	dump_view_begin_thread(&dump->view, &thread);
	dump->num_shown += BYTES_AROUND_TEXT;
	err = show_frames(dump, thread.num_frames);
	if (!err && dump->shows_tasks)
		err = show_tasks(dump);
	dump_view_end_thread(&dump->view);
	return err;
}

static struct error *process_dump_show(struct dump *dump, uint32_t pid)
{
	struct error *err = NULL;
	size_t num_shown = 0;
	dump_view_begin(&dump->view, pid, dump->source->version, dump->source->no_tasks);
	for (; !err && num_shown < dump->source->num_threads && !process_dump_is_full(dump);
	     num_shown++)
		err = show_thread(dump, num_shown);
	dump_view_end(&dump->view, dump->source->num_threads - num_shown);
	return err;
}

/** By the first interpreter that the process has. */
static struct error *process_dump_find(struct dump *dump, const struct dump_request *request)
{
	struct error *absent = NULL;
	for (size_t i = 0; all_interpreters[i]; i++) {
		const struct interpreter_ops *interpreter = all_interpreters[i];
		if (!interpreter->dump)
			continue;
		struct error *err = interpreter->dump->open(request, &dump->source);
		if (err && err->code == ERROR_ABSENT && !absent) {
			absent = err; // what the usual one says, if there is none at all
			continue;
		}
		if (err && err->code == ERROR_ABSENT) {
			error_destroy(err);
			continue;
		}
		error_destroy(absent);
		dump->ops = interpreter->dump;
		dump->view.language = interpreter->language->name;
		return err;
	}
	assert(absent); // at least one interpreter can be asked
	return absent;
}

/** @ret: also after an error it is to be ended. */
static struct error *process_dump_open(const struct dump_request *request, struct dump *ret)
{
	struct error *err = request->stops_threads ? thread_hold_check(request->pid) : NULL;
	if (!err)
		err = process_dump_find(ret, request);
	if (!err)
		ret->shows_tasks =
			request->with_tasks && ret->ops->read_tasks && !ret->source->no_tasks;
	return err;
}

struct error *process_dump_write(const struct dump_request *request,
				 struct output_request output_request)
{
	_cleanup_(dump_deinit) struct dump dump = {.source = NULL};
	struct error *err = process_dump_open(request, &dump);
	if (err)
		return err;
	_cleanup_(output_deinit) struct output output;
	err = output_open(output_request, &output);
	if (err)
		return err;
	dump.view.output = &output;
	err = process_dump_show(&dump, request->pid);
	return err ? err : output_close(&output);
}

struct error *process_dump_write_json(const struct dump_request *request, FILE *stream)
{
	_cleanup_(dump_deinit) struct dump dump = {.source = NULL};
	struct error *err = process_dump_open(request, &dump);
	if (err)
		return err;
	struct json_writer json = json_writer_create(stream);
	struct output output = {.json = &json};
	dump.view.output = &output;
	err = process_dump_show(&dump, request->pid);
	return err ? err : json_finish(&json, "memory");
}
