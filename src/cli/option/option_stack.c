// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

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
		.commands = SAMPLING | TOP,
		.details =
			"cfi uses the tables that compilers emit for exceptions (.eh_frame), so it "
			"works for nearly all programs. fp costs less, but needs programs that "
			"keep frame pointers. lbr uses the last branch records of the CPU.",
		.help = "How to unwind stacks.",
	},
	{
		.spellings = {"--stack-size"},
		.value = "BYTES",
		.kind = OPTION_NUMBER,
		AT(stack_bytes),
		.min = 64,
		.max = 65528,
		.commands = SAMPLING | TOP,
		.help = "Stack bytes to copy per sample for cfi (default: up to 65528).",
		.details =
			"The default is what the buffers have room for, at least 8192; of threads "
			"that run Python, the rest of a deeper stack is read from the running "
			"process. With this option nothing else is read. Stacks that are deeper "
			"end in [truncated stack].",
		.is_rare = true,
	},
	{
		.spellings = {"--off-cpu"},
		.kind = OPTION_FLAG,
		AT(off_cpu),
		.commands = SAMPLING | TOP,
		.details = "Implies -g. The event off-cpu has the nanoseconds from when a thread "
			   "leaves its "
			   "core until it runs again, with the stack where it left.",
		.help = "Also measure waiting: locks, I/O, sleep, the GIL.",
	},
};

const struct option_group option_group_stack = OPTION_GROUP("Call stacks", stack_options);

static const struct option python_options[] = {
	{
		.spellings = {"--python"},
		.value = "mixed|only|native",
		.kind = OPTION_TEXT,
		AT(python),
		.commands = SAMPLING | TOP,
		.details = "mixed, the default for Python programs: between the native frames that "
			   "called them. only: without native frames. native: no Python frames.",
		.help = "How to show Python frames.",
	},
	{
		.spellings = {"--gil"},
		.kind = OPTION_FLAG,
		AT(only_with_gil),
		.commands = SAMPLING | TOP,
		.help = "Keep only samples of threads that hold the GIL.",
		.details = "Other samples are left out of the tables and of the recording.",
	},
	{
		.spellings = {"--stop"},
		.kind = OPTION_FLAG,
		AT(stop),
		.commands = SAMPLING | TOP | DUMP,
		.details = "Stacks are exact then, but the program runs slower. -F is at most 200 "
			   "and 99 by default.",
		.help = "Stop threads while their Python stacks are read.",
	},
	{
		.spellings = {"--locals"},
		.kind = OPTION_FLAG,
		AT(locals),
		.commands = DUMP,
		.help = "Show the local variables of each frame.",
		.details = "Values are read from memory and printed like repr(). No code of the "
			   "program runs, so objects of its own classes are printed as "
			   "<module.type at 0x...>.",
	},
	{
		.spellings = {"--async"},
		.kind = OPTION_FLAG,
		AT(async),
		.commands = DUMP,
		.details = "Each thread shows its running task with the tasks that await it, then "
			   "all other tasks, each with the frames of its coroutine.",
		.help = "Show asyncio tasks and what they await (Python 3.14).",
	},
};

const struct option_group option_group_python = OPTION_GROUP("Python", python_options);
