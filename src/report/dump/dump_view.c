// SPDX-License-Identifier: Apache-2.0
// Prints what process_dump.c gets, as it comes: begin and end calls, so that nothing has to be
// kept. Text and JSON are written side by side; either may be absent. Names, files and values are
// from the memory of the process and may hold anything: they pass through safe_text.h, and through
// the escapes of the JSON writer.

#include "report/dump/dump_view.h"

#include "view/layout/safe_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/** How a walk ended, which a reader should know of. */
struct end_words {
	char text[64]; /* "" if all is well */
};

static struct end_words end_words(const struct dump_view *view, enum frame_walk_end end)
{
	static const char *const words[FRAME_WALK_NUM_ENDS] = {
		[FRAME_WALK_NO_FRAMES] = "runs no ",
		[FRAME_WALK_NO_MEMORY] = "is truncated: its memory cannot be read",
		[FRAME_WALK_TOO_DEEP] = "is truncated: it is too deep",
		[FRAME_WALK_TORN] = "changed while it was read",
	};
	struct end_words ret = {""};
	if (words[end])
		snprintf(ret.text, sizeof(ret.text), "%s%s", words[end],
			 end == FRAME_WALK_NO_FRAMES ? view->language : "");
	return ret;
}

/** NULL: not known. */
static const char *state_words(enum thread_state state)
{
	static const char *const words[NUM_THREAD_STATES] = {
		[THREAD_RUNS] = "runs",
		[THREAD_SLEEPS] = "sleeps",
		[THREAD_WAITS_FOR_DISK] = "waits for the disk",
		[THREAD_IS_STOPPED] = "is stopped",
	};
	return words[state];
}

/** What it does, in as few words as say it; NULL: not known. */
static const char *activity_words(const struct dump_thread *shown)
{
	bool runs = shown->activity.state == THREAD_RUNS;
	// In the order of how much it explains: who waits for the GIL sleeps as well, but for
	// another reason than a sleep().
	if (shown->gil == GIL_WAITED)
		return "waits for the GIL";
	if (shown->gil == GIL_HELD)
		return shown->activity.state == THREAD_SLEEPS ? "holds the GIL and sleeps"
							      : "holds the GIL";
	if (runs && shown->gil == GIL_FREE)
		return "runs without the GIL";
	if (runs && shown->attachment == DUMP_DETACHED)
		return "runs native code only";
	return state_words(shown->activity.state);
}

static void dump_view_print_heading(const struct dump_view *view, const struct dump_thread *thread)
{
	FILE *stream = view->output->text;
	const struct end_words end = end_words(view, thread->end);
	fputs("\nThread ", stream);
	if (thread->tid)
		fprintf(stream, "%" PRIu32, thread->tid);
	else
		fprintf(stream, "0x%" PRIx64, thread->id);
	if (thread->name[0]) {
		fputs(" (", stream);
		safe_text_print(thread->name, strlen(thread->name), stream);
		fputc(')', stream);
	}
	// The main interpreter is 0, and goes without saying.
	if (thread->interpreter_id > 0)
		fprintf(stream, ", interpreter %" PRId64, thread->interpreter_id);
	if (activity_words(thread))
		fprintf(stream, ", %s", activity_words(thread));
	if (end.text[0])
		fprintf(stream, ", %s", end.text);
	fputc('\n', stream);
}

static void write_activity(struct json_writer *json, const struct dump_thread *shown)
{
	const char *state = state_words(shown->activity.state);
	json_key_bool(json, "holds_gil", shown->gil == GIL_HELD);
	if (shown->gil != GIL_UNKNOWN)
		json_key_bool(json, "waits_for_gil", shown->gil == GIL_WAITED);
	// Only builds without a GIL have it.
	if (shown->attachment != DUMP_ATTACHMENT_UNKNOWN)
		json_key_bool(json, "attached", shown->attachment == DUMP_ATTACHED);
	if (state)
		json_key_text(json, "state", state);
}

static void write_heading(const struct dump_view *view, const struct dump_thread *thread)
{
	struct json_writer *json = view->output->json;
	const struct end_words end = end_words(view, thread->end);
	if (thread->tid)
		json_key_u64(json, "tid", thread->tid);
	json_key_u64(json, "id", thread->id);
	if (thread->name[0])
		json_key_text(json, "name", thread->name);
	if (thread->interpreter_id >= 0)
		json_key_u64(json, "interpreter", (uint64_t)thread->interpreter_id);
	write_activity(json, thread);
	if (end.text[0])
		json_key_text(json, "note", end.text);
}

