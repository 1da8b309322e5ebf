/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_TABLE_H
#define WPERF_CLI_OPTION_OPTION_TABLE_H

/**
 * How the rows of the option tables are written. Each option_<group>.c has the rows of one or
 * more groups, the most used option first.
 */

#include "base/container/array.h"
#include "cli/command.h"
#include "cli/option/option.h"
#include "cli/option/options.h"

#include <stddef.h>
#include <stdint.h>

/** Which commands take an option. */
enum {
	DETECT = 1 << COMMAND_DETECT,
	HELP = 1 << COMMAND_HELP,
	MAN = 1 << COMMAND_MAN,
	VERSION = 1 << COMMAND_VERSION,
	TEST = 1 << COMMAND_TEST,
	LIST = 1 << COMMAND_LIST,
	STAT = 1 << COMMAND_STAT,
	SYMBOLS = 1 << COMMAND_SYMBOLS,
	DUMP = 1 << COMMAND_DUMP,
	CPUINFO = 1 << COMMAND_CPUINFO,
	TOP = 1 << COMMAND_TOP,
	SAMPLING = 1 << COMMAND_SAMPLE | 1 << COMMAND_RECORD,
	REPORT = 1 << COMMAND_REPORT,
	ANNOTATE = 1 << COMMAND_ANNOTATE,
	EXPORT = 1 << COMMAND_EXPORT,
	FLAMEGRAPH = 1 << COMMAND_FLAMEGRAPH,
	SCRIPT = 1 << COMMAND_SCRIPT,
	EVLIST = 1 << COMMAND_EVLIST,
	SETUP = 1 << COMMAND_SETUP,
	ETW = 1 << COMMAND_ETW,
	STORE = 1 << COMMAND_STORE,
	SERVE = 1 << COMMAND_SERVE,
	AGENT = 1 << COMMAND_AGENT,
	DEBUG_UPLOAD = 1 << COMMAND_DEBUG_UPLOAD,
	TRACE = 1 << COMMAND_TRACE,
	READING = REPORT | ANNOTATE | EXPORT | SCRIPT | FLAMEGRAPH, /* of a file of samples */
	ALL = (1 << NUM_COMMANDS) - 1,
	STORED = REPORT | ANNOTATE | EXPORT | FLAMEGRAPH, /* of a store as well */
	/* What they print is for programs as well. */
	RESULTS = ALL & ~(SETUP | ETW | STORE | AGENT | SERVE | DEBUG_UPLOAD),
	COUNTING = STAT | SAMPLING | TOP | TEST, /* test shows how events would be counted */
	CATALOGUE = COUNTING | LIST | MAN,
	DEVICE = COUNTING | LIST | VERSION | DETECT | CPUINFO,
};

#define AT(member) .offset = offsetof(struct options, member)
#define RUN(id)    .kind = OPTION_COMMAND, .offset = (id)
#define ANY_NUMBER .min = 0, .max = INT32_MAX

#define OPTION_GROUP(heading, rows)                                                    \
	{                                                                              \
		.title = (heading), .options = (rows), .num_options = ARRAY_SIZE(rows) \
	}

extern const struct option_group option_group_target, option_group_event, option_group_repeat,
	option_group_input, option_group_stack, option_group_python, option_group_view,
	option_group_filter, option_group_store, option_group_agent, option_group_serve,
	option_group_upload, option_group_symbol, option_group_output, option_group_general;

#endif
