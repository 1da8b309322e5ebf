// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

static const struct option event_options[] = {
	{
		.spellings = {"-e"},
		.value = "EVENTS",
		.kind = OPTION_EVENTS,
		.commands = SAMPLING | TOP,
		.help = "Events to sample: cycles,page-faults:5. See 'wperf list'.",
		.details = "Events are joined by commas, by name (ld_spec) or by number (r70, "
			   "0x70). ld_spec:100000 takes a sample every 100,000 loads; without a "
			   "period, -F sets the rate. :u or :k after a name samples user or kernel "
			   "code only, :p, :pp or :ppp asks for precise samples. "
			   "cpu/event=0x11,umask=2,name=x/ is an event by the terms of its PMU. "
			   "arm_spe_0/load_filter=1/ samples with the Arm Statistical "
			   "Profiling Extension (SPE).",
	},
	{
		.spellings = {"-e"},
		.value = "EVENTS",
		.kind = OPTION_EVENTS,
		.commands = STAT | TEST,
		.help = "Events to count: cycles,instructions. See 'wperf list'.",
		.details = "Events are joined by commas, by name (ld_spec) or by number (r70, "
			   "0x70). Braces make a group, whose events are always counted together: "
			   "{inst_spec,ld_spec},br_retired. :u or :k after a name counts user or "
			   "kernel code only. cpu/event=0x11,umask=2,name=x/ is an event by the "
			   "terms of its PMU. core_N/EVENTS/ counts on core N, and @FILE reads "
			   "events from a file.",
	},
	{
		.spellings = {"-m"},
		.value = "METRICS",
		.kind = OPTION_METRICS,
		.commands = STAT | TEST,
		.help = "Metrics: ipc,imix. 'topdown' shows what limits the CPU.",
		.details = "Metrics and groups of metrics are joined by commas. topdown prints the "
			   "top-down tree, from the limiting part of the CPU to the cause. 'wperf "
			   "list' shows the names.",
	},
	{
		.spellings = {"-F", "--frequency"},
		.value = "HZ",
		.kind = OPTION_RATE,
		AT(frequency),
		.min = 1,
		.max = INT32_MAX,
		.commands = SAMPLING | TOP,
		.help = "Samples per second (default: 999), or max.",
		.details = "max is the limit of the kernel, which also lowers the default. Not "
			   "used for events with a period.",
	},
	{
		.spellings = {"-d"},
		.kind = OPTION_FLAG,
		AT(detailed),
		.commands = STAT,
		.help = "Count cache loads and misses as well.",
	},
	{
		.spellings = {"-k"},
		.kind = OPTION_FLAG,
		AT(kernel),
		.commands = COUNTING,
		.help = "Include kernel code.",
	},
	{
		.spellings = {"--source"},
		.value = "SOURCE",
		.kind = OPTION_TEXT,
		AT(source),
		.commands = DEVICE | MAN,
		.help = "Where events come from: perf, timer, sim, ...",
		.details = "NAME or NAME,KEY=VALUE,...: 'wperf help sources' lists the sources and "
			   "their settings, 'wperf detect' those that work here. The default is "
			   "WPERF_SOURCE, or the first source that works.",
	},
	{
		.spellings = {"--spe"},
		.value = "summary|latency|source|miss|branch|operation|sharing",
		.kind = OPTION_TEXT,
		AT(spe),
		.commands = SAMPLING | REPORT,
		.details = "latency: cycles per operation. source: where data came from. miss: "
			   "cache and TLB misses. branch: branches and their targets. operation: "
			   "kinds of operations. sharing: cache lines that threads share, truly or "
			   "falsely. summary: all of these in short. In report, --sort sets what a "
			   "row is.",
		.help = "Show details of Arm SPE samples.",
		.is_rare = true,
	},
	{
		.spellings = {"--dmc"},
		.value = "INDEX",
		.kind = OPTION_NUMBER,
		AT(dmc),
		.min = 0,
		.max = 254,
		.commands = STAT | TEST,
		.help = "Count only this channel of the memory controller.",
		.is_rare = true,
	},
	{
		.spellings = {"-C"},
		.value = "FILE",
		.kind = OPTION_TEXTS,
		AT(metric_files),
		.commands = COUNTING | LIST,
		.help = "Define more metrics: a file with lines of 'name:events'.",
		.details = "Events are written as for -e.",
		.is_rare = true,
	},
	{
		.spellings = {"-E"},
		.value = "FILE|EVENTS",
		.kind = OPTION_TEXTS,
		AT(extra_events),
		.commands = COUNTING | LIST,
		.help = "Define more events: 'name:number,...', or a file with such lines.",
		.details = "Numbers are hexadecimal.",
		.is_rare = true,
	},
	{
		.spellings = {"--events-dir"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(events_dir),
		.commands = CATALOGUE,
		.help = "Read CPU tables from Arm telemetry-solution JSON files in this folder.",
		.details = "They have Arm's full descriptions. The default is WPERF_EVENTS_DIR.",
		.is_rare = true,
	},
	{
		.spellings = {"--config"},
		.value = "NAME=VALUE",
		.kind = OPTION_TEXTS,
		AT(config),
		.commands = COUNTING,
		.help = "Set a parameter: count.period=MS is the multiplexing interval, 10 to 100.",
		.details = "If events do not fit the counters, wperf switches between sets of "
			   "events after each such interval.",
		.is_rare = true,
	},
};

const struct option_group option_group_event = OPTION_GROUP("Events", event_options);
