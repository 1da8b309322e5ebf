// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "event.txt.inc"

// -e of sampling and of counting are two rows, as what may stand behind it differs: a period here,
// a group there. -m, -C and -E are WindowsPerf's.
static const struct option event_options[] = {
	{
		.spellings = {"-e"},
		.value = "EVENTS",
		.kind = OPTION_EVENTS,
		.commands = SAMPLING | TOP | AGENT,
		.help = "Events to sample: cycles,page-faults:5. See 'wperf list'.",
		.details = details_sampled_events,
	},
	{
		.spellings = {"-e"},
		.value = "EVENTS",
		.kind = OPTION_EVENTS,
		.commands = STAT | TEST,
		.help = "Events to count: cycles,instructions. See 'wperf list'.",
		.details = details_counted_events,
	},
	{
		.spellings = {"-m"},
		.value = "METRICS",
		.kind = OPTION_METRICS,
		.commands = STAT | TEST,
		.help = "Metrics: ipc,imix. 'topdown' shows what limits the CPU.",
		.details = details_metrics,
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
		.details = details_frequency,
	},
	{
		.spellings = {"-F", "--frequency"},
		.value = "HZ",
		.kind = OPTION_RATE,
		AT(frequency),
		.min = 1,
		.max = INT32_MAX,
		.commands = AGENT,
		.help = "Samples per second (default: 19), or max.",
	},
	{
		.spellings = {"-d"},
		.kind = OPTION_FLAG,
		// As perf stat -d.
		AT(detailed),
		.commands = STAT,
		.help = "Count cache loads and misses as well.",
	},
	{
		.spellings = {"-k"},
		.kind = OPTION_FLAG,
		// WindowsPerf counts user code alone unless -k is given. Many Linux systems allow
		// users no more than that, too.
		AT(kernel),
		.commands = COUNTING,
		.help = "Include kernel code.",
	},
	{
		.spellings = {"-k"},
		.kind = OPTION_FLAG,
		AT(kernel),
		.commands = AGENT,
		.help = "Include kernel code (the default for root).",
	},
	{
		.spellings = {"--source"},
		.value = "SOURCE",
		.kind = OPTION_TEXT,
		AT(source),
		// `man` asks the source only which core is at hand.
		.commands = DEVICE | MAN | SETUP | AGENT,
		.help = "Where events come from: perf, timer, sim, ...",
		.details = details_source,
	},
	{
		.spellings = {"--spe", "--accesses"},
		.value = "summary|latency|source|miss|branch|operation|sharing",
		.kind = OPTION_TEXT,
		AT(spe),
		.commands = SAMPLING | REPORT,
		.details = details_spe,
		.help = "Show details of Arm SPE samples, or of accesses to memory by PEBS or IBS.",
		.is_rare = true,
	},
	{
		.spellings = {"--dmc"},
		.value = "INDEX",
		.kind = OPTION_NUMBER,
		AT(dmc),
		.min = 0,
		// 255 in the driver's request stands for all channels (COUNT_ALL_CHANNELS).
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
		.commands = COUNTING | LIST | AGENT,
		.help = "Define more events: 'name:number,...', or a file with such lines.",
		.details = "Numbers are hexadecimal.",
		.is_rare = true,
	},
	{
		.spellings = {"--events-dir"},
		.value = "DIR",
		.kind = OPTION_TEXT,
		AT(events_dir),
		.commands = CATALOGUE | AGENT,
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
		.details = details_config,
		.is_rare = true,
	},
};

const struct option_group option_group_event = OPTION_GROUP("Events", event_options);
