// SPDX-License-Identifier: Apache-2.0

#include "cli/option/program_words.h"

#include "base/file/file_name.h"
#include "base/file/file_path.h"
#include "cli/option/option.h"
#include "session/program/program_path.h"

#include <string.h>

// What stands behind stat and record without "--" is taken for a program only if it is one: a
// mistyped option or command would else be run. The reasons why there is none are tried from the
// most specific to the most general.

static bool program_words_ends_with(const char *word, const char *end)
{
	size_t length = strlen(word), end_length = strlen(end);
	return length > end_length && !strcmp(word + length - end_length, end);
}

static struct error *no_program(const struct options *options)
{
	const char *name = options->spawn[0], *command = commands[options->command].name;
	struct error *err = error_create(ERROR_USAGE, "cannot run '%s': no such program", name);
	const char *nearest = option_nearest(name);
	// py-spy and top take a number without -p.
	if (*name && name[strspn(name, "0123456789")] == 0)
		return error_with_hint(err, "to attach to process %s: wperf %s -p %s", name,
				       command, name);
	if (program_words_ends_with(name, ".py") && file_path_kind(name) != FILE_PATH_ABSENT)
		return error_with_hint(err, "write wperf %s python3 %s", command, name);
	if (file_path_kind(name) != FILE_PATH_ABSENT)
		return error_with_hint(err, "write wperf %s ./%s", command, name);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'?", nearest);
	if (file_name_of(name) != name)
		return error_with_hint(err, "check the path");
	if (options->command == COMMAND_STAT)
		return error_with_hint(err,
				       "give a path or a name in PATH; events need -e: wperf stat "
				       "-e %s",
				       name);
	return error_with_hint(err, "give a path or a name in PATH");
}

bool program_words_are_there(const char *name)
{
	_cleanup_free_ char *path = NULL;
	error_destroy(program_path_find(name, &path));
	return path != NULL;
}

struct error *program_words_check(const struct options *options)
{
	// With --sysroot, programs are those of another system.
	if (!options->spawn || options->sysroot || options->command == COMMAND_HELP)
		return NULL;
	return program_words_are_there(options->spawn[0]) ? NULL : no_program(options);
}

void program_words_note_sleep(struct options *options)
{
	bool has_target = options->pids || options->system_wide || options->cores;
	if (options->command != COMMAND_STAT || options->quiet || options->spawn || has_target)
		return;
	if (program_words_are_there("sleep"))
		string_builder_append(&options->warnings,
				      "note: 'sleep' is a time-out, as --timeout; to count the "
				      "program: wperf stat -- sleep 1\n");
}

void program_words_choose_clock(struct options *options)
{
	bool has_target = options->pids || options->system_wide;
	bool can_spawn = COMMANDS_THAT_START & 1U << options->command;
	if (!has_target || !can_spawn || options->compat)
		return;
	// `record -a -- sleep 10` samples the system for as long as the program runs: it is the
	// clock of the run, not its target. perf users do so.
	options->clock = options->spawn;
	options->spawn = NULL;
	options->num_spawn = 0;
}
