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

bool absent_source_takes_timer(const char *named, const struct sample_request *asked)
{
	// The timer has time alone, of processes.
	for (size_t i = 0; i < asked->words.num_counted; i++)
		if (asked->words.counted[i].is_metric ||
		    strcmp(asked->words.counted[i].spec, "cpu-clock") != 0)
			return false;
	if (asked->words.cores)
		return false;
	_cleanup_(error_destroyp) struct error *err = absent_source_reason(named);
	if (!err)
		return false;
	// Where it sees native code, it is good for any program.
	if (source_timer_ops.sample->holds_threads())
		return true;
	bool is_native = asked->interpreted && strcmp(asked->interpreted, "native") == 0;
	return !is_native && is_of_interpreter(asked);
}

void absent_source_note_timer(struct string_builder *notes)
{
	if (source_timer_ops.sample->holds_threads())
		string_builder_appendf(notes,
				       "note: source '%s' cannot sample here; wperf samples "
				       "threads on a timer (--source timer)\n",
				       all_sources[0]->traits.name);
}
