// SPDX-License-Identifier: Apache-2.0
// Without a word of the user, names decide: those of the command and of what it runs (env python3),
// the first line of a script, and for processes that run already the files that they have mapped,
// as a server may have an interpreter as a library. Then the collection method is chosen
// (method_choice.h). Who asked for interpreted frames gets an error if no method works; who did not
// gets a profile of native code and a note.

#include "interpreter/interpreted_choice.h"

#include "base/file/file_path.h"
#include "interpreter/interpreter_ops.h"
#include "process/memory/process_memory.h"
#include "process/thread/running.h"

#include <stdio.h>
#include <string.h>

/** By the name of its file. NULL, here and below: there is none. */
static const struct interpreter_ops *interpreted_choice_named(const char *path)
{
	for (size_t i = 0; all_interpreters[i]; i++)
		if (all_interpreters[i]->is_program(path))
			return all_interpreters[i];
	return NULL;
}

bool interpreted_choice_is_name(const char *path)
{
	return interpreted_choice_named(path) != NULL;
}

/** A script says in its first line what runs it. */
static const struct interpreter_ops *interpreted_choice_of_script(const char *path)
{
	char line[256] = "";
	FILE *file = strchr(path, '/') ? file_path_open_regular(path) : NULL;
	if (!file)
		return NULL;
	bool is_script = fgets(line, sizeof(line), file) && strncmp(line, "#!", 2) == 0;
	fclose(file);
	for (size_t i = 0; is_script && all_interpreters[i]; i++)
		if (all_interpreters[i]->runs_script && all_interpreters[i]->runs_script(line))
			return all_interpreters[i];
	return NULL;
}

/** Programs that run what comes behind their own words, as env does, count as well. */
static const struct interpreter_ops *interpreted_choice_of_command(char *const *command)
{
	const struct interpreter_ops *found = NULL;
	for (; command && *command && !found; command++) {
		found = interpreted_choice_named(*command);
		if (!found)
			found = interpreted_choice_of_script(*command);
	}
	return found;
}

static const struct interpreter_ops *interpreted_choice_mapped(const char *path)
{
	for (size_t i = 0; all_interpreters[i]; i++)
		if (all_interpreters[i]->is_mapped_as(path))
			return all_interpreters[i];
	return NULL;
}

/** By the modules that it has mapped. */
static const struct interpreter_ops *interpreted_choice_of_process(uint32_t pid)
{
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&pid, 1, &running);
	const struct interpreter_ops *found = NULL;
	bool more = true;
	while (!err && more && !found) {
		struct record record;
		err = running_next(running, &record, &more);
		if (!err && more && record.kind == RECORD_MAP)
			found = interpreted_choice_mapped(record.map.path);
	}
	error_destroy(err); // said later
	return found;
}

static const struct interpreter_ops *interpreted_choice_find(
	const struct interpreted_request *request)
{
	const struct interpreter_ops *found = interpreted_choice_of_command(request->command);
	for (size_t i = 0; !found && i < request->num_pids; i++)
		found = interpreted_choice_of_process(request->pids[i]);
	return found;
}

bool interpreted_choice_finds(const struct interpreted_request *request)
{
	return interpreted_choice_find(request) != NULL;
}

struct error *interpreted_choice_read(const char *mode, struct interpreted_choice *ret)
{
	static const struct {
		const char *name;
		bool is_wanted;
		enum interpreted_rule rule;
	} rules[] = {
		{"mixed", true, INTERPRETED_MIXED},
		{"only", true, INTERPRETED_ONLY},
		{"native", false, INTERPRETED_MIXED},
	};
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, mode) != 0)
			continue;
		*ret = (struct interpreted_choice){.is_wanted = rules[i].is_wanted,
						   .rule = rules[i].rule};
		return NULL;
	}
	return error_with_hint(error_create(ERROR_USAGE, "unknown value of --python: '%s'", mode),
			       "--python takes mixed, only or native");
}

/** Why it is not better, behind words that name the language: a note with a hint. */
static void interpreted_choice_note_reason(const struct error *reason, struct string_builder *notes)
{
	string_builder_appendf(notes, ": %s\n", reason->message);
	if (reason->hint)
		string_builder_appendf(notes, "hint: %s\n", reason->hint);
}

