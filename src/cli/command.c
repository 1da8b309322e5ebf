// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"

#include <string.h>

const struct command commands[NUM_COMMANDS] = {
	[COMMAND_STAT] =
		{
			.name = "stat",
			.summary = "Count events",
			.arguments = NULL,
			.description = "Counts how often events happen: while a command or "
				       "processes run (source perf), or on whole cores. -t counts "
				       "again and again and writes a line of a CSV file each time.",
			.examples =
				{
					{"stat -e inst_spec,vfp_spec,ase_spec,ld_spec -c 0 "
					 "--timeout 3",
					 "Count four events on core 0 for three seconds."},
					{"stat -m imix -e l1i_cache -c 7 --timeout 10.5",
					 "Count the events of a metric, as a group, and one more "
					 "event."},
					{"stat -r 5 -- sort big.txt",
					 "Count the kernel's own events of a command, five times."},
					{"stat -m imix -c 1 -t -i 2 -n 3 --timeout 5",
					 "Timeline: count three times for five seconds, with "
					 "pauses of two."},
				},
			.run = command_stat,
		},
	[COMMAND_SAMPLE] =
		{
			.name = "sample",
			.summary = "Sample a running program",
			.arguments = NULL,
			.description = "Finds out where in a running program events happen: the "
				       "program of --pe_file or --image_name, the processes of -p, "
				       "or everything (-a). Ctrl-C ends it as well as --timeout.",
			.examples =
				{
					{"sample -e ld_spec:100000 --pe_file python_d.exe -c 1",
					 "Sample every 100,000th load of a running program on core "
					 "1."},
				},
			.run = command_sample,
		},
	[COMMAND_RECORD] =
		{
			.name = "record",
			.summary = "Start a program and sample it",
			.arguments = NULL,
			.description = "As sample, but starts the program itself, samples it from "
				       "its first instruction to its end, and keeps it on the core "
				       "of -c if there is one. The recording is kept in wperf.data "
				       "for report, export and other programs; -o names another "
				       "file.",
			.examples =
				{
					{"record -e ld_spec:100000 -c 1 --timeout 30 -- "
					 "python_d.exe -c 10**10**100",
					 "Start a program on core 1 and sample its loads for 30 "
					 "seconds."},
					{"record -g -o make.data --html out.html -- make",
					 "Sample a build with its callers, keep it, and draw it."},
					{"record -e arm_spe_0/load_filter=1/ -c 1 -- python_d.exe "
					 "-c 10**10**100",
					 "The same with the statistical profiling extension, where "
					 "the CPU has it."},
				},
			.run = command_sample,
		},
	[COMMAND_TOP] =
		{
			.name = "top",
			.summary = "Watch what is hot right now",
			.arguments = NULL,
			.description =
				"Samples everything that runs, or the processes of -p, and shows "
				"the hottest functions again and again. On a terminal, older "
				"samples count less and less, and keys do this: q quits, z "
				"forgets what was, s switches between all since the start and "
				"what is recent, k and u hide kernel and user code. Elsewhere it "
				"prints a table of each interval.",
			.examples =
				{
					{"top -k", "Everything, kernel code as well."},
					{"top -p 1234 --delay 1", "One process, every second."},
					{"top -n 3 --delay 10 > hot.txt",
					 "Three tables of ten seconds each."},
				},
			.run = command_top,
		},
	[COMMAND_REPORT] =
		{
			.name = "report",
			.summary = "Show where the samples of a recording are",
			.arguments = "[FILE]",
			.description = "Reads a perf.data file, of wperf, perf or simpleperf, and "
				       "shows its hot functions, lines, modules, threads or "
				       "instructions, or its call tree.",
			.examples =
				{
					{"report", "The hot functions of wperf.data."},
					{"report -i perf.data --sort line",
					 "The hot lines of a recording of perf."},
					{"report --tree up --symbol memcpy",
					 "Who it was that spent time in memcpy."},
					{"report -i before.data --diff after.data",
					 "What became hotter, and what cooler."},
				},
			.run = command_report,
		},
	[COMMAND_ANNOTATE] =
		{
			.name = "annotate",
			.summary = "Show the source lines of a recording's hot functions",
			.arguments = "[FILE]",
			.description =
				"Reads a perf.data file, as report does, and shows the source of "
				"hot functions with the share of the function's samples at each "
				"line, and with --disassemble also at each instruction; -> marks "
				"where jumps of the function lead. A line has the samples that "
				"were taken in it; calls that were inlined there are functions of "
				"their own and have a column of their own. What has no samples "
				"nearby is folded, unless -v.",
			.examples =
				{
					{"annotate", "The five hottest functions of wperf.data."},
					{"annotate --symbol parse --disassemble",
					 "One function, with its instructions."},
					{"annotate -i perf.data --file loop.c",
					 "All hot lines of a source file."},
				},
			.run = command_annotate,
		},
	[COMMAND_FLAMEGRAPH] =
		{
			.name = "flamegraph",
			.summary = "Draw a recording as a page for a browser",
			.arguments = "[FILE]",
			.description = "Writes a flame graph with hot functions, callers, source, "
				       "instructions and a time line into one HTML file, "
				       "wperf.html or that of --output, that needs no network.",
			.examples =
				{
					{"flamegraph -i perf.data -o perf.html",
					 "Draw a recording of perf."},
				},
			.run = command_flamegraph,
		},
	[COMMAND_EXPORT] =
		{
			.name = "export",
			.summary = "Write a recording for another program",
			.arguments = "[FILE]",
			.description = "Writes the samples of a perf.data file in a format that "
				       "other programs open, to standard output or into the file "
				       "of --output.",
			.examples =
				{
					{"export --format pprof -o cpu.pb.gz",
					 "For go tool pprof."},
					{"export --format firefox -o cpu.json",
					 "For profiler.firefox.com."},
				},
			.run = command_export,
		},
	[COMMAND_SCRIPT] =
		{
			.name = "script",
			.summary = "Show every sample of a recording as text",
			.arguments = "[FILE]",
			.description =
				"Writes each sample with its stack, as perf script does, for "
				"programs that read that.",
			.examples =
				{
					{"script -i perf.data | less", "Sample by sample."},
					{"script --packets -i perf.data",
					 "The packets of the statistical profiling extension."},
				},
			.run = command_export,
		},
	[COMMAND_LIST] =
		{
			.name = "list",
			.summary = "Show events, metrics and groups of metrics",
			.arguments = "[PATTERN]",
			.description = "Shows what can be asked for with -e and -m on this "
				       "machine, or, with --cpu, on "
				       "another CPU. A pattern shows only names that hold it; with "
				       "* or ? it must fit "
				       "the whole name. Upper and lower case are the same. -v adds "
				       "descriptions, "
				       "formulas and units.",
			.examples =
				{
					{"list -v", "Everything that this machine can count, with "
						    "descriptions."},
					{"list --cpu neoverse-v2 'l1d_*'",
					 "The level 1 data cache events and metrics of a Neoverse "
					 "V2, on any machine."},
					{"list --source sim,cpu=neoverse-n1",
					 "What a simulated Neoverse N1 offers."},
				},
			.run = command_list,
		},
	[COMMAND_SYMBOLS] =
		{
			.name = "symbols",
			.summary = "Show the functions of a program or library",
			.arguments = "FILE [ADDRESS ...]",
			.description =
				"Lists the functions of a program or library for x86-64 or "
				"AArch64, by address: of an ELF file from its symbol tables, or "
				"those of its debug file below /usr/lib/debug; of a Windows "
				"program (.exe, .dll, .sys) from its PDB, which is looked for "
				"beside it, where the linker wrote it, in --symbol-path and in "
				"_NT_SYMBOL_PATH, else from what it exports; or of a PDB alone. "
				"With addresses, which are hexadecimal and relative to the "
				"file (to the start of the image on Windows), it says which "
				"function each one is in, and with --lines also the line "
				"and the calls that were inlined there.",
			.examples =
				{
					{"symbols /usr/lib/libexample.so",
					 "All functions of a library."},
					{"symbols a.out 0x1139 0x1150 --lines",
					 "Which lines two addresses belong to."},
					{"symbols app.exe --lines -s ^main",
					 "The functions of a Windows program whose names begin "
					 "so, with their lines."},
				},
			.run = command_symbols,
		},
	[COMMAND_DUMP] =
		{
			.name = "dump",
			.summary = "Show where the Python threads of a process are",
			.arguments = NULL,
			.description =
				"Shows the Python stack of every thread of a running process, "
				"innermost call first, with files and lines, what the threads are "
				"called, and what they do: which one holds the GIL, waits for it, "
				"runs without it, or sleeps. The process goes on meanwhile; "
				"nothing is written to it. It takes CPython 3.6 or newer, and the "
				"right to debug the process.",
			.examples =
				{
					{"dump -p 1234", "Where is it stuck?"},
					{"dump -p 1234 --locals", "With which values?"},
					{"dump -p 1234 --async", "Which task waits for which?"},
					{"dump -p 1234 --json", "For programs, with columns."},
				},
			.run = command_dump,
		},
	[COMMAND_TEST] =
		{
			.name = "test",
			.summary = "Show the configuration, and how events would be counted",
			.arguments = NULL,
			.description = "Shows what wperf knows of the PMU and of the source that "
				       "reads it, as pairs of "
				       "a name and a value. With -e or -m it also shows how the "
				       "events are put on "
				       "counters: ioctl_events rows give their numbers in order "
				       "and, for each, e for an "
				       "event of its own, gN for a member of group N, p for "
				       "padding, and the metric "
				       "that asked for it.",
			.examples =
				{
					{"test --source sim -e '{ld_spec,st_spec},br_retired'",
					 "How a group and an event are laid out on a simulated "
					 "Neoverse N1."},
				},
			.run = command_test,
		},
	[COMMAND_DETECT] =
		{
			.name = "detect",
			.summary = "Show what this machine can count with, and what would make it "
				   "do more",
			.arguments = NULL,
			.description = "Probes every source of events: the devices it finds, what "
				       "each can do for this "
				       "user on this machine, and for what it cannot do the reason "
				       "and a way out.",
			.examples =
				{
					{"detect", "What is there."},
				},
			.run = command_detect,
		},
	[COMMAND_MAN] =
		{
			.name = "man",
			.summary = "Explain events, metrics and groups of metrics",
			.arguments = "[CPU/]NAME[,...] ...",
			.description = "Explains one or more names of list. A CPU and a slash "
				       "before the name chooses "
				       "its table; --cpu does so for all names. Without either it "
				       "is the table of this "
				       "machine's CPU, or, on a machine that is no Arm, the first "
				       "that has the name.",
			.examples =
				{
					{"man ld_spec", "What an event counts."},
					{"man neoverse-v1/fp_fixed_ops_spec,neoverse-n1/ld_spec",
					 "Two events of two CPUs."},
					{"man Operation_Mix", "Which metrics a group has."},
				},
			.run = command_man,
		},
	[COMMAND_VERSION] =
		{
			.name = "--version",
			.summary = "Show versions",
			.arguments = NULL,
			.description = "Shows the version of wperf, and of the driver or what "
				       "stands in its place. "
				       "Versions of wperf and a driver that do not fit together "
				       "are an error.",
			.examples =
				{
					{"--version --json", "For programs."},
				},
			.run = command_version,
		},
	[COMMAND_HELP] =
		{
			.name = "help",
			.summary = "Show help",
			.arguments = "[COMMAND]",
			.description = "Shows all of the help, or that of one command. --format "
				       "man writes it as a man "
				       "page, --format bash writes the completion for bash.",
			.examples =
				{
					{"help stat",
					 "The help of one command; wperf stat --help is the same."},
					{"help --format bash > /etc/bash_completion.d/wperf",
					 "Complete words of wperf with the tabulator key."},
				},
			.run = command_help,
		},
};

enum command_id command_find(const char *name)
{
	for (unsigned id = 0; id < NUM_COMMANDS; id++)
		if (!strcmp(commands[id].name, name))
			return id;
	return COMMAND_NONE;
}
