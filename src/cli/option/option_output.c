// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "output.txt.inc"

// -o has a row for each kind of command: help says what the file will be there.
static const struct option output_options[] = {
	{
		.spellings = {"--output", "-o"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output),
		.commands = SAMPLING,
		.help = "The recording (default of record: wperf.data).",
		.details = details_recording,
	},
	{
		.spellings = {"--output", "-o"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output),
		.commands = REPORT,
		.help = "Write to this file: text, or JSON (NAME.json).",
	},
	{
		.spellings = {"--output", "-o"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output),
		.commands = EXPORT | SCRIPT | FLAMEGRAPH,
		.help = "Output file.",
	},
	{
		.spellings = {"--output", "-o"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output),
		// WindowsPerf's --output: a file of JSON beside the text.
		.commands = RESULTS & ~(SAMPLING | REPORT | EXPORT | SCRIPT | FLAMEGRAPH | TOP),
		.help = "Also write JSON to this file.",
		.details = details_other_output,
	},
	{
		.spellings = {"--html"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(html),
		.commands = SAMPLING | REPORT,
		.help = "Also write an HTML page: flame graph, hot list, source.",
	},
	{
		.spellings = {"--html"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		// Another page: counts over time, not a profile.
		AT(html),
		.commands = STAT,
		.help = "Also write the counts of -I or -t as an HTML page.",
		.details = details_stat_page,
	},
	{
		.spellings = {"--save"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		// -o decides by the name's end: x.html is a page. --save never does.
		AT(save),
		.commands = SAMPLING,
		.help = "Write the recording to FILE, whatever its name.",
		.details = "The same as -o, also with --json or with -q and --html.",
		.is_rare = true,
	},
	{
		.spellings = {"--archive"},
		.kind = OPTION_FLAG,
		AT(archive),
		.commands = SAMPLING,
		.help = "Store symbol names in the recording, to read it elsewhere.",
		.details = details_archive,
		.is_rare = true,
	},
	{
		.spellings = {"--export_perf_data"},
		.kind = OPTION_FLAG,
		// WindowsPerf's option, with its fixed name.
		AT(export_perf_data),
		.commands = SAMPLING | TEST,
		.help = "Also write the samples to perf.data.",
		.is_rare = true,
	},
	{
		.spellings = {"--format"},
		// Small letters with bars between are words to choose from: help lists them,
		// completion offers them.
		.value = "pprof|firefox|speedscope|collapsed|svg|perf-script|autofdo|massif|otlp|"
			 "perf",
		.kind = OPTION_TEXT,
		AT(format),
		.commands = EXPORT,
		.help = "Output format.",
		.details = details_format,
	},
	{
		.spellings = {"--schema"},
		.kind = OPTION_FLAG,
		AT(schema),
		.commands = EXPORT,
		.help = "Print the JSON schemas of all --json, or of the one that is named.",
		.details = details_schema,
		.is_rare = true,
	},
	{
		.spellings = {"--format"},
		.value = "text|man|bash",
		.kind = OPTION_TEXT,
		AT(format),
		.commands = HELP,
		.help = "Output format.",
	},
	{
		.spellings = {"--json"},
		.kind = OPTION_FLAG,
		AT(json),
		.commands = (RESULTS & ~TOP) | STORE,
		.help = "Print JSON instead of text.",
	},
	{
		.spellings = {"-x"},
		.value = "SEPARATOR",
		.kind = OPTION_TEXT,
		// The order of fields is perf's, so that scripts for perf stat -x read it.
		AT(separator),
		.commands = STAT,
		.help = "Write CSV in the field order of perf stat -x.",
		.details = details_separator,
	},
	{
		.spellings = {"--append"},
		.kind = OPTION_FLAG,
		AT(append),
		.commands = STAT,
		.help = "Add to the file of -o instead of replacing it.",
		.details = "For text, CSV and --json-lines; a file of JSON is one document.",
		.is_rare = true,
	},
	{
		.spellings = {"--output-prefix", "--cwd"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(output_prefix),
		.commands = RESULTS & ~TOP,
		.help = "Folder for the files of --output and --output-csv with relative names.",
		.is_rare = true,
	},
	{
		.spellings = {"-q"},
		.kind = OPTION_FLAG,
		AT(quiet),
		.commands = (RESULTS & ~TOP) | STORE | AGENT,
		.help = "Print nothing to standard output, except with --json.",
	},
	{
		.spellings = {"-q"},
		.kind = OPTION_FLAG,
		AT(quiet),
		.commands = TOP,
		.help = "Print nothing to standard output.",
	},
	{
		.spellings = {"-v", "--verbose"},
		.kind = OPTION_FLAG,
		AT(verbose),
		.commands = RESULTS | STORE | AGENT,
		.help = "Print more detail.",
	},
};

const struct option_group option_group_output = OPTION_GROUP("Output", output_options);

static const struct option general_options[] = {
	{
		.spellings = {"--capabilities"},
		.kind = OPTION_FLAG,
		AT(lend_capabilities),
		.commands = SETUP,
		.help = "As root: let the members of a group, and nobody else, count and sample.",
		.details = details_capabilities,
	},
	{
		.spellings = {"--group"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(group),
		.commands = SETUP,
		.help = "The group (default: perf_users), created if it is missing.",
	},
	{
		.spellings = {"--undo"},
		.kind = OPTION_FLAG,
		AT(undo),
		.commands = SETUP,
		.help = "As root: take the file of wperf back to what it was.",
	},
	{
		.spellings = {"--dry-run"},
		.kind = OPTION_FLAG,
		AT(dry_run),
		.commands = SETUP,
		.help = "Print the commands, and change nothing.",
	},
	{
		.spellings = {"--clean"},
		.kind = OPTION_FLAG,
		AT(clean),
		.commands = ETW,
		.help = "Clean up after killed runs of wperf.",
	},
	{
		.spellings = {"--force-lock"},
		.kind = OPTION_FLAG,
		// The driver serves one client at a time.
		AT(force_lock),
		.commands = DEVICE,
		.help = "Take the driver from another wperf. Its data are lost.",
		.is_rare = true,
	},
	{
		.spellings = {"--compat"},
		.kind = OPTION_FLAG,
		AT(compat),
		.commands = ALL,
		.help = "Behave like WindowsPerf 3.8.0, for programs that expect it.",
		.details = "WPERF_COMPAT=1 does the same.",
		.is_rare = true,
	},
	{
		.spellings = {"-h", "--help"},
		// An option that is a command: it may stand beside another one, whose help is meant
		// then.
		RUN(COMMAND_HELP),
		.commands = ALL,
		.help = "Print this help; with -v, all details.",
		.is_rare = true,
	},
	{
		.spellings = {"--version"},
		RUN(COMMAND_VERSION),
		.commands = VERSION,
		.help = "Print versions.",
	},
	{
		// WindowsPerf's short form. Without a text it has no line of its own in help.
		.spellings = {"-l"},
		RUN(COMMAND_LIST),
		.commands = LIST,
	},
};

const struct option_group option_group_general = OPTION_GROUP("General", general_options);
