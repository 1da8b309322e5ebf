// SPDX-License-Identifier: Apache-2.0

#include "base/array.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pid_list.h"
#include "process/proc_folder.h"
#include "process/process_table.h"
#include "process/running.h"
#include "python/python_code.h"
#include "python/python_stack.h"
#include "python/python_threads.h"
#include "session/python_process.h"
#include "view/safe_text.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_FRAMES = 1 << 16 };

/** Everything of the process that is asked. */
struct dump {
	uint32_t pid;
	struct python_runtime runtime;
	struct python_threads threads;
	struct python_code_table codes;
	struct python_stack_reader *reader;
	struct python_frame *frames; /* MAX_FRAMES */
	struct output output;
};

/** One thread, at one moment. */
struct thread_stack {
	const struct python_thread *thread;
	char name[PROCESS_NAME_SIZE];
	enum python_walk_end end;
	size_t num_frames;
};

/** What is known of a frame; names are NULL if its code object was gone. */
struct place {
	const char *name, *file;
	uint32_t file_length, name_length;
	struct python_position position;
};

static void dump_deinit(struct dump *dump)
{
	output_deinit(&dump->output);
	python_stack_reader_destroy(dump->reader);
	python_code_table_deinit(&dump->codes);
	python_threads_deinit(&dump->threads);
	free(dump->frames);
}

/** Words for how a walk ended that a reader should know of; NULL if all is well. */
static const char *end_words(enum python_walk_end end)
{
	static const char *const words[PYTHON_WALK_NUM_ENDS] = {
		[PYTHON_WALK_NO_FRAMES] = "runs no Python",
		[PYTHON_WALK_NO_MEMORY] = "cannot be read to its end",
		[PYTHON_WALK_TOO_DEEP] = "goes deeper than this",
		[PYTHON_WALK_TORN] = "changed while it was read",
	};
	return words[end];
}

static struct error *find_place(struct dump *dump, const struct python_frame *frame,
				struct place *ret)
{
	*ret = (struct place){0};
	uint32_t index;
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

static void print_place(FILE *stream, const struct place *place)
{
	fputs("    ", stream);
	if (!place->name) {
		fputs("? (its code is gone)\n", stream);
		return;
	}
	safe_text_print(place->name, place->name_length, stream);
	fputs("  ", stream);
	safe_text_print(place->file, place->file_length, stream);
	if (place->position.line)
		fprintf(stream, ":%" PRIu32, place->position.line);
	fputc('\n', stream);
}

static void write_number(struct json_writer *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_u64(json, value);
}

static void write_place(struct json_writer *json, const struct place *place)
{
	json_begin_object(json);
	if (place->name) {
		json_key_text(json, "function", place->name);
		json_key_text(json, "file", place->file);
		write_number(json, "line", place->position.line);
		if (place->position.column) {
			write_number(json, "end_line", place->position.end_line);
			write_number(json, "column", place->position.column);
			write_number(json, "end_column", place->position.end_column);
		}
	}
	json_end_object(json);
}

static void print_heading(FILE *stream, const struct thread_stack *stack)
{
	const struct python_thread *thread = stack->thread;
	fputs("\nThread ", stream);
	if (thread->tid)
		fprintf(stream, "%" PRIu32, thread->tid);
	else
		fprintf(stream, "0x%" PRIx64, thread->id);
	if (stack->name[0]) {
		fputs(" (", stream);
		safe_text_print(stack->name, strlen(stack->name), stream);
		fputc(')', stream);
	}
	if (thread->interpreter_id > 0)
		fprintf(stream, ", interpreter %" PRId64, thread->interpreter_id);
	if (thread->holds_gil)
		fputs(", holds the GIL", stream);
	if (end_words(stack->end))
		fprintf(stream, ", %s", end_words(stack->end));
	fputc('\n', stream);
}

static void write_heading(struct json_writer *json, const struct thread_stack *stack)
{
	const struct python_thread *thread = stack->thread;
	if (thread->tid)
		write_number(json, "tid", thread->tid);
	write_number(json, "id", thread->id);
	if (stack->name[0])
		json_key_text(json, "name", stack->name);
	if (thread->interpreter_id >= 0)
		write_number(json, "interpreter", (uint64_t)thread->interpreter_id);
	json_key(json, "holds_gil");
	json_bool(json, thread->holds_gil);
	if (end_words(stack->end))
		json_key_text(json, "note", end_words(stack->end));
}

static struct error *show_frames(struct dump *dump, const struct thread_stack *stack)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < stack->num_frames; i++) {
		struct place place;
		err = find_place(dump, &dump->frames[i], &place);
		if (!err && dump->output.text)
			print_place(dump->output.text, &place);
		if (!err && dump->output.json)
			write_place(dump->output.json, &place);
	}
	return err;
}

