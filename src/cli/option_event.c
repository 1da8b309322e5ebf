// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option event_options[] = {
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
		.spellings = {"-k"},
		.kind = OPTION_FLAG,
		AT(kernel),
		.commands = COUNTING,
		.help = "Count kernel code as well.",
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
		.spellings = {"--config"},
		.value = "NAME=VALUE",
		.kind = OPTION_TEXTS,
		AT(config),
		.commands = COUNTING,
		.help = "Set a parameter: count.period=MS is the time between two multiplexed sets "
			"of events, 10 to 100.",
	},
};

const struct option_group option_group_event = OPTION_GROUP("Events", event_options);
