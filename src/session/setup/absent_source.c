// SPDX-License-Identifier: Apache-2.0
// Whether a failure is that of the absent source is seen by its message: the source is asked again
// why it cannot sample, and says the same. So no other failure (of a file, of memory) is taken for
// one that a command may do without.

#include "session/setup/absent_source.h"

#include "process/pid_list.h"
#include "source/source.h"
#include "source/timer/source_timer.h"

#include <stdlib.h>
#include <string.h>

struct error *absent_source_reason(const char *named)
{
	bool is_named = named && *named;
	const struct sample_ops *sample = all_sources[0]->sample;
	return is_named || !sample || !sample->check ? NULL : sample->check();
}

bool absent_source_explains(const char *named, const struct error *failure, const char *what,
			    const char *hint, struct string_builder *notes)
{
	_cleanup_(error_destroyp) struct error *reason = absent_source_reason(named);
	if (!reason || strcmp(reason->message, failure->message) != 0)
		return false;
	// Only the first line of the message, without the "error: " that those of WindowsPerf begin
	// with.
	static const char own_word[] = "error: ";
	const char *line = reason->message;
	if (strncmp(line, own_word, strlen(own_word)) == 0)
		line += strlen(own_word);
	string_builder_appendf(notes, "note: %ssource '%s' cannot be used here: %.*s\n", what,
			       all_sources[0]->traits.name, (int)strcspn(line, "\n"), line);
	if (!hint)
		hint = reason->hint;
	if (hint)
		string_builder_appendf(notes, "hint: %s\n", hint);
	return true;
}

/** Is it an interpreter that shall be sampled: the command, the processes, or what has the name? */
static bool is_of_interpreter(const struct sample_request *asked)
{
	_cleanup_free_ uint32_t *pids = NULL;
	struct interpreted_request request = {.command = asked->command};
	struct error *err =
		asked->pids ? pid_list_parse(asked->pids, &pids, &request.num_pids) : NULL;
	error_destroy(err); // said later
	request.pids = pids;
	return interpreted_choice_finds(&request) ||
	       (asked->process_name && interpreted_choice_is_name(asked->process_name));
}

/** The timer has time alone, of processes. */
static bool absent_source_is_time(const struct sample_request *asked)
{
	for (size_t i = 0; i < asked->words.num_counted; i++)
		if (asked->words.counted[i].is_metric ||
		    strcmp(asked->words.counted[i].spec, "cpu-clock") != 0)
			return false;
	return !asked->words.cores;
}

static bool absent_source_can_sample(const struct source_ops *ops)
{
	_cleanup_(error_destroyp) struct error *err =
		ops->sample->check ? ops->sample->check() : NULL;
	return !err;
}

/** The first that may take the place of the default source, and can. */
static const struct source_ops *absent_source_find(void)
{
	for (const struct source_ops *const *ops = all_sources + 1; *ops; ops++)
		if ((*ops)->traits.stands_in && absent_source_can_sample(*ops))
			return *ops;
	return NULL;
}

const struct source_ops *absent_source_stand_in(const char *named,
						const struct sample_request *asked)
{
	_cleanup_(error_destroyp) struct error *err = absent_source_reason(named);
	if (!err)
		return NULL;
	bool is_native = asked->interpreted && strcmp(asked->interpreted, "native") == 0;
	bool is_interpreted = !is_native && is_of_interpreter(asked);
	bool is_time = absent_source_is_time(asked);
	// Interpreted stacks are read while a thread is still where it was sampled: only the timer
	// tells of a sample at once.
	if (is_time && is_interpreted && !asked->off_cpu)
		return &source_timer_ops;
	const struct source_ops *other = absent_source_find();
	if (other || !is_time)
		return other;
	// Where the timer sees native code, it is good for any program.
	bool is_enough = is_interpreted || source_timer_ops.sample->holds_threads();
	return is_enough ? &source_timer_ops : NULL;
}

const struct source_ops *absent_source_listed(void)
{
	const struct source_ops *other = absent_source_find();
	return other ? other : &source_timer_ops;
}

/** Why a source before the timer was not taken. */
static void absent_source_note_others(struct string_builder *notes)
{
	for (const struct source_ops *const *ops = all_sources + 1; *ops; ops++) {
		if (!(*ops)->traits.stands_in || !(*ops)->sample->check)
			continue;
		_cleanup_(error_destroyp) struct error *err = (*ops)->sample->check();
		if (err)
			string_builder_appendf(notes, "note: source '%s' cannot either: %s\n",
					       (*ops)->traits.name, err->message);
	}
}

void absent_source_note(const struct source_ops *taken, struct string_builder *notes)
{
	const char *absent = all_sources[0]->traits.name, *name = taken->traits.name;
	if (!taken->traits.looks_by_time)
		string_builder_appendf(notes,
				       "note: source '%s' cannot sample here; wperf samples with "
				       "source '%s'\n",
				       absent, name);
	else if (taken->sample->holds_threads())
		string_builder_appendf(notes,
				       "note: source '%s' cannot sample here; wperf samples "
				       "threads on a timer (--source %s)\n",
				       absent, name);
	if (taken->traits.looks_by_time)
		absent_source_note_others(notes);
}
