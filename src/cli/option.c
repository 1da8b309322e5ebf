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
	DUMP = 1 << COMMAND_DUMP,
	TOP = 1 << COMMAND_TOP,
	SAMPLING = 1 << COMMAND_SAMPLE | 1 << COMMAND_RECORD,
	REPORT = 1 << COMMAND_REPORT,
	ANNOTATE = 1 << COMMAND_ANNOTATE,
	EXPORT = 1 << COMMAND_EXPORT,
	FLAMEGRAPH = 1 << COMMAND_FLAMEGRAPH,
	SCRIPT = 1 << COMMAND_SCRIPT,
	READING = REPORT | ANNOTATE | EXPORT | SCRIPT | FLAMEGRAPH, /* of a file of samples */
	ALL = (1 << NUM_COMMANDS) - 1,
	COUNTING = STAT | SAMPLING | TOP | TEST, /* test shows how events would be counted */
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
		.min = 1,
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
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = TOP,
		.help = "How many tables; 0, the default, goes on until stopped.",
	},
	{
		.spellings = {"--delay"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(delay_ns),
		.commands = TOP,
		.help = "The time between two tables, 2 seconds if left out.",
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
		.commands = STAT | SAMPLING | REPORT,
		.help = "Also write a page for a browser: the timeline of stat -t, or samples as a "
			"flame graph with hot list and source.",
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
		.spellings = {"--spe"},
		.value = "summary|latency|source|miss|branch|operation|sharing",
		.kind = OPTION_TEXT,
		AT(spe),
		.commands = SAMPLING | REPORT,
		.help = "What samples of Arm SPE tell besides: latencies in cycles; where data "
			"came "
			"from; misses of caches and TLB; branches and their targets; operations; "
			"lines of data that threads share, falsely or truly; or a summary of all. "
			"With report, --sort says what a row is.",
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
		.spellings = {"--packets"},
		.kind = OPTION_FLAG,
		AT(packets),
		.commands = SCRIPT,
		.help = "Show what Arm's statistical profiling extension wrote, a packet a line, "
			"as perf report -D does: of a perf.data file, or of a file that is such "
			"a buffer and nothing else.",
	},
	{
		.spellings = {"-g"},
		.kind = OPTION_FLAG,
		AT(callers),
		.commands = SAMPLING | TOP,
		.help = "Take the callers of each sample, too: as --call-graph cfi.",
	},
	{
		.spellings = {"--python"},
		.value = "mixed|only|native",
		.kind = OPTION_TEXT,
		AT(python),
		.commands = SAMPLING | TOP | READING,
		.help = "Lines of Python in the stacks of samples: where native code called them "
			"(mixed), "
			"without native code (only), or not at all (native). Mixed if left out and "
			"the program is one of Python.",
	},
	{
		.spellings = {"--gil"},
		.kind = OPTION_FLAG,
		AT(only_with_gil),
		.commands = SAMPLING | TOP,
		.help = "Python: only samples of threads that hold the GIL. The others are left "
			"out of what is saved, too.",
	},
	{
		.spellings = {"--off-cpu"},
		.kind = OPTION_FLAG,
		AT(off_cpu),
		.commands = SAMPLING | TOP,
		.help = "Also measure, as event off-cpu in nanoseconds, how long threads are off "
			"their core, by where they left it: sleeping, waiting for locks, pipes, "
			"the disk, the GIL of Python. With callers, as -g.",
	},
	{
		.spellings = {"--stop"},
		.kind = OPTION_FLAG,
		AT(stop),
		.commands = SAMPLING | TOP,
		.help = "Stop the thread of each sample for a moment to read its frames of Python: "
			"no call is taken for another then, but it costs the program time, and -F "
			"is at most 200 (99 if left out).",
	},
	{
		.spellings = {"--call-graph"},
		.value = "fp|cfi|lbr",
		.kind = OPTION_TEXT,
		AT(call_graph),
		.commands = SAMPLING | TOP,
		.help = "How callers are found: by frame pointers, where programs keep them; by "
			"the "
			"tables that every program brings for exceptions; or by the CPU's own "
			"record "
			"of calls.",
	},
	{
		.spellings = {"--stack-size"},
		.value = "BYTES",
		.kind = OPTION_NUMBER,
		AT(stack_bytes),
		.min = 64,
		.max = 65528,
		.commands = SAMPLING | TOP,
		.help = "How much of the stack is looked at for --call-graph cfi; 8192 if left "
			"out.",
	},
	{
		.spellings = {"-F", "--frequency"},
		.value = "HZ",
		.kind = OPTION_NUMBER,
		AT(frequency),
		.min = 1,
		.max = INT32_MAX,
		.commands = SAMPLING | TOP,
		.help = "Samples a second of events without an interval of their own; 999 if left "
			"out.",
	},
	{
		.spellings = {"-a", "--all-cpus"},
		.kind = OPTION_FLAG,
		AT(system_wide),
		.commands = SAMPLING | TOP,
		.help = "Sample everything that runs.",
	},
	{
		.spellings = {"--save"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(save),
		.commands = SAMPLING,
		.help = "Keep the recording in this file, as perf.data, for report and others.",
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
		.spellings = {"--image_name"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(image_name),
		.commands = SAMPLING | TOP | TEST,
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
		.commands = SAMPLING | TOP | TEST | READING,
		.help = "Show C++ names in full, with their parameters.",
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
		.spellings = {"--symbol"},
		.alias = "-s",
		.value = "PATTERN",
		.kind = OPTION_TEXT,
		AT(symbol),
		.commands = SAMPLING | TEST | READING | SYMBOLS,
		.help = "Show only symbols of this name; ^name starts with it, name$ ends with it.",
	},
	{
		.spellings = {"--record_spawn_delay"},
		.value = "MS",
		.kind = OPTION_NUMBER,
		AT(spawn_delay_ms),
		ANY_NUMBER,
		.commands = SAMPLING | STAT | TEST,
		.help = "Milliseconds between the start of a program and its samples; 0 if left "
			"out: "
			"from its first instruction on. stat counts from there in any case.",
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
		.commands = STAT | SAMPLING | TOP | DUMP,
		.help = "Count or sample these running processes, joined by commas, with their "
			"threads and what they start. dump takes one.",
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
		.spellings = {"--locals"},
		.kind = OPTION_FLAG,
		AT(locals),
		.commands = DUMP,
		.help = "Show the local variables of each frame with their values, as repr() "
			"writes them. They are read from memory: no code of the program is run, "
			"so that objects of its own types are shown as <module.type at 0x...>.",
	},
	{
		.spellings = {"--async"},
		.kind = OPTION_FLAG,
		AT(async),
		.commands = DUMP,
		.help = "Show the tasks of asyncio: below each thread the one that runs with the "
			"tasks that wait for it, and then all others, each with the frames of its "
			"coroutine. Python 3.14 is the first that tells.",
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

static bool is_spelt(const struct option *option, const char *word, size_t length)
{
	for (size_t i = 0; i < OPTION_MAX_SPELLINGS; i++)
		if (spelt_so(option->spellings[i], word, length))
			return true;
	return spelt_so(option->alias, word, length);
}

const struct option *option_find(const char *word, size_t length, unsigned takers)
{
	const struct option *found = NULL;
	for (size_t i = 0; i < num_all_options; i++) {
		const struct option *option = &all_options[i];
		if (!is_spelt(option, word, length))
			continue;
		if (option->commands & takers)
			return option;
		found = found ? found : option;
	}
	return found;
}

static bool begins_with(const char *spelling, const char *word, size_t length)
{
	return spelling && !strncmp(spelling, "--", 2) && !strncmp(spelling, word, length);
}

struct error *option_find_abbreviation(const char *word, size_t length, unsigned takers,
				       const struct option **ret)
{
	const struct option *found = NULL;
	_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
	size_t num_found = 0;
	for (size_t i = 0; length > 2 && i < num_all_options; i++) {
		const struct option *option = &all_options[i];
		if (takers && !(option->commands & takers))
			continue;
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

bool option_abbreviation_has_value(const char *word)
{
	size_t length = strlen(word);
	bool is_one = false;
	for (size_t i = 0; length > 2 && i < num_all_options; i++)
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS; k++) {
			if (!begins_with(all_options[i].spellings[k], word, length))
				continue;
			if (!all_options[i].value)
				return false;
			is_one = true;
		}
	return is_one;
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
