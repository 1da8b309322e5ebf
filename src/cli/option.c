// SPDX-License-Identifier: Apache-2.0

#include "cli/option.h"

#include "base/array.h"
#include "base/nearest_name.h"
#include "base/string_builder.h"
#include "cli/options.h"

#include <string.h>

enum {
	DETECT = 1 << COMMAND_DETECT,
	HELP = 1 << COMMAND_HELP,
	MAN = 1 << COMMAND_MAN,
	VERSION = 1 << COMMAND_VERSION,
	TEST = 1 << COMMAND_TEST,
	LIST = 1 << COMMAND_LIST,
	STAT = 1 << COMMAND_STAT,
	SYMBOLS = 1 << COMMAND_SYMBOLS,
	SAMPLING = 1 << COMMAND_SAMPLE | 1 << COMMAND_RECORD,
	ALL = (1 << NUM_COMMANDS) - 1,
	COUNTING = STAT | SAMPLING | TEST, /* test shows how events would be counted */
	CATALOGUE = COUNTING | LIST | MAN,
	DEVICE = COUNTING | LIST | VERSION | DETECT,
};

#define AT(member) .offset = offsetof(struct options, member)
#define RUN(id)    .kind = OPTION_COMMAND, .offset = (id)
#define ANY_NUMBER .min = 0, .max = INT32_MAX