static struct error *show_thread(struct dump *dump, const struct python_thread *thread)
{
	struct thread_stack stack = {.thread = thread};
	stack.end = python_stack_read(dump->reader, thread->state, dump->frames, MAX_FRAMES,
				      &stack.num_frames);
	running_thread_name(dump->pid, thread->tid, stack.name, sizeof(stack.name));
	struct json_writer *json = dump->output.json;
	if (dump->output.text)
		print_heading(dump->output.text, &stack);
	if (json) {
		json_begin_object(json);
		write_heading(json, &stack);
		json_key(json, "frames");
		json_begin_array(json);
	}
	struct error *err = show_frames(dump, &stack);
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
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
	if (runtime->version & 0xffff)
		length += snprintf(version.text + length, sizeof(version.text) - (size_t)length,
				   ".%" PRIu32, runtime->version >> 8 & 0xff);
	if (runtime->layout.is_free_threaded)
		snprintf(version.text + length, sizeof(version.text) - (size_t)length,
			 " (free-threaded)");
	return version;
}

static struct error *show_threads(struct dump *dump)
{
	struct error *err = NULL;
	for (size_t i = dump->threads.num_items; !err && i-- > 0;)
		err = show_thread(dump, &dump->threads.items[i]);
	return err;
}

static struct error *show(struct dump *dump)
{
	struct version_text version = version_text(&dump->runtime);
	struct json_writer *json = dump->output.json;
	if (dump->output.text)
		fprintf(dump->output.text, "Process %" PRIu32 ", Python %s\n", dump->pid,
			version.text);
	if (json) {
		json_begin_object(json);
		write_number(json, "pid", dump->pid);
		json_key_text(json, "python", version.text);
		json_key(json, "threads");
		json_begin_array(json);
	}
	struct error *err = show_threads(dump);
	if (json) {
		json_end_array(json);
		json_end_object(json);
	}
	return err;
}

static struct error *read_threads(struct dump *dump)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task", dump->pid);
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num_tids;
	struct error *err = proc_folder_list(path, &tids, &num_tids);
	if (!err)
		err = python_threads_read(&dump->threads, &dump->runtime, tids, num_tids);
	if (err || dump->threads.num_items)
		return err;
	return error_create(ERROR_FAILED, "no thread of Python runs in process %" PRIu32,
			    dump->pid);
}

static struct error *open_dump(struct dump *dump)
{
	struct error *err = python_process_open(dump->pid, &dump->runtime);
	if (err && err->code == ERROR_ABSENT)
		return error_with_hint(err, "dump shows the Python stacks of a running CPython, "
					    "3.6 or newer; sample -g shows native ones");
	if (err)
		return err;
	python_code_table_init(&dump->codes, &dump->runtime);
	dump->frames = calloc(MAX_FRAMES, sizeof(*dump->frames));
	if (!dump->frames)
		return &error_no_memory;
	err = python_stack_reader_create(&dump->runtime, &dump->reader);
	return err ? err : read_threads(dump);
}

static struct error *parse_pid(const struct options *options, uint32_t *ret)
{
	_cleanup_free_ pid_t *pids = NULL;
	size_t num = 0;
	struct error *err = options->pids ? pid_list_parse(options->pids, &pids, &num) : NULL;
	if (err)
		return err;
	if (num != 1)
		return error_with_hint(error_create(ERROR_USAGE, "'dump' needs one process"),
				       "wperf dump -p PID");
	*ret = (uint32_t)pids[0];
	return NULL;
}

struct error *command_dump(const struct options *options, int *ret_exit)
{
	_cleanup_(dump_deinit) struct dump dump = {0};
	struct error *err = parse_pid(options, &dump.pid);
	if (!err)
		err = open_dump(&dump);
	if (!err)
		err = output_open(options, &dump.output);
	if (!err)
		err = show(&dump);
	return err ? err : output_close(&dump.output);
}
