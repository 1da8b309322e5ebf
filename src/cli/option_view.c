// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option input_options[] = {
	{
		.spellings = {"-i", "--input"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(input),
		.commands = READING,
		.help = "The recording: a perf.data file of wperf, perf or simpleperf; - is "
			"standard "
			"input. wperf.data if left out, or perf.data if there is only that.",
	},
	{
		.spellings = {"--diff"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(diff),
		.commands = REPORT,
		.help = "Compare with this recording, which came later: what became hotter.",
	},
};

const struct option_group option_group_input = OPTION_GROUP("Input", input_options);

static const struct option view_options[] = {
	{
		.spellings = {"--sort"},
		.value = "function|line|module|address|thread|process|cpu|python-line|python-"
			 "function|"
			 "python-file",
		.kind = OPTION_TEXT,
		AT(sort),
		.commands = REPORT,
		.help = "What a row is; function if left out.",
	},
	{
		.spellings = {"--tree"},
		.value = "down|up|callers|callees",
		.kind = OPTION_TEXT,
		AT(tree),
		.commands = REPORT,
		.help = "A call tree in the place of the table: down from the outermost function, "
			"up "
			"from where samples were taken to the callers, or callers or callees of "
			"the "
			"function of --symbol.",
	},
	{
		.spellings = {"--percent-limit"},
		.value = "PERCENT",
		.kind = OPTION_TEXT,
		AT(percent_limit),
		.commands = REPORT,
		.help = "Leave out branches of a tree that are smaller; 0.5 if left out.",
	},
	{
		.spellings = {"--annotate"},
		.kind = OPTION_FLAG,
		AT(annotate),
		.commands = SAMPLING | TEST,
		.help = "Show the source lines of samples.",
	},
	{
		.spellings = {"--disassemble"},
		.kind = OPTION_FLAG,
		AT(disassemble),
		.commands = SAMPLING | TEST | ANNOTATE,
		.help = "Show the instructions of samples, with their source lines.",
	},
	{
		.spellings = {"--file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(source_file),
		.commands = ANNOTATE | SAMPLING,
		.help = "Show all hot lines of this source file instead of functions: loop.c, or "
			"with folders, as far as they tell it from others. Of one of Python also "
			"below its lines in which functions they spend it, and all events side by "
			"side; annotate knows it by its name without --file, sample and record "
			"show it behind their tables.",
	},
	{
		.spellings = {"--idle"},
		.kind = OPTION_FLAG,
		AT(idle),
		.commands = SAMPLING | TOP | REPORT | FLAMEGRAPH | TEST,
		.help = "Show idle CPUs in the tables, as functions of the kernel; they stand only "
			"in the header if left out.",
	},
	{
		.spellings = {"--wide"},
		.kind = OPTION_FLAG,
		AT(wide),
		.commands = SAMPLING | TOP | READING | TEST,
		.help = "Show names in full where tables would shorten them to fit the terminal.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "ROWS",
		.kind = OPTION_NUMBER,
		AT(display_rows),
		ANY_NUMBER,
		.commands = SAMPLING | TOP | TEST | REPORT,
		.help = "How many rows to show of each event; 50 if left out, 0 for all.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "FUNCTIONS",
		.kind = OPTION_NUMBER,
		AT(display_functions),
		ANY_NUMBER,
		.commands = ANNOTATE,
		.help = "How many functions to show of each event; 5 if left out, 0 for all.",
	},
	{
		.spellings = {"--sample-display-long"},
		.kind = OPTION_FLAG,
		AT(display_long),
		.commands = SAMPLING | TOP | TEST | READING,
		.help = "Show C++ names in full, with their parameters.",
	},
	{
		.spellings = {"--lines"},
		.kind = OPTION_FLAG,
		AT(lines),
		.commands = SYMBOLS,
		.help = "Show source lines, and the calls that were inlined.",
	},
	{
		.spellings = {"--packets"},
		.kind = OPTION_FLAG,
		AT(packets),
		.commands = SCRIPT,
		.help = "Show what Arm's statistical profiling extension wrote, a packet a line, "
			"as perf report -D does: of a perf.data file, or of a file that is such "
			"a buffer and nothing else.",
	},
	{
		.spellings = {"--metric-precision"},
		.value = "DIGITS",
		.kind = OPTION_NUMBER,
		AT(metric_precision),
		.min = 0,
		.max = 9,
		.commands = STAT,
		.help = "Decimals of metrics; 3 if left out.",
	},
};

const struct option_group option_group_view = OPTION_GROUP("Tables", view_options);

static const struct option filter_options[] = {
	{
		.spellings = {"--symbol"},
		.alias = "-s",
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(symbol),
		.commands = SAMPLING | TEST | READING | SYMBOLS,
		.help = "Show only symbols of this name; ^name starts with it, name$ ends with it.",
	},
	{
		.spellings = {"--event"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(event),
		.commands = READING,
		.help = "Only samples of this event.",
	},
	{
		.spellings = {"--thread"},
		.value = "NAME|TID",
		.kind = OPTION_TEXT,
		AT(thread),
		.commands = READING,
		.help = "Only samples of this thread.",
	},
	{
		.spellings = {"--module"},
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(module),
		.commands = READING,
		.help = "Only samples with code of such a module in their stacks; * and ? stand "
			"for "
			"anything.",
	},
	{
		.spellings = {"--time"},
		.value = "FROM,TO",
		.kind = OPTION_TEXT,
		AT(time_range),
		.commands = READING,
		.help = "Only samples of this time, in seconds since the first one: 1.5,2 or 10, "
			"or "
			",3.",
	},
};

const struct option_group option_group_filter = OPTION_GROUP("Filters", filter_options);

static const struct option symbol_options[] = {
	{
		.spellings = {"--sysroot"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(sysroot),
		.commands = READING | SAMPLING | TOP | STAT,
		.help = "Look for the files of the recording below this folder first. The "
			"emulator runs programs of the system that is there.",
	},
	{
		.spellings = {"--symbol-path"},
		.value = "DIR;DIR",
		.kind = OPTION_TEXT,
		AT(symbol_path),
		.commands = READING | SAMPLING | TOP | SYMBOLS,
		.help = "Look for the PDBs of Windows programs in these folders, too, and then in "
			"those of _NT_SYMBOL_PATH; they may be laid out as on a symbol server. "
			"srv*DIR*URL asks such a server by HTTP, where DIR does not have it, and "
			"keeps in DIR what is the right one; srv*URL and cache*DIR are known, too. "
			"Without such a word nobody is asked.",
	},
};

const struct option_group option_group_symbol = OPTION_GROUP("Symbols", symbol_options);
