// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "stack.txt.inc"

// Rows that are about callers, whatever finds them, and then those about Python: both are groups of
// help.
static const struct option stack_options[] = {
	{
		.spellings = {"-g"},
		.kind = OPTION_FLAG,
		AT(callers),
		.commands = SAMPLING | TOP,
		.help = "Record call stacks. Programs need no frame pointers.",
		.details = "The same as --call-graph cfi.",
	},
	{
		.spellings = {"--call-graph"},
		.value = "fp|cfi|lbr",
		.kind = OPTION_TEXT,
		AT(call_graph),
		.commands = SAMPLING | TOP | AGENT,
		.details = details_call_graph,
		.help = "How to unwind stacks.",
	},
	{
		.spellings = {"-b", "--branch-any"},
		.kind = OPTION_FLAG,
		AT(branches),
		.commands = SAMPLING,
		.help = "Also record the branches before each sample.",
		.details = details_branches,
		.is_rare = true,
	},
	{
		.spellings = {"--stack-size"},
		.value = "BYTES",
		.kind = OPTION_NUMBER,
		AT(stack_bytes),
		.min = 64,
		// The kernel takes multiples of 8 below 65536 (sample_stack_user of
		// perf_event_open(2)).
		.max = 65528,
		.commands = SAMPLING | TOP | AGENT,
		.help = "Stack bytes to copy per sample for cfi (default: up to 65528).",
		.details = details_stack_bytes,
		.is_rare = true,
	},
	{
		.spellings = {"--off-cpu"},
		.kind = OPTION_FLAG,
		AT(off_cpu),
		.commands = SAMPLING | TOP | AGENT,
		.details = details_off_cpu,
		.help = "Also measure waiting: locks, I/O, sleep, the GIL.",
	},
	{
		.spellings = {"--wakers"},
		.kind = OPTION_FLAG,
		AT(wakers),
		.commands = SAMPLING | REPORT | FLAMEGRAPH | EXPORT,
		.details = details_wakers,
		.help = "Who ends the waits: record it, or show it on the stacks.",
		.is_rare = true,
	},
	{
		.spellings = {"--sched"},
		.kind = OPTION_FLAG,
		AT(sched),
		.commands = 1 << COMMAND_RECORD,
		.details = details_sched,
		.help = "Measure how long threads are ready before they run.",
		.is_rare = true,
	},
	{
		.spellings = {"--waits"},
		.kind = OPTION_FLAG,
		AT(waits),
		.commands = TRACE | REPORT,
		.details = details_waits,
		.help = "Show what the program waits for, by line.",
	},
};

const struct option_group option_group_stack = OPTION_GROUP("Call stacks", stack_options);

static const struct option python_options[] = {
	{
		.spellings = {"--python"},
		.value = "mixed|only|native",
		.kind = OPTION_TEXT,
		AT(python),
		.commands = SAMPLING | TOP | AGENT | TRACE,
		.details = details_python,
		.help = "How to show Python frames.",
	},
	{
		.spellings = {"--gil"},
		.kind = OPTION_FLAG,
		// py-spy's --gil.
		AT(only_with_gil),
		.commands = SAMPLING | TOP | AGENT,
		.help = "Keep only samples of threads that hold the GIL.",
		.details = "Other samples are left out of the tables and of the recording.",
	},
	{
		.spellings = {"--stop"},
		.kind = OPTION_FLAG,
		AT(stop),
		.commands = SAMPLING | TOP | DUMP,
		.details = details_stop,
		.help = "Stop threads while their Python stacks are read.",
	},
	{
		.spellings = {"--locals"},
		.kind = OPTION_FLAG,
		AT(locals),
		.commands = DUMP,
		.help = "Show the local variables of each frame.",
		.details = details_locals,
	},
	{
		.spellings = {"--async"},
		.kind = OPTION_FLAG,
		AT(async),
		.commands = SAMPLING | DUMP,
		.details = details_async,
		.help = "Show asyncio tasks: stacks begin with them.",
	},
};

const struct option_group option_group_python = OPTION_GROUP("Python", python_options);
