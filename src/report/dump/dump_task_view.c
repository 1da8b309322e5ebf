// SPDX-License-Identifier: Apache-2.0
// Tasks of asyncio form a tree: a task is awaited by others, and those again. In text it is drawn
// by indentation, each row with the depth that the reader of tasks gave it:
//
//   task 'worker', runs
//     awaited by task 'main'
//
// JSON nests objects instead: the rows that wait for a task are in its "awaited_by". Rows come in
// the order of the tree (a task, then all that wait for it), so it is enough to know how many
// objects are open: before a row of depth N, all but N are closed.

#include "report/dump/dump_task_view.h"

#include "view/layout/safe_text.h"

#include <inttypes.h>
#include <string.h>

/** What a reader should know of its frames; NULL if all is well. */
static const char *note_of(const struct python_task *task)
{
	static const char *const kinds[] = {
		[PYTHON_TASK_RUNS] = "runs",
		[PYTHON_TASK_ELSEWHERE] = "see there",
		[PYTHON_TASK_GONE] = "cannot be read",
		[PYTHON_TASK_FUTURE] = NULL,
	};
	static const char *const ends[] = {
		[PYTHON_COROUTINE_RUNS] = "runs, too",
		[PYTHON_COROUTINE_OVER] = "is over",
		[PYTHON_COROUTINE_FOREIGN] = "has no Python frames",
		[PYTHON_COROUTINE_CHANGED] = "changed while it was read",
		[PYTHON_COROUTINE_TOO_DEEP] = "is truncated: it is too deep",
	};
	return task->kind == PYTHON_TASK_WAITS ? ends[task->end] : kinds[task->kind];
}

static void dump_task_view_print_row(FILE *stream, const char *name, const struct python_task *task)
{
	fprintf(stream, "%*s%s", 4 + dump_task_indent(task), "", task->depth ? "awaited by " : "");
	if (task->kind == PYTHON_TASK_FUTURE) {
		fputs("a future", stream);
	} else if (task->kind == PYTHON_TASK_GONE) {
		fputs("a task", stream);
	} else {
		fputs("task '", stream);
		safe_text_print(name, strlen(name), stream);
		fputc('\'', stream);
	}
	if (note_of(task))
		fprintf(stream, ", %s", note_of(task));
	fputc('\n', stream);
}

static const char *dump_task_view_word_of(enum python_task_kind kind)
{
	static const char *const words[] = {
		[PYTHON_TASK_RUNS] = "running",        [PYTHON_TASK_WAITS] = "waiting",
		[PYTHON_TASK_ELSEWHERE] = "elsewhere", [PYTHON_TASK_FUTURE] = "future",
		[PYTHON_TASK_GONE] = "gone",
	};
	return words[kind];
}

static bool dump_task_view_has_name(const struct python_task *task)
{
	return task->kind != PYTHON_TASK_FUTURE && task->kind != PYTHON_TASK_GONE;
}

static void dump_task_view_write_row(struct json_writer *json, const char *name,
				     const struct python_task *task)
{
	json_begin_object(json);
	json_key_u64(json, "id", task->address);
	json_key_text(json, "kind", dump_task_view_word_of(task->kind));
	if (dump_task_view_has_name(task))
		json_key_text(json, "name", name);
	if (task->kind == PYTHON_TASK_WAITS && note_of(task))
		json_key_text(json, "note", note_of(task));
	if (task->is_cut) {
		json_key_bool(json, "has_more", true);
	}
	json_key(json, "frames");
	json_begin_array(json);
}

/** Rows that the next one, of this depth, does not belong to. */
static void close_rows(struct dump_task_view *view, uint32_t depth)
{
	for (; view->num_open > depth; view->num_open--) {
		json_end_array(view->output->json);
		json_end_object(view->output->json);
	}
}

void dump_task_view_begin(struct dump_task_view *view, struct output *output, bool is_steady)
{
	*view = (struct dump_task_view){.output = output};
	if (output->text && !is_steady)
		fputs("    (the running task changed while it was read)\n", output->text);
	if (!output->json)
		return;
	if (!is_steady)
		json_key_text(output->json, "tasks_note", "the running task changed");
	json_key(output->json, "tasks");
	json_begin_array(output->json);
}

void dump_task_view_begin_task(struct dump_task_view *view, const struct python_tasks *tasks,
			       const struct python_task *task)
{
	const char *name = python_tasks_name(tasks, task);
	if (view->output->text)
		dump_task_view_print_row(view->output->text, name, task);
	if (!view->output->json)
		return;
	close_rows(view, task->depth);
	dump_task_view_write_row(view->output->json, name, task);
}

void dump_task_view_end_frames(struct dump_task_view *view, const struct python_task *task)
{
	struct json_writer *json = view->output->json;
	if (view->output->text && task->is_cut)
		fprintf(view->output->text, "%*s... more tasks wait for it\n",
			6 + dump_task_indent(task), "");
	if (!json)
		return;
	json_end_array(json);
	json_key(json, "awaited_by");
	json_begin_array(json);
	view->num_open++;
}

void dump_task_view_end(struct dump_task_view *view, const struct python_tasks *tasks)
{
	if (view->output->text && tasks->is_cut)
		fputs("    ... and more tasks\n", view->output->text);
	if (!view->output->json)
		return;
	close_rows(view, 0);
	json_end_array(view->output->json);
	if (!tasks->is_cut)
		return;
	json_key_bool(view->output->json, "has_more_tasks", true);
}
