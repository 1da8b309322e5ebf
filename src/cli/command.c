// SPDX-License-Identifier: Apache-2.0
// One row for each command; everything that lists commands (help, man pages, completion, the
// nearest name of a mistyped one) reads it. The order of the ids is WindowsPerf's: with --compat,
// the first of several commands is run.
//
// A command that only reads files gives up its rights before it opens one (command_confinement.c),
// since the files may be from anybody.

#include "cli/command.h"

#include <string.h>

const struct command commands[NUM_COMMANDS] = {
	[COMMAND_RECORD] = {.name = "record", .run = command_record},
	[COMMAND_SAMPLE] = {.name = "sample", .run = command_sample},
	[COMMAND_TOP] = {.name = "top", .arguments = "[PID]", .run = command_top},
	[COMMAND_DUMP] = {.name = "dump", .arguments = "[PID]", .run = command_dump},
	[COMMAND_STAT] = {.name = "stat", .run = command_stat},
	[COMMAND_REPORT] = {.name = "report",
			    .arguments = "[FILE]",
			    .only_reads = true,
			    .run = command_report},
	[COMMAND_ANNOTATE] = {.name = "annotate",
			      .arguments = "[FILE] [FUNCTION]",
			      .only_reads = true,
			      .run = command_annotate},
	[COMMAND_FLAMEGRAPH] = {.name = "flamegraph",
				.arguments = "[FILE]",
				.only_reads = true,
				.run = command_flamegraph},
	[COMMAND_EXPORT] = {.name = "export",
			    .arguments = "[FILE]",
			    .only_reads = true,
			    .run = command_export},
	[COMMAND_SCRIPT] = {.name = "script",
			    .arguments = "[FILE]",
			    .only_reads = true,
			    .run = command_script},
	[COMMAND_EVLIST] = {.name = "evlist",
			    .arguments = "[FILE]",
			    .only_reads = true,
			    .run = command_evlist},
	[COMMAND_LIST] = {.name = "list",
			  .arguments = "[PATTERN | probes FILE]",
			  .run = command_list},
	[COMMAND_MAN] = {.name = "man", .arguments = "[CPU/]NAME[,...] ...", .run = command_man},
	[COMMAND_SYMBOLS] = {.name = "symbols",
			     .arguments = "FILE [ADDRESS ...]",
			     .only_reads = true,
			     .run = command_symbols},
	[COMMAND_DETECT] = {.name = "detect", .run = command_detect},
	[COMMAND_SETUP] = {.name = "setup", .run = command_setup},
	[COMMAND_ETW] = {.name = "etw", .run = command_etw},
	[COMMAND_STORE] = {.name = "store",
			   .arguments = "put|list|trim STORE [FILE ...]",
			   .only_reads = true,
			   .run = command_store},
	[COMMAND_TRACE] = {.name = "trace", .run = command_trace},
	[COMMAND_AGENT] = {.name = "agent", .run = command_agent},
	[COMMAND_SERVE] = {.name = "serve",
			   .only_reads = true,
			   .keeps_network = true,
			   .run = command_serve},
	[COMMAND_DEBUG_UPLOAD] = {.name = "debug-upload",
				  .arguments = "FILE|FOLDER ...",
				  .run = command_debug_upload},
	[COMMAND_CPUINFO] = {.name = "cpuinfo", .run = command_cpuinfo},
	[COMMAND_CMNLIST] = {.name = "cmnlist", .run = command_cmnlist},
	[COMMAND_TEST] = {.name = "test", .run = command_test},
	[COMMAND_VERSION] = {.name = "--version", .run = command_version},
	[COMMAND_HELP] = {.name = "help", .arguments = "[COMMAND]", .run = command_help},
};

enum command_id command_find(const char *name)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++)
		if (!strcmp(commands[id].name, name))
			return id;
	return COMMAND_NONE;
}
