// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"

#include "base/text/ascii.h"
#include "cli/help/command_text.h"
#include "cli/option/option.h"

#include <stdio.h>
#include <string.h>

// What all forms of help say alike: the order of commands, the texts that are lists of names and
// their meanings (text/*.txt), how an option is written, and how the choices of its value are
// listed.

// The most used first; the table of commands has WindowsPerf's order.
const enum command_id help_order[NUM_COMMANDS] = {
	COMMAND_RECORD, COMMAND_TOP,      COMMAND_SAMPLE,     COMMAND_DUMP,
	COMMAND_REPORT, COMMAND_ANNOTATE, COMMAND_FLAMEGRAPH, COMMAND_EXPORT,
	COMMAND_SCRIPT, COMMAND_EVLIST,   COMMAND_STAT,       COMMAND_TRACE,
	COMMAND_LIST,   COMMAND_MAN,      COMMAND_DETECT,     COMMAND_SETUP,
	COMMAND_AGENT,  COMMAND_STORE,    COMMAND_SERVE,      COMMAND_DEBUG_UPLOAD,
	COMMAND_ETW,    COMMAND_CPUINFO,  COMMAND_CMNLIST,    COMMAND_SYMBOLS,
	COMMAND_TEST,   COMMAND_VERSION,  COMMAND_HELP,
};

const struct help_pair help_exit_codes[] = {
#include "exit_status.txt.inc"
	{NULL, NULL},
};

const struct help_pair help_environment[] = {
#include "environment.txt.inc"
	{NULL, NULL},
};

const struct help_pair help_files[] = {
#include "files.txt.inc"
	{NULL, NULL},
};

bool help_command_takes(enum command_id id, const struct option *option)
{
	return id == COMMAND_NONE || option->commands & 1U << id;
}

static bool has_choices(const struct option *option)
{
	return option->value && strchr(option->value, '|') &&
	       ascii_lower(*option->value) == *option->value;
}

void help_option_heading(const struct option *option, bool with_value, char *buffer, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < OPTION_MAX_SPELLINGS && option->spellings[i] && used < size; i++)
		used += (size_t)snprintf(buffer + used, size - used, "%s%s", i ? ", " : "",
					 option->spellings[i]);
	if (with_value && option->value && used < size)
		snprintf(buffer + used, size - used, " %s",
			 has_choices(option) ? "KIND" : option->value);
}

void help_option_text(const struct option *option, char *buffer, size_t size)
{
	size_t used = (size_t)snprintf(buffer, size, "%s", option->help);
	if (!has_choices(option) || used == 0)
		return;
	const char *between = ": ";
	used--; // the full stop
	for (const char *choice = option->value; choice && used < size;) {
		const char *end = strchr(choice, '|');
		int length = end ? (int)(end - choice) : (int)strlen(choice);
		used += (size_t)snprintf(buffer + used, size - used, "%s%.*s%s", between, length,
					 choice, end ? "" : ".");
		choice = end ? end + 1 : NULL;
		// The last choice stands behind "or".
		between = choice && strchr(choice, '|') ? ", " : " or ";
	}
}

const char *help_usage(enum command_id id, size_t i)
{
	return i < COMMAND_MAX_USAGES ? command_texts[id].usage[i] : NULL;
}

const char *help_page_name(enum command_id id)
{
	return id == COMMAND_VERSION ? "version" : commands[id].name;
}
