// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option output_options[] = {
	{
		.spellings = {"--html"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(html),
		.commands = STAT | SAMPLING | REPORT,
		.help = "Also write a page for a browser: the timeline of stat -t, or samples as a "
			"flame graph with hot list and source.",
	},
	{
		.spellings = {"--save"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(save),
		.commands = SAMPLING,
		.help = "Write the recording, a perf.data file, to FILE; -o FILE means the same. "
			"record writes wperf.data without it, and renames an older one to "
			"wperf.data.old.",
	},
	{
		.spellings = {"--archive"},
		.kind = OPTION_FLAG,
		AT(archive),
		.commands = SAMPLING,
		.help = "With --save and -q: look names up, too, and keep them in the file, so "
			"that it reads the same where the programs are not. What has shown its "
			"tables keeps their names anyway.",
	},
	{
		.spellings = {"--export_perf_data"},
		.kind = OPTION_FLAG,
		AT(export_perf_data),
		.commands = SAMPLING | TEST,
		.help = "Also write the samples as perf.data.",
	},
	{
		.spellings = {"--format"},
		.value = "pprof|firefox|speedscope|collapsed|perf-script",
		.kind = OPTION_TEXT,
		AT(format),
		.commands = EXPORT,
		.help = "Of the file: for go tool pprof, profiler.firefox.com, speedscope, flame "
			"graph "
			"programs, or those that read the text of perf script.",
	},
	{
		.spellings = {"--format"},
		.value = "text|man|bash",
		.kind = OPTION_TEXT,
		AT(format),
		.commands = HELP,
		.help = "Help as text, as the source of a man page, or as completion for bash.",
	},
	{
		.spellings = {"--json"},
		.kind = OPTION_FLAG,
		AT(json),
		.commands = ALL,
		.help = "Write JSON instead of text.",
	},
	{
		.spellings = {"--output", "-o"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output),
		.commands = ALL,
		.help = "Write to FILE. With record and sample it is the recording, unless its "
			"name "
			"asks for something else: .json, .txt, .html, .folded, .pb.gz, "
			".speedscope.json, .firefox.json. report and the others write JSON, or "
			"text if the name ends in .txt. With --json it is JSON, whatever its "
			"name.",
	},
	{
		.spellings = {"--output-prefix", "--cwd"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(output_prefix),
		.commands = ALL,
		.help = "The folder for files of --output and --output-csv, unless these start at "
			"the root.",
	},
	{
		.spellings = {"-q"},
		.kind = OPTION_FLAG,
		AT(quiet),
		.commands = ALL,
		.help = "Say nothing on standard output. JSON that was asked for is still written.",
	},
	{
		.spellings = {"-v", "--verbose"},
		.kind = OPTION_FLAG,
		AT(verbose),
		.commands = ALL,
		.help = "Say more, in JSON output too.",
	},
};

const struct option_group option_group_output = OPTION_GROUP("Output", output_options);

static const struct option general_options[] = {
	{
		.spellings = {"--source"},
		.value = "NAME[,KEY=VALUE...]",
		.kind = OPTION_TEXT,
		AT(source),
		.commands = DEVICE | MAN,
		.help = "Where counts come from; 'wperf detect' shows what there is, 'wperf help' "
			"the settings. WPERF_SOURCE does the same.",
	},
	{
		.spellings = {"--force-lock"},
		.kind = OPTION_FLAG,
		AT(force_lock),
		.commands = DEVICE,
		.help = "Take the driver away from another wperf that holds it; its data are lost.",
	},
	{
		.spellings = {"--compat"},
		.kind = OPTION_FLAG,
		AT(compat),
		.commands = ALL,
		.help = "Behave as WindowsPerf 3.8.0 in its version and in what it tolerates, for "
			"programs that were written for it. WPERF_COMPAT=1 does the same.",
	},
	{
		.spellings = {"-h", "--help"},
		RUN(COMMAND_HELP),
		.commands = ALL,
		.help = "Show this help, or that of the command it stands with.",
	},
	{
		.spellings = {"--version"},
		RUN(COMMAND_VERSION),
		.commands = VERSION,
		.help = "Show the versions of wperf and of what it counts with.",
	},
	{
		.spellings = {"-l"},
		RUN(COMMAND_LIST),
		.commands = LIST,
	},
};

const struct option_group option_group_general = OPTION_GROUP("General", general_options);