/** Behind "stacks are". */
static const char *interpreted_choice_words_of(enum collection_method method)
{
	static const char *const words[] = {
		[COLLECTION_TIMER] = "sampled on a timer: no events, no native code; very short "
				     "calls may be attributed to other lines",
		[COLLECTION_SNAPSHOT] = "read shortly after each sample; very short calls may be "
					"attributed to other lines",
	};
	return words[method];
}

static struct error *interpreted_choice_method(const struct method_request *request,
					       struct source *source, struct string_builder *notes,
					       enum collection_method *ret)
{
	_cleanup_(error_destroyp) struct error *above = NULL;
	struct error *err = method_choice_make(source, request, ret, &above);
	if (!err && above) {
		string_builder_appendf(notes, "note: %s stacks are %s", request->language,
				       interpreted_choice_words_of(*ret));
		interpreted_choice_note_reason(above, notes);
	}
	if (!err && request->stops)
		string_builder_appendf(notes,
				       "note: wperf stops the thread of each sample while it reads "
				       "its %s stack (--stop)\n",
				       request->language);
	return err;
}

static struct error *nothing_to_stop_for(const struct source *source, bool is_native,
					 const char *language)
{
	struct error *err = error_create(ERROR_USAGE, "--stop needs a %s program", language);
	if (!source_reads_frames(source))
		return error_with_hint(err, "this source cannot read %s stacks", language);
	if (is_native)
		return error_with_hint(err, "leave out --python=native");
	return error_with_hint(err, "use --python=only if the target runs %s", language);
}

static struct error *needs_interpreted(const struct source *source, bool is_native,
				       const char *language)
{
	struct error *err = error_create(ERROR_FAILED, "source '%s' samples only %s programs",
					 source->ops->traits.name, language);
	if (is_native)
		return error_with_hint(err, "leave out --python=native");
	return error_with_hint(err,
			       "use --python=only if the target runs %s; --source perf samples any "
			       "program",
			       language);
}

/** Tasks and code have their names there. The kernel's walk over frames may do without. */
static struct error *interpreted_choice_check_memory(const struct interpreted_request *request)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < request->num_pids; i++)
		err = process_memory_check(request->pids[i]);
	return err;
}

/** Three kinds of words ask for interpreted frames: --python, --gil or --async, and --stop. With
 * one of them, a missing method is an error; without, it is a note. A source that has nothing but
 * interpreted stacks (the timer on Linux) cannot do without them: there it is always an error. */
struct error *interpreted_choice_make(const struct interpreted_request *request,
				      struct source *source, struct string_builder *notes,
				      struct interpreted_choice *ret)
{
	bool is_said = request->mode != NULL;
	*ret = (struct interpreted_choice){.is_wanted = false};
	struct error *err = is_said ? interpreted_choice_read(request->mode, ret) : NULL;
	if (err)
		return err;
	bool needs_frames = request->only_with_gil || request->by_task;
	if (needs_frames && is_said && !ret->is_wanted)
		return error_create(ERROR_USAGE, "%s and --python native cannot be combined",
				    request->by_task ? "--async" : "--gil");
	if (needs_frames)
		is_said = ret->is_wanted = true;
	const struct interpreter_ops *found = interpreted_choice_find(request);
	if (!is_said)
		ret->is_wanted = found != NULL || request->tries;
	const char *language = (found ? found->language : interpreter_usual_language())->name;
	const struct method_request wanted = {request->stops, request->pids, request->num_pids,
					      language};
	if (request->stops && !ret->is_wanted)
		return nothing_to_stop_for(source, is_said, language);
	err = ret->is_wanted ? interpreted_choice_method(&wanted, source, notes, &ret->method)
			     : NULL;
	if (!err && request->by_task)
		err = interpreted_choice_check_memory(request);
	if (source->ops->traits.looks_by_time && !source_holds_threads(source)) {
		ret->rule = INTERPRETED_ONLY;
		return err || ret->is_wanted ? err : needs_interpreted(source, is_said, language);
	}
	if (!err || is_said || request->stops || err == &error_no_memory)
		return err;
	ret->is_wanted = false;
	if (source_reads_frames(source)) {
		string_builder_appendf(notes, "note: no %s lines", language);
		interpreted_choice_note_reason(err, notes);
	}
	error_destroy(err);
	return NULL;
}
