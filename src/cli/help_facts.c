// SPDX-License-Identifier: Apache-2.0

#include "cli/help.h"
#include "cli/option.h"

#include <stdio.h>

const enum command_id help_order[NUM_COMMANDS] = {
	COMMAND_STAT,     COMMAND_SAMPLE,     COMMAND_RECORD, COMMAND_TOP,    COMMAND_REPORT,
	COMMAND_ANNOTATE, COMMAND_FLAMEGRAPH, COMMAND_EXPORT, COMMAND_SCRIPT, COMMAND_LIST,
	COMMAND_SYMBOLS,  COMMAND_DUMP,       COMMAND_TEST,   COMMAND_DETECT, COMMAND_MAN,
	COMMAND_VERSION,  COMMAND_HELP,
};

const struct help_pair help_exit_codes[] = {
	{"0", "It worked; a run that was ended with Ctrl-C, too."},
	{"1", "It failed; standard error says why."},
	{"2", "The command line was wrong; nothing was done. With --compat it is 1, and 255 for "
	      "stat without events."},
	{NULL, NULL},
};

const struct help_pair help_environment[] = {
	{"WPERF_SOURCE", "What --source is if it is not said."},
	{"WPERF_EVENTS_DIR", "What --events-dir is if it is not said."},
	{"WPERF_COMPAT", "With 1, as --compat."},
	{"_NT_SYMBOL_PATH", "Where PDBs are looked for behind the places of --symbol-path."},
	{"WPERF_SYMBOL_TIMEOUT",
	 "Seconds that a symbol server may take for a PDB, 600 if it is not "
	 "said; who takes longer is not asked again."},
	{"NO_COLOR", "With any value, no colours; there are none anyway but on a terminal."},
	{NULL, NULL},
};

bool help_command_takes(enum command_id id, const struct option *option)
{
	return id == COMMAND_NONE || option->commands & 1U << id;
}

void help_option_heading(const struct option *option, bool with_value, char *buffer, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < OPTION_MAX_SPELLINGS && option->spellings[i] && used < size; i++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "",
					 option->spellings[i]);
	if (with_value && option->value && used < size)
		snprintf(buffer + used, size - used, " %s", option->value);
}
