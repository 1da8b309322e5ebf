// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"

#include "base/text/ascii.h"
#include "cli/option/option.h"

#include <stdio.h>
#include <string.h>

const enum command_id help_order[NUM_COMMANDS] = {
	COMMAND_RECORD,   COMMAND_TOP,        COMMAND_SAMPLE, COMMAND_DUMP,    COMMAND_REPORT,
	COMMAND_ANNOTATE, COMMAND_FLAMEGRAPH, COMMAND_EXPORT, COMMAND_SCRIPT,  COMMAND_EVLIST,
	COMMAND_STAT,     COMMAND_LIST,       COMMAND_MAN,    COMMAND_DETECT,  COMMAND_CPUINFO,
	COMMAND_CMNLIST,  COMMAND_SYMBOLS,    COMMAND_TEST,   COMMAND_VERSION, COMMAND_HELP,
};

const struct help_pair help_exit_codes[] = {
	{"0", "Success, also after Ctrl-C. record: the exit status of the program."},
	{"1", "Failure; standard error has the reason."},
	{"2", "Wrong command line; nothing was run. With --compat: 1, and 255 for stat without "
	      "events."},
	{NULL, NULL},
};

const struct help_pair help_environment[] = {
	{"WPERF_SOURCE", "Default of --source."},
	{"WPERF_EVENTS_DIR", "Default of --events-dir."},
	{"WPERF_COMPAT", "1: the same as --compat."},
	{"DEBUGINFOD_URLS", "Servers to ask for debug files of programs (Linux)."},
	{"_NT_SYMBOL_PATH", "Where to look for PDBs, after --symbol-path."},
	{"WPERF_SYMBOL_TIMEOUT",
	 "Seconds to wait for a PDB from a symbol server (default: 600). A server that takes "
	 "longer is not asked again."},
	{"NO_COLOR", "If set, no colors. Colors are only used on a terminal."},
	{NULL, NULL},
};

const struct help_pair help_files[] = {
	{"wperf.data",
	 "The recording that report, annotate, flamegraph, export, script and evlist read by "
	 "default; perf.data if it does not exist."},
	{"wperf.html", "The page that flamegraph writes by default."},
	{"/tmp/perf-PID.map", "Symbols of code that a JIT compiler made; wperf also reads "
			      "jit-PID.dump."},
	{"/usr/lib/debug", "Debug files of programs and libraries, by build ID or debug link."},
	{"~/.debug", "perf's cache of build IDs: recordings with Python put their Python symbols "
		     "there for perf."},
	{"~/.cache/wperf/symbols", "PDBs from symbol servers."},
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
		between = choice && strchr(choice, '|') ? ", " : " or ";
	}
}

bool help_usage(enum command_id id, size_t i, char *buffer, size_t size)
{
	const struct command *command = &commands[id];
	bool is_made = i == 0 && !command->usage[0];
	if (i >= COMMAND_MAX_USAGES || (!is_made && !command->usage[i]))
		return false;
	if (is_made)
		snprintf(buffer, size, "%s [OPTIONS] %s", command->name,
			 command->arguments ? command->arguments : "");
	else
		snprintf(buffer, size, "%s", command->usage[i]);
	return true;
}

const char *help_page_name(enum command_id id)
{
	return id == COMMAND_VERSION ? "version" : commands[id].name;
}
