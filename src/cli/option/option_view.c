// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "view.txt.inc"
#include "view/export/perf_script.h"

static const struct option input_options[] = {
	{
		.spellings = {"-i", "--input"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(input),
		.commands = READING | EVLIST,
		.help = "Recording (default: wperf.data, perf.data; -: stdin).",
		.details = details_input,
	},
	{
		// perf's -f. Of TOP it is a word of another tool that changes nothing
		// (foreign_option.c).
		.spellings = {"-f", "--force"},
		.kind = OPTION_FLAG,
		AT(force),
		.commands = READING | EVLIST | STORE,
		.help = "Read recordings of other users, too.",
		.details = details_force,
	},
	{
		.spellings = {"--anonymous"},
		.kind = OPTION_FLAG,
		AT(anonymous),
		.commands = READING | SAMPLING | STORE,
		.help = "Leave out users, computers, arguments and source text.",
		.details = details_anonymous,
		.is_rare = true,
	},
	{
		.spellings = {"--diff"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(diff),
		.commands = REPORT | EXPORT | FLAMEGRAPH,
		.help = "Compare with this later recording; with --from: with other samples.",
		.details = details_diff,
	},
	{
		.spellings = {"--fail-above"},
		.value = "POINTS",
		.kind = OPTION_TEXT,
		// A text, as it may have decimals: read_percent() of cmd_report.c reads it.
		AT(fail_above),
		.commands = REPORT,
		.help = "With --diff: exit code 1 if a row grew by more.",
		.details = details_fail_above,
		.is_rare = true,
	},
};

const struct option_group option_group_input = OPTION_GROUP("Input", input_options);

// --symbol has "-s" as an alias, which is WindowsPerf's; in report, "-s" is perf's --sort, and so
// --symbol has a row without it.
static const struct option view_options[] = {
	{
		.spellings = {"--sort", "-s"},
		.value = "WORDS",
		.kind = OPTION_TEXT,
		AT(sort),
		.commands = REPORT,
		.help = "What a row is, or several words with commas: dso,sym.",
		.details = details_sort,
	},
	{
		// Two rows with one spelling: columns of a table here, what is printed of each
		// sample below.
		.spellings = {"-F", "--fields"},
		.value = "FIELDS",
		.kind = OPTION_TEXT,
		AT(fields),
		.commands = REPORT,
		.help = "The columns: overhead,dso,sym.",
		.details = details_report_fields,
	},
	{
		.spellings = {"-F", "--fields"},
		.value = "FIELDS",
		.kind = OPTION_TEXT,
		AT(fields),
		.commands = SCRIPT,
		.help = "What to print of a sample: comm,ip,sym; or +srcline,-tid.",
		.details = details_script_fields,
		// "-tid" looks like an option, and is a value here.
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
		// perf's default are totals, so its users type this; here it is the default.
		AT(no_children),
		.commands = REPORT,
		.help = "Sort by the functions' own samples (the default).",
	},
	{
		.spellings = {"--no-browse", "--stdio"},
		.kind = OPTION_FLAG,
		AT(no_browse),
		.commands = REPORT,
		.help = "Print tables on a terminal, too, instead of opening the browser.",
		.details = details_browse,
		.is_rare = true,
	},
	{
		.spellings = {"--tui"},
		.kind = OPTION_FLAG,
		AT(tui),
		.commands = REPORT,
		.help = "Open the browser, or fail if there is no terminal.",
		.is_rare = true,
	},
	{
		.spellings = {"--tree"},
		.value = "down|up|callers|callees",
		.kind = OPTION_TEXT,
		AT(tree),
		.commands = REPORT,
		.help = "Print a call tree.",
		.details = details_tree,
	},
	{
		.spellings = {"--python"},
		.value = "mixed|only|native",
		.kind = OPTION_TEXT,
		AT(python),
		.commands = READING,
		.details = details_python,
		.help = "How to show Python frames.",
	},
	{
		.spellings = {"--by-role"},
		.kind = OPTION_FLAG,
		AT(by_role),
		.commands = REPORT,
		.help = "Python lines by what the processes are for.",
		.details = details_by_role,
	},
	{
		.spellings = {"--percent-limit"},
		.value = "PERCENT",
		.kind = OPTION_TEXT,
		// A text, as it may have decimals: choose_percent() of cmd_report.c reads it.
		AT(percent_limit),
		.commands = REPORT,
		.help = "Leave out rows and branches below this (default: 0.5 for branches).",
	},
	{
		.spellings = {"--annotate"},
		.kind = OPTION_FLAG,
		// WindowsPerf's words, for `sample`; `annotate` is the command of its own for
		// recordings.
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
		.details = details_source_file,
	},
	{
		.spellings = {"--idle"},
		.kind = OPTION_FLAG,
		AT(idle),
		.commands = SAMPLING | TOP | REPORT | FLAMEGRAPH | TEST,
		.help = "Show idle CPUs in the tables, too.",
		.details = "Without it, the header has how much of the CPU time was idle.",
		.is_rare = true,
	},
	{
		.spellings = {"--wide"},
		.kind = OPTION_FLAG,
		AT(wide),
		.commands = SAMPLING | TOP | READING | TEST | TRACE,
		.help = "Do not shorten names to fit the terminal.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "ROWS",
		.kind = OPTION_NUMBER,
		// Left out, it is 50, or 10 below tables of Python: options_rows() knows which.
		AT(display_rows),
		ANY_NUMBER,
		.commands = SAMPLING | TOP | TEST | REPORT | TRACE,
		.help = "Rows to print per event (default: 50; 0: all).",
		.details = "Native functions below Python lines: 10 by default.",
		.is_rare = true,
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "FUNCTIONS",
		.kind = OPTION_NUMBER,
		// The same word for another number: rows of a table there, functions with their
		// source here.
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
		// A text: both numbers may be left out, and have decimals (sample_choice.c).
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
		.commands = READING | SAMPLING | TOP | STAT | STORE,
		.help = "Look for programs and libraries below this folder first.",
		.details = details_sysroot,
		.is_rare = true,
	},
	{
		.spellings = {"--symbol-path"},
		// Separated as in _NT_SYMBOL_PATH, also on Linux, since such paths have colons
		// (srv*https://...).
		.value = "DIR;DIR",
		.kind = OPTION_TEXT,
		AT(symbol_path),
		.commands = READING | SAMPLING | TOP | SYMBOLS | STORE,
		.help = "Look for PDBs of Windows programs here, then in _NT_SYMBOL_PATH.",
		.details = details_symbol_path,
		.is_rare = true,
	},
};

const struct option_group option_group_symbol = OPTION_GROUP("Symbols", symbol_options);
