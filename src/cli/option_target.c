// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option target_options[] = {
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
		.spellings = {"-a", "--all-cpus"},
		.kind = OPTION_FLAG,
		AT(system_wide),
		.commands = SAMPLING | TOP,
		.help = "Sample everything that runs.",
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
		.spellings = {"--per-thread"},
		.kind = OPTION_FLAG,
		AT(per_thread),
		.commands = STAT,
		.help = "Count each thread for itself.",
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
};

const struct option_group option_group_target = OPTION_GROUP("Target", target_options);
