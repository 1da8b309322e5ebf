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
	{{"-h", "--help"},
	 NULL,
	 NULL,
	 RUN(COMMAND_HELP),
	 .commands = ALL,
	 .help = "Show this help, or that of the command it stands with."},
	{{"--version"},
	 NULL,
	 NULL,
	 RUN(COMMAND_VERSION),
	 .commands = VERSION,
	 .help = "Show the versions of wperf and of what it counts with."},
	{{"-l"}, NULL, NULL, RUN(COMMAND_LIST), .commands = LIST, .help = NULL},

	{{"-v", "--verbose"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(verbose),
	 .commands = ALL,
	 .help = "Say more, in JSON output too."},
	{{"-q"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(quiet),
	 .commands = ALL,
	 .help = "Say nothing on standard output. JSON that was asked for is still written."},

	{{"-e"},
	 NULL,
	 "EVENTS",
	 OPTION_EVENTS,
	 .commands = COUNTING,
	 .help = "Events, joined by commas: by name (ld_spec) or by number (r70, 0x70). Braces "
		 "make "
		 "a group that is counted together: {inst_spec,ld_spec},br_retired. Behind a name, "
		 ":u or :k counts user or kernel code only. For sample and record an interval may "
		 "follow: ld_spec:100000 takes a sample at every 100,000th. "
		 "arm_spe_0/load_filter=1/ "
		 "asks for the statistical profiling extension. 'wperf list' shows the names."},
	{{"-m"},
	 NULL,
	 "METRICS",
	 OPTION_METRICS,
	 .commands = COUNTING,
	 .help = "Metrics or groups of metrics, joined by commas. 'wperf list' shows the names."},
	{{"--timeout"},
	 "sleep",
	 "TIME",
	 OPTION_DURATION,
	 AT(timeout_ns),
	 .commands = COUNTING,
	 .help = "How long to count or sample; until Ctrl-C or the end of the program if left out. "
		 "A number with at most two decimals and a unit of ms, s, m, h or d; seconds if "
		 "there is none."},
	{{"-t"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(timeline),
	 .commands = STAT | TEST,
	 .help = "Timeline: count again and again."},
	{{"-i"},
	 NULL,
	 "TIME",
	 OPTION_DURATION,
	 AT(interval_ns),
	 .commands = STAT | TEST,
	 .help = "Timeline: the pause between two counts, 60 seconds if left out; 0 is possible."},
	{{"-n"},
	 NULL,
	 "COUNT",
	 OPTION_NUMBER,
	 AT(count),
	 ANY_NUMBER,
	 .commands = STAT | TEST,
	 .help = "Timeline: how many counts; 0, the default, goes on until stopped."},

	{{"--annotate"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(annotate),
	 .commands = SAMPLING | TEST,
	 .help = "Show the source lines of samples."},
	{{"--disassemble"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(disassemble),
	 .commands = SAMPLING | TEST,
	 .help = "Show the instructions of samples, with their source lines."},
	{{"--image_name"},
	 NULL,
	 "NAME",
	 OPTION_TEXT,
	 AT(image_name),
	 .commands = SAMPLING | TEST,
	 .help = "The name of the process or module to sample, without its folder."},
	{{"--pe_file"},
	 NULL,
	 "FILE",
	 OPTION_TEXT,
	 AT(pe_file),
	 .commands = SAMPLING | TEST,
	 .help = "The executable to sample."},
	{{"--pdb_file"},
	 NULL,
	 "FILE",
	 OPTION_TEXT,
	 AT(pdb_file),
	 .commands = SAMPLING | STAT | TEST,
	 .help = "Its symbols, if they do not stand beside it."},
	{{"--sample-display-long"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(display_long),
	 .commands = SAMPLING | TEST,
	 .help = "Show C++ names in full, with their parameters."},
	{{"--sample-display-row"},
	 NULL,
	 "ROWS",
	 OPTION_NUMBER,
	 AT(display_rows),
	 ANY_NUMBER,
	 .commands = SAMPLING | TEST,
	 .help = "How many rows to show of each event; 50 if left out."},
	{{"--symbol"},
	 "-s",
	 "PATTERN",
	 OPTION_TEXT,
	 AT(symbol),
	 .commands = SAMPLING | TEST,
	 .help = "Show only symbols of this name; ^name starts with it, name$ ends with it."},
	{{"--record_spawn_delay"},
	 NULL,
	 "MS",
	 OPTION_NUMBER,
	 AT(spawn_delay_ms),
	 ANY_NUMBER,
	 .commands = SAMPLING | STAT | TEST,
	 .help = "Milliseconds between the start of a program and its profile; 1000 if left out."},
	{{"--export_perf_data"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(export_perf_data),
	 .commands = SAMPLING | TEST,
	 .help = "Also write the samples as perf.data."},

	{{"--force-lock"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(force_lock),
	 .commands = DEVICE,
	 .help = "Take the driver away from another wperf that holds it; its data are lost."},
	{{"-c", "--cpu"},
	 NULL,
	 "CORES",
	 OPTION_TEXT,
	 AT(cores),
	 .commands = CATALOGUE,
	 .help = "Cores by number, joined by commas, with ranges: 0,3-5. For list and man the name "
		 "of a CPU instead: --cpu neoverse-v2 shows its table on any machine."},
	{{"-k"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(kernel),
	 .commands = COUNTING,
	 .help = "Count kernel code as well."},
	{{"--dmc"},
	 NULL,
	 "INDEX",
	 OPTION_NUMBER,
	 AT(dmc),
	 .min = 0,
	 .max = 254,
	 .commands = STAT | TEST,
	 .help = "Count on this channel of the memory controller only."},
	{{"-C"},
	 NULL,
	 "FILE",
	 OPTION_TEXTS,
	 AT(metric_files),
	 .commands = COUNTING | LIST,
	 .help = "More metrics, one 'name:events' a line, with events as for -e."},
	{{"-E"},
	 NULL,
	 "FILE|EVENTS",
	 OPTION_TEXTS,
	 AT(extra_events),
	 .commands = COUNTING | LIST,
	 .help = "More events: 'name:number' joined by commas, numbers in hexadecimal, or a file "
		 "of "
		 "such lines."},
	{{"--events-dir"},
	 NULL,
	 "DIR",
	 OPTION_TEXT,
	 AT(events_dir),
	 .commands = CATALOGUE,
	 .help = "Read the tables of Arm CPUs from telemetry-solution files (JSON) in this folder, "
		 "with their full descriptions. WPERF_EVENTS_DIR does the same."},

	{{"--json"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(json),
	 .commands = ALL,
	 .help = "Write JSON instead of text."},
	{{"--output", "-o"},
	 NULL,
	 "FILE",
	 OPTION_TEXT,
	 AT(output),
	 .commands = ALL,
	 .help = "Write JSON into this file; text still goes to standard output, unless --json."},
	{{"--output-csv"},
	 NULL,
	 "FILE",
	 OPTION_TEXT,
	 AT(output_csv),
	 .commands = STAT | TEST,
	 .help = "Timeline: the name of the CSV file."},
	{{"--output-prefix", "--cwd"},
	 NULL,
	 "DIR",
	 OPTION_TEXT,
	 AT(output_prefix),
	 .commands = ALL,
	 .help = "The folder for files of --output and --output-csv."},
	{{"--config"},
	 NULL,
	 "NAME=VALUE",
	 OPTION_TEXTS,
	 AT(config),
	 .commands = COUNTING,
	 .help = "Set a parameter: count.period=MS is the time between two multiplexed sets of "
		 "events, 10 to 100."},

	{{"--source"},
	 NULL,
	 "NAME[,KEY=VALUE...]",
	 OPTION_TEXT,
	 AT(source),
	 .commands = DEVICE | MAN,
	 .help = "Where counts come from; 'wperf detect' shows what there is, 'wperf help' the "
		 "settings. WPERF_SOURCE does the same."},
	{{"--compat"},
	 NULL,
	 NULL,
	 OPTION_FLAG,
	 AT(compat),
	 .commands = ALL,
	 .help = "Behave as WindowsPerf 3.8.0 in its version and in what it tolerates, for "
		 "programs "
		 "that were written for it. WPERF_COMPAT=1 does the same."},
	{{"--format"},
	 NULL,
	 "text|man|bash",
	 OPTION_TEXT,
	 AT(format),
	 .commands = HELP,
	 .help = "Help as text, as the source of a man page, or as completion for bash."},
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
