// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "target.txt.inc"

// "sleep" is WindowsPerf's word for --timeout: a word without dashes that is an option all the
// same.
static const struct option target_options[] = {
	{
		.spellings = {"-p", "--pid"},
		.value = "PIDS",
		.kind = OPTION_TEXT,
		AT(pids),
		.commands = STAT | SAMPLING | TOP | TRACE | AGENT,
		.help = "Attach to these processes (12,34) and their new children.",
	},
	{
		.spellings = {"-p", "--pid"},
		.value = "PID",
		.kind = OPTION_TEXT,
		AT(pids),
		.commands = DUMP,
		.help = "The process.",
	},
	{
		.spellings = {"-a", "--all-cpus"},
		.kind = OPTION_FLAG,
		AT(system_wide),
		.commands = SAMPLING | TOP | AGENT,
		.help = "Profile the whole system.",
	},
	{
		.spellings = {"-a", "--all-cpus"},
		.kind = OPTION_FLAG,
		AT(system_wide),
		.commands = STAT,
		.help = "Count on all CPUs and show the sum.",
	},
	{
		.spellings = {"-A"},
		.kind = OPTION_FLAG,
		AT(per_core),
		.commands = STAT,
		.help = "With -a: show each CPU instead of the sum.",
	},
	{
		.spellings = {"-c", "--cpu"},
		.value = "CORES",
		.kind = OPTION_TEXT,
		AT(cores),
		.commands = COUNTING,
		.help = "Only these cores: 0,3-5. A program is run on this core.",
	},
	{
		.spellings = {"-c", "--cpu"},
		.value = "CPU",
		.kind = OPTION_TEXT,
		AT(cores),
		// These describe events and count none: -c names a CPU here, and no core.
		.commands = LIST | MAN,
		.help = "Use the tables of this CPU, such as neoverse-v2, on any machine.",
	},
	{
		.spellings = {"--timeout"},
		.alias = "sleep",
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(timeout_ns),
		.min = 1,
		.commands = COUNTING | TRACE,
		.help = "Stop after this time: 10 (seconds), 1.5m or 200ms.",
		.details = details_timeout,
	},
	{
		.spellings = {"--at"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(at_ns),
		.min = 1,
		.commands = SAMPLING,
		.help = "When heap-at looks at memory, and leaks are searched.",
		.details = details_at,
		.is_rare = true,
	},
	{
		.spellings = {"--per-thread"},
		.kind = OPTION_FLAG,
		AT(per_thread),
		.commands = STAT,
		.help = "Count each thread separately.",
	},
	{
		.spellings = {"--record_spawn_delay"},
		.value = "MS",
		.kind = OPTION_NUMBER,
		// WindowsPerf's option. Samples of a program's start, before main(), can be left
		// out with it.
		AT(spawn_delay_ms),
		ANY_NUMBER,
		.commands = SAMPLING | STAT | TEST,
		.details = details_spawn_delay,
		.help = "Milliseconds from program start to sampling (default: 0).",
		.is_rare = true,
	},
	{
		.spellings = {"--image_name"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(image_name),
		.commands = SAMPLING | TOP | TEST,
		.help = "Attach to processes by program name, without its folder.",
		.is_rare = true,
	},
	{
		.spellings = {"--pe_file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(pe_file),
		.commands = SAMPLING | TEST,
		.help = "Attach to processes that run this executable.",
		.is_rare = true,
	},
	{
		.spellings = {"--pdb_file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(pdb_file),
		.commands = SAMPLING | STAT | TEST,
		.help = "Read the symbols of the executable from this PDB.",
		.is_rare = true,
	},
};

const struct option_group option_group_target = OPTION_GROUP("Target", target_options);
