// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"
#include "view/export/perf_script.h"

static const struct option input_options[] = {
	{
		.spellings = {"-i", "--input"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(input),
		.commands = READING | EVLIST,
		.help = "Recording (default: wperf.data, perf.data; -: stdin).",
		.details = "A perf.data file of wperf, perf or simpleperf. Without it: wperf.data, "
			   "or perf.data if there is no wperf.data.",
	},
	{
		.spellings = {"-f", "--force"},
		.kind = OPTION_FLAG,
		AT(force),
		.commands = READING | EVLIST,
		.help = "Read recordings of other users, too.",
		.details = "A recording that belongs neither to you nor to root is refused without "
			   "it, as in perf.",
	},
	{
		.spellings = {"--diff"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(diff),
		.commands = REPORT,
		.help = "Compare with this later recording.",
	},
};

const struct option_group option_group_input = OPTION_GROUP("Input", input_options);

static const struct option view_options[] = {
	{
		.spellings = {"--sort", "-s"},
		.value = "WORDS",
		.kind = OPTION_TEXT,
		AT(sort),
		.commands = REPORT,
		.help = "What a row is, or several words with commas: dso,sym.",
		.details = "One of function (the default), line, module, address, thread, "
			   "process, cpu, python-line, python-function and python-file. Or a list "
			   "of comm, pid, tid, cpu, dso, sym, srcline, srcfile and address: a row "
			   "for each combination.",
	},
	{
		.spellings = {"-F", "--fields"},
		.value = "FIELDS",
		.kind = OPTION_TEXT,
		AT(fields),
		.commands = REPORT,
		.help = "The columns: overhead,dso,sym.",
		.details = "Figures (overhead, overhead_children, sample, period) and words of "
			   "--sort, which say what a row is.",
	},
	{
		.spellings = {"-F", "--fields"},
		.value = "FIELDS",
		.kind = OPTION_TEXT,
		AT(fields),
		.commands = SCRIPT,
		.help = "What to print of a sample: comm,ip,sym; or +srcline,-tid.",
		.details = "Of comm, pid, tid, cpu, time, period, event, ip, sym, dso and srcline. "
			   "+srcline adds it to the usual ones, -tid leaves one out.",
		.may_be_value = perf_script_is_removal,
	},
	{
		.spellings = {"--children"},
		.kind = OPTION_FLAG,
		AT(children),
		.commands = REPORT,
		.help = "Sort by totals: each function with all that it calls.",
	},
	{
		.spellings = {"--no-children"},
		.kind = OPTION_FLAG,
		AT(no_children),
		.commands = REPORT,
		.help = "Sort by the functions' own samples (the default).",
	},
	{
		.spellings = {"--tree"},
		.value = "down|up|callers|callees",
		.kind = OPTION_TEXT,
		AT(tree),
		.commands = REPORT,
		.help = "Print a call tree.",
		.details =
			"down: from the outermost functions. up: from the functions with samples "
			"to their callers. callers, callees: of the function of --symbol.",
	},
	{
		.spellings = {"--python"},
		.value = "mixed|only|native",
		.kind = OPTION_TEXT,
		AT(python),
		.commands = READING,
		.details = "mixed, the default for Python programs: between the native frames that "
			   "called them. only: without native frames. native: no Python frames.",
		.help = "How to show Python frames.",
	},
	{
		.spellings = {"--percent-limit"},
		.value = "PERCENT",
		.kind = OPTION_TEXT,
		AT(percent_limit),
		.commands = REPORT,
		.help = "Leave out smaller rows and branches (default: 0.5).",
	},
	{
		.spellings = {"--annotate"},
		.kind = OPTION_FLAG,
		AT(annotate),
		.commands = SAMPLING | TEST,
		.help = "Also print source lines with their samples.",
	},
	{
		.spellings = {"--disassemble"},
		.kind = OPTION_FLAG,
		AT(disassemble),
		.commands = SAMPLING | TEST | ANNOTATE,
		.help = "Also print instructions with their samples.",
	},
	{
		.spellings = {"--symbol"},
		.alias = "-s",
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(symbol),
		.commands = SAMPLING | TEST | (READING & ~REPORT) | SYMBOLS,
		.help = "Only symbols of this name; ^x: begin with x.",
		.details = "x$: end with x.",
	},
	{
		.spellings = {"--symbol"},
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(symbol),
		.commands = REPORT,
		.help = "Only symbols of this name; ^x: begin with x.",
		.details = "x$: end with x.",
	},
	{
		.spellings = {"--file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(source_file),
		.commands = ANNOTATE | SAMPLING,
		.help = "Print all hot lines of this source file.",
		.details = "Give its name, or as much of its path as identifies it. For a Python "
			   "file, each line also shows the native functions it spends "
			   "its time in, and all events are shown side by side. annotate takes the "
			   "name of a Python file without --file. sample and record print the file "
			   "after their tables.",
	},
	{
		.spellings = {"--idle"},
		.kind = OPTION_FLAG,
		AT(idle),
		.commands = SAMPLING | TOP | REPORT | FLAMEGRAPH | TEST,
		.help = "Show idle CPUs in the tables, too.",
		.details = "Without it, the header has how much of the CPU time was idle.",
	},
	{
		.spellings = {"--wide"},
		.kind = OPTION_FLAG,
		AT(wide),
		.commands = SAMPLING | TOP | READING | TEST,
		.help = "Do not shorten names to fit the terminal.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "ROWS",
		.kind = OPTION_NUMBER,
		AT(display_rows),
		ANY_NUMBER,
		.commands = SAMPLING | TOP | TEST | REPORT,
		.help = "Rows to print per event (default: 50; 0: all).",
		.details = "Native functions below Python lines: 10 by default.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "FUNCTIONS",
		.kind = OPTION_NUMBER,
		AT(display_functions),
		ANY_NUMBER,
		.commands = ANNOTATE,
		.help = "Functions to print per event (default: 5; 0: all).",
	},
	{
		.spellings = {"--sample-display-long"},
		.kind = OPTION_FLAG,
		AT(display_long),
		.commands = SAMPLING | TOP | TEST | READING,
		.help = "Print C++ names in full, with their parameters.",
		.is_rare = true,
	},
	{
		.spellings = {"--lines"},
		.kind = OPTION_FLAG,
		AT(lines),
		.commands = SYMBOLS,
		.help = "Also print source lines and inlined calls.",
	},
	{
		.spellings = {"--packets"},
		.kind = OPTION_FLAG,
		AT(packets),
		.commands = SCRIPT,
		.help = "Print the SPE packets, one per line, as perf report -D does.",
		.details = "The file may be a perf.data file or a raw SPE buffer.",
	},
	{
		.spellings = {"--metric-precision"},
		.value = "DIGITS",
		.kind = OPTION_NUMBER,
		AT(metric_precision),
		.min = 0,
		.max = 9,
		.commands = STAT,
		.help = "Decimals of metrics (default: 3).",
		.is_rare = true,
	},
};

const struct option_group option_group_view = OPTION_GROUP("Tables", view_options);

static const struct option filter_options[] = {
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
		.help = "Only stacks with this module; * and ? are wildcards.",
	},
	{
		.spellings = {"--time"},
		.value = "FROM,TO",
		.kind = OPTION_TEXT,
		AT(time_range),
		.commands = READING,
		.help = "Only this time range, in seconds: 1.5,2 or 10, or ,3",
		.details = "Counted from the first sample.",
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
		.help = "Look for programs and libraries below this folder first.",
		.details = "With --source emulate, also the root of the AArch64 system that "
			   "programs run on.",
		.is_rare = true,
	},
	{
		.spellings = {"--symbol-path"},
		.value = "DIR;DIR",
		.kind = OPTION_TEXT,
		AT(symbol_path),
		.commands = READING | SAMPLING | TOP | SYMBOLS,
		.help = "Look for PDBs of Windows programs here, then in _NT_SYMBOL_PATH.",
		.details =
			"Folders may be laid out like a symbol server. srv*DIR*URL asks a server "
			"by HTTP for PDBs that DIR lacks, and keeps them in DIR; srv*URL and "
			"cache*DIR work, too. Without such an element, wperf never asks a server.",
		.is_rare = true,
	},
};

const struct option_group option_group_symbol = OPTION_GROUP("Symbols", symbol_options);