static void print_locals(FILE *stream, const struct dump_locals *locals)
{
	// A frame that runs changes its variables; what is torn is not shown.
	if (locals->is_torn) {
		fputs("        (its variables changed while they were read)\n", stream);
		return;
	}
	for (size_t i = 0; i < locals->num_items; i++) {
		const struct dump_local *local = &locals->items[i];
		fputs("        ", stream);
		safe_text_print(local->name, strlen(local->name), stream);
		fputs(" = ", stream);
		safe_text_print(local->value, strlen(local->value), stream);
		fputc('\n', stream);
	}
	if (locals->is_cut)
		fputs("        ...\n", stream);
}

static void dump_view_print_place(FILE *stream, const struct dump_place *place, int indent)
{
	fprintf(stream, "%*s", 4 + indent, "");
	if (!place->name) {
		fputs("? (its code was freed)\n", stream);
		return;
	}
	safe_text_print(place->name, place->name_length, stream);
	fputs("  ", stream);
	safe_text_print(place->file, place->file_length, stream);
	if (place->position.line)
		fprintf(stream, ":%" PRIu32, place->position.line);
	fputc('\n', stream);
	if (place->locals)
		print_locals(stream, place->locals);
}

static void write_locals(struct json_writer *json, const struct dump_locals *locals)
{
	if (locals->is_torn)
		return;
	json_key(json, "locals");
	json_begin_array(json);
	for (size_t i = 0; i < locals->num_items; i++) {
		json_begin_object(json);
		json_key_text(json, "name", locals->items[i].name);
		json_key_text(json, "value", locals->items[i].value);
		json_end_object(json);
	}
	json_end_array(json);
}

static void dump_view_write_place(struct json_writer *json, const struct dump_place *place)
{
	json_begin_object(json);
	if (place->name) {
		json_key_text(json, "function", place->name);
		json_key_text(json, "file", place->file);
		json_key_u64(json, "line", place->position.line);
		// Code has columns since CPython 3.11 (PEP 657).
		if (place->position.column) {
			json_key_u64(json, "end_line", place->position.end_line);
			json_key_u64(json, "column", place->position.column);
			json_key_u64(json, "end_column", place->position.end_column);
		}
		if (place->locals)
			write_locals(json, place->locals);
	}
	json_end_object(json);
}

/** The language in small letters is the key of the interpreter's version. */
static void write_version(const struct dump_view *view, const char *version)
{
	char key[32];
	size_t length = 0;
	for (; view->language[length] && length + 1 < sizeof(key); length++)
		key[length] = (char)tolower((unsigned char)view->language[length]);
	key[length] = '\0';
	json_key_text(view->output->json, key, version);
}

void dump_view_begin(const struct dump_view *view, uint32_t pid, const char *version,
		     const char *note)
{
	struct output *output = view->output;
	struct json_writer *json = output->json;
	if (output->text)
		fprintf(output->text, "Process %" PRIu32 ", %s %s\n", pid, view->language, version);
	if (output->text && note)
		fprintf(output->text, "\nno tasks: %s\n", note);
	if (!json)
		return;
	json_begin_object(json);
	json_key_u64(json, "pid", pid);
	write_version(view, version);
	// The process may have no tasks that can be read; its threads are shown all the same.
	if (note)
		json_key_text(json, "no_tasks", note);
	json_key(json, "threads");
	json_begin_array(json);
}

void dump_view_begin_thread(const struct dump_view *view, const struct dump_thread *thread)
{
	struct json_writer *json = view->output->json;
	if (view->output->text)
		dump_view_print_heading(view, thread);
	if (!json)
		return;
	json_begin_object(json);
	write_heading(view, thread);
	json_key(json, "frames");
	json_begin_array(json);
}

void dump_view_place(const struct dump_view *view, const struct dump_place *place, int indent)
{
	if (view->output->text)
		dump_view_print_place(view->output->text, place, indent);
	if (view->output->json)
		dump_view_write_place(view->output->json, place);
}

void dump_view_end_places(const struct dump_view *view, bool is_cut)
{
	struct output *output = view->output;
	if (output->text && is_cut)
		fputs("    ... and more frames\n", output->text);
	if (!output->json)
		return;
	json_end_array(output->json);
	if (is_cut)
		json_key_bool(output->json, "has_more_frames", true);
}

void dump_view_end_thread(const struct dump_view *view)
{
	if (view->output->json)
		json_end_object(view->output->json);
}

void dump_view_end(const struct dump_view *view, size_t num_left_out)
{
	struct output *output = view->output;
	if (output->text && num_left_out)
		fprintf(output->text, "\n%zu more threads: the output is limited to 8 MB\n",
			num_left_out);
	if (!output->json)
		return;
	json_end_array(output->json);
	if (num_left_out)
		json_key_u64(output->json, "num_threads_left_out", num_left_out);
	json_end_object(output->json);
}