const struct option all_options[] = {
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
	{
		.spellings = {"-v", "--verbose"},
		.kind = OPTION_FLAG,
		AT(verbose),
		.commands = ALL,
		.help = "Say more, in JSON output too.",
	},
	{
		.spellings = {"-q"},
		.kind = OPTION_FLAG,
		AT(quiet),
		.commands = ALL,
		.help = "Say nothing on standard output. JSON that was asked for is still written.",
	},
	{
		.spellings = {"-e"},
		.value = "EVENTS",
		.kind = OPTION_EVENTS,
		.commands = COUNTING,
		.help = "Events, joined by commas: by name (ld_spec) or by number (r70, 0x70). "
			"Braces make a group that is counted together: "
			"{inst_spec,ld_spec},br_retired. Behind a name, :u or :k counts user or "
			"kernel code only. For sample and record an interval may follow: "
			"ld_spec:100000 takes a sample at every 100,000th. "
			"arm_spe_0/load_filter=1/ asks for the statistical profiling extension. "
			"'wperf list' shows the names.",
	},
	{
		.spellings = {"-m"},
		.value = "METRICS",
		.kind = OPTION_METRICS,
		.commands = STAT | TEST,
		.help = "Metrics or groups of metrics, joined by commas; 'topdown' is the tree of "
			"metrics from where time is lost down to why. 'wperf list' shows the "
			"names.",
	},
	{
		.spellings = {"--timeout"},
		.alias = "sleep",
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(timeout_ns),
		.commands = COUNTING,
		.help = "How long to count or sample; until Ctrl-C or the end of the program if "
			"left out. A number with at most two decimals and a unit of ms, s, m, h or "
			"d; seconds if there is none.",
	},
	{
		.spellings = {"-t"},
		.kind = OPTION_FLAG,
		AT(timeline),
		.commands = STAT | TEST,
		.help = "Timeline: count again and again.",
	},
	{
		.spellings = {"-i"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(interval_ns),
		.commands = STAT | TEST,
		.help = "Timeline: the pause between two counts, 60 seconds if left out; 0 is "
			"possible.",
	},
	{
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = STAT | TEST,
		.help = "Timeline: how many counts; 0, the default, goes on until stopped.",
	},
	{
		.spellings = {"--timestamps"},
		.kind = OPTION_FLAG,
		AT(timestamps),
		.commands = STAT,
		.help = "Timeline: a first column with the time of each count in the CSV file.",
	},
	{
		.spellings = {"--json-lines"},
		.kind = OPTION_FLAG,
		AT(json_lines),
		.commands = STAT,
		.help = "Timeline: one JSON object per count and line, as it comes, instead of one "
			"document at the end.",
	},
	{
		.spellings = {"--html"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(html),
		.commands = STAT,
		.help = "Timeline: also draw it, as a page for a browser.",
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
	{
		.spellings = {"-r", "--repeat"},
		.value = "TIMES",
		.kind = OPTION_NUMBER,
		AT(repeat),
		.min = 1,
		.max = 1000000,
		.commands = STAT,
		.help = "Run the command so often, and show means and how much the runs differ.",
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
		.commands = SAMPLING | TEST,
		.help = "Show the instructions of samples, with their source lines.",
	},
	{
		.spellings = {"--image_name"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(image_name),
		.commands = SAMPLING | TEST,
		.help = "The name of the process or module to sample, without its folder.",
	},
	{
		.spellings = {"--pe_file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(pe_file),
		.commands = SAMPLING | TEST,
		.help = "The executable to sample.",
	},
	{
		.spellings = {"--pdb_file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(pdb_file),
		.commands = SAMPLING | STAT | TEST,
		.help = "Its symbols, if they do not stand beside it.",
	},
	{
		.spellings = {"--sample-display-long"},
		.kind = OPTION_FLAG,
		AT(display_long),
		.commands = SAMPLING | TEST,
		.help = "Show C++ names in full, with their parameters.",
	},
	{
		.spellings = {"--sample-display-row"},
		.value = "ROWS",
		.kind = OPTION_NUMBER,
		AT(display_rows),
		ANY_NUMBER,
		.commands = SAMPLING | TEST,
		.help = "How many rows to show of each event; 50 if left out.",
	},
	{
		.spellings = {"--symbol"},
		.alias = "-s",
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(symbol),
		.commands = SAMPLING | TEST,
		.help = "Show only symbols of this name; ^name starts with it, name$ ends with it.",
	},
	{
		.spellings = {"--record_spawn_delay"},
		.value = "MS",
		.kind = OPTION_NUMBER,
		AT(spawn_delay_ms),
		ANY_NUMBER,
		.commands = SAMPLING | STAT | TEST,
		.help = "Milliseconds between the start of a program and its profile; 1000 if left "
			"out.",
	},
	{
		.spellings = {"--export_perf_data"},
		.kind = OPTION_FLAG,
		AT(export_perf_data),
		.commands = SAMPLING | TEST,
		.help = "Also write the samples as perf.data.",
	},
	{
		.spellings = {"--force-lock"},
		.kind = OPTION_FLAG,
		AT(force_lock),
		.commands = DEVICE,
		.help = "Take the driver away from another wperf that holds it; its data are lost.",
	},
	{
		.spellings = {"-c", "--cpu"},
		.value = "CORES",
		.kind = OPTION_TEXT,
		AT(cores),
		.commands = CATALOGUE,
		.help = "Cores by number, joined by commas, with ranges: 0,3-5. For list and man "
			"the name of a CPU instead: --cpu neoverse-v2 shows its table on any "
			"machine.",
	},
	{
		.spellings = {"-k"},
		.kind = OPTION_FLAG,
		AT(kernel),
		.commands = COUNTING,
		.help = "Count kernel code as well.",
	},
	{
		.spellings = {"-p", "--pid"},
		.value = "PIDS",
		.kind = OPTION_TEXT,
		AT(pids),
		.commands = STAT,
		.help = "Count these running processes, joined by commas, with their threads and "
			"what they start.",
	},
	{
		.spellings = {"--per-thread"},
		.kind = OPTION_FLAG,
		AT(per_thread),
		.commands = STAT,
		.help = "Count each thread for itself.",
	},
	{
		.spellings = {"--dmc"},
		.value = "INDEX",
		.kind = OPTION_NUMBER,
		AT(dmc),
		.min = 0,
		.max = 254,
		.commands = STAT | TEST,
		.help = "Count on this channel of the memory controller only.",
	},
	{
		.spellings = {"-C"},
		.value = "FILE",
		.kind = OPTION_TEXTS,
		AT(metric_files),
		.commands = COUNTING | LIST,
		.help = "More metrics, one 'name:events' a line, with events as for -e.",
	},
	{
		.spellings = {"-E"},
		.value = "FILE|EVENTS",
		.kind = OPTION_TEXTS,
		AT(extra_events),
		.commands = COUNTING | LIST,
		.help = "More events: 'name:number' joined by commas, numbers in hexadecimal, or a "
			"file of such lines.",
	},
	{
		.spellings = {"--events-dir"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(events_dir),
		.commands = CATALOGUE,
		.help = "Read the tables of Arm CPUs from telemetry-solution files (JSON) in this "
			"folder, with their full descriptions. WPERF_EVENTS_DIR does the same.",
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
		.help = "Write JSON into this file; text still goes to standard output, unless "
			"--json.",
	},
	{
		.spellings = {"--output-csv"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output_csv),
		.commands = STAT | TEST,
		.help = "Timeline: the name of the CSV file.",
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
		.spellings = {"--config"},
		.value = "NAME=VALUE",
		.kind = OPTION_TEXTS,
		AT(config),
		.commands = COUNTING,
		.help = "Set a parameter: count.period=MS is the time between two multiplexed sets "
			"of events, 10 to 100.",
	},
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
		.spellings = {"--compat"},
		.kind = OPTION_FLAG,
		AT(compat),
		.commands = ALL,
		.help = "Behave as WindowsPerf 3.8.0 in its version and in what it tolerates, for "
			"programs that were written for it. WPERF_COMPAT=1 does the same.",
	},
	{
		.spellings = {"--lines"},
		.kind = OPTION_FLAG,
		AT(lines),
		.commands = SYMBOLS,
		.help = "Show source lines, and the calls that were inlined.",
	},
	{
		.spellings = {"--format"},
		.value = "text|man|bash",
		.kind = OPTION_TEXT,
		AT(format),
		.commands = HELP,
		.help = "Help as text, as the source of a man page, or as completion for bash.",
	},
};

const size_t num_all_options = ARRAY_SIZE(all_options);

static bool spelt_so(const char *spelling, const char *word, size_t length)
{
	return spelling && strlen(spelling) == length && !strncmp(spelling, word, length);
}

const struct option *option_find(const char *word, size_t length)
{
	for (size_t i = 0; i < num_all_options; i++) {
		const struct option *option = &all_options[i];
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++)
			if (spelt_so(option->spellings[k], word, length))
				return option;
		if (spelt_so(option->alias, word, length))
			return option;
	}
	return NULL;
}

static bool begins_with(const char *spelling, const char *word, size_t length)
{
	return spelling && !strncmp(spelling, "--", 2) && !strncmp(spelling, word, length);
}

struct error *option_find_abbreviation(const char *word, size_t length, const struct option **ret)
{
	const struct option *found = NULL;
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	size_t num_found = 0;
	for (size_t i = 0; length > 2 && i < num_all_options; i++) {
		const struct option *option = &all_options[i];
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++) {
			if (!begins_with(option->spellings[k], word, length))
				continue;
			string_builder_appendf(&names, "%s%s", num_found ? ", " : "",
					       option->spellings[k]);
			num_found += found != option;
			found = option;
		}
	}
	if (num_found > 1)
		return error_with_hint(error_create(ERROR_USAGE, "option '%.*s' is ambiguous",
						    (int)length, word),
				       "it may be one of %s", string_builder_peek(&names));
	*ret = found;
	return NULL;
}

const char *option_nearest(const char *word)
{
	const char *names[ARRAY_SIZE(all_options) * (OPTION_MAX_SPELLINGS + 1) + NUM_COMMANDS];
	size_t num_names = 0;
	for (size_t i = 0; i < num_all_options; i++) {
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++)
			if (all_options[i].spellings[k])
				names[num_names++] = all_options[i].spellings[k];
		if (all_options[i].alias)
			names[num_names++] = all_options[i].alias;
	}
	for (size_t i = 0; i < NUM_COMMANDS; i++)
		names[num_names++] = commands[i].name;
	return nearest_name(word, names, num_names);
}
