// SPDX-License-Identifier: Apache-2.0
// Tasks form a tree: a task is awaited by others, and those again. In text it is drawn
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

/** What a reader should know of the frames of a task. */
struct task_note {
	char text[64]; /* "" if all is well */
};

static struct task_note note_of(const struct dump_task_view *view, const struct dump_task *task)
{
	static const char *const kinds[] = {
		[DUMP_TASK_RUNS] = "runs",
		[DUMP_TASK_ELSEWHERE] = "see there",
		[DUMP_TASK_GONE] = "cannot be read",
		[DUMP_TASK_FUTURE] = NULL,
	};
	static const char *const ends[] = {
		[DUMP_COROUTINE_RUNS] = "runs, too",
		[DUMP_COROUTINE_OVER] = "is over",
		[DUMP_COROUTINE_CHANGED] = "changed while it was read",
		[DUMP_COROUTINE_TOO_DEEP] = "is truncated: it is too deep",
	};
	struct task_note ret = {""};
	const bool waits = task->kind == DUMP_TASK_WAITS;
	const char *words = waits ? ends[task->end] : kinds[task->kind];
	if (waits && task->end == DUMP_COROUTINE_FOREIGN)
		snprintf(ret.text, sizeof(ret.text), "has no %s frames", view->dump->language);
	else if (words)
		snprintf(ret.text, sizeof(ret.text), "%s", words);
	return ret;
}

static void dump_task_view_print_row(const struct dump_task_view *view,
				     const struct dump_task *task)
{
	FILE *stream = view->dump->output->text;
	const struct task_note note = note_of(view, task);
	fprintf(stream, "%*s%s", 4 + dump_task_indent(task), "", task->depth ? "awaited by " : "");
	if (task->kind == DUMP_TASK_FUTURE) {
		fputs("a future", stream);
	} else if (task->kind == DUMP_TASK_GONE) {
		fputs("a task", stream);
	} else {
		fputs("task '", stream);
		safe_text_print(task->name, strlen(task->name), stream);
		fputc('\'', stream);
	}
	if (note.text[0])
		fprintf(stream, ", %s", note.text);
	fputc('\n', stream);
}

static const char *dump_task_view_word_of(enum dump_task_kind kind)
{
	static const char *const words[] = {
		[DUMP_TASK_RUNS] = "running",        [DUMP_TASK_WAITS] = "waiting",
		[DUMP_TASK_ELSEWHERE] = "elsewhere", [DUMP_TASK_FUTURE] = "future",
		[DUMP_TASK_GONE] = "gone",
	};
	return words[kind];
}

static void dump_task_view_write_row(const struct dump_task_view *view,
				     const struct dump_task *task)
{
	struct json_writer *json = view->dump->output->json;
	const struct task_note note = note_of(view, task);
	json_begin_object(json);
	json_key_u64(json, "id", task->address);
	json_key_text(json, "kind", dump_task_view_word_of(task->kind));
	if (task->kind != DUMP_TASK_FUTURE && task->kind != DUMP_TASK_GONE)
		json_key_text(json, "name", task->name);
	if (task->kind == DUMP_TASK_WAITS && note.text[0])
		json_key_text(json, "note", note.text);
	if (task->is_cut) {
		json_key_bool(json, "has_more", true);
	}
	json_key(json, "frames");
	json_begin_array(json);
}

/** Rows that the next one, of this depth, does not belong to. */
static void close_rows(struct dump_task_view *view, uint32_t depth)
{
	struct json_writer *json = view->dump->output->json;
	for (; view->num_open > depth; view->num_open--) {
		json_end_array(json);
		json_end_object(json);
	}
}

void dump_task_view_begin(struct dump_task_view *view, const struct dump_view *dump, bool is_steady)
{
	const struct output *output = dump->output;
	*view = (struct dump_task_view){.dump = dump};
	if (output->text && !is_steady)
		fputs("    (the running task changed while it was read)\n", output->text);
	if (!output->json)
		return;
	if (!is_steady)
		json_key_text(output->json, "tasks_note", "the running task changed");
	json_key(output->json, "tasks");
	json_begin_array(output->json);
}

void dump_task_view_begin_task(struct dump_task_view *view, const struct dump_task *task)
{
	if (view->dump->output->text)
		dump_task_view_print_row(view, task);
	if (!view->dump->output->json)
		return;
	close_rows(view, task->depth);
	dump_task_view_write_row(view, task);
}

void dump_task_view_end_frames(struct dump_task_view *view, const struct dump_task *task)
{
	const struct output *output = view->dump->output;
	if (output->text && task->is_cut)
		fprintf(output->text, "%*s... more tasks wait for it\n", 6 + dump_task_indent(task),
			"");
	if (!output->json)
		return;
	json_end_array(output->json);
	json_key(output->json, "awaited_by");
	json_begin_array(output->json);
	view->num_open++;
}

void dump_task_view_end(struct dump_task_view *view, bool is_cut)
{
	const struct output *output = view->dump->output;
	if (output->text && is_cut)
		fputs("    ... and more tasks\n", output->text);
	if (!output->json)
		return;
	close_rows(view, 0);
	json_end_array(output->json);
	if (is_cut)
		json_key_bool(output->json, "has_more_tasks", true);
}
