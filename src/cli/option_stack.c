// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option stack_options[] = {
	{
		.spellings = {"-g"},
		.kind = OPTION_FLAG,
		AT(callers),
		.commands = SAMPLING | TOP,
		.help = "Take the callers of each sample, too: as --call-graph cfi.",
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
		.spellings = {"--off-cpu"},
		.kind = OPTION_FLAG,
		AT(off_cpu),
		.commands = SAMPLING | TOP,
		.help = "Also measure, as event off-cpu in nanoseconds, how long threads are off "
			"their core, by where they left it: sleeping, waiting for locks, pipes, "
			"the disk, the GIL of Python. With callers, as -g.",
	},
};

const struct option_group option_group_stack = OPTION_GROUP("Call stacks", stack_options);

static const struct option python_options[] = {
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
		.spellings = {"--stop"},
		.kind = OPTION_FLAG,
		AT(stop),
		.commands = SAMPLING | TOP,
		.help = "Stop the thread of each sample for a moment to read its frames of Python: "
			"no call is taken for another then, but it costs the program time, and -F "
			"is at most 200 (99 if left out).",
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
};

const struct option_group option_group_python = OPTION_GROUP("Python", python_options);
