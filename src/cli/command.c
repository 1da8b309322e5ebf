// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"

#include <string.h>

const struct command commands[NUM_COMMANDS] = {
	[COMMAND_RECORD] =
		{
			.name = "record",
			.summary = "Run a program and sample it",
			.usage = {"record [OPTIONS] [--] PROGRAM [ARGS]",
				  "record [OPTIONS] -p PIDS", "record [OPTIONS] -a"},
			.description = "Samples the program from its first instruction to its end "
				       "and prints its hot functions. Works "
				       "for native and Python programs. The recording is kept in "
				       "wperf.data for 'wperf report'.",
			.details =
				"The event is cycles if the CPU can count them, else cpu-clock; -e "
				"chooses others. Ctrl-C ends the recording and the program, and "
				"prints what was sampled so far.\n"
				"With -c, wperf runs the program on that core. Exit status: that "
				"of the program.\n"
				"From the program's name on, all words belong to the program. With "
				"-p or -a the program is not sampled; it says for how long: record "
				"-a -- sleep 5.",
			.examples =
				{
					{"record -g --html page.html -- ./prog",
					 "Flame graph and hot lines."},
					{"record python3 app.py", "Hot Python lines."},
					{"record --off-cpu ./prog", "Where threads wait."},
					{"record -g -p 1234 --timeout 10",
					 "Attach for 10 seconds."},
					{"record -e cache-misses:1000 ./prog",
					 "Where cache misses happen."},
				},
			.run = command_sample,
		},
	[COMMAND_SAMPLE] =
		{
			.name = "sample",
			.summary = "Sample running processes",
			.usage = {"sample [OPTIONS] -p PIDS", "sample [OPTIONS] -a",
				  "sample [OPTIONS] --image_name NAME"},
			.description = "Samples running processes until Ctrl-C or --timeout, and "
				       "prints their hot functions. For a program that wperf "
				       "should start, use record.",
			.examples =
				{
					{"sample -g -p 1234 --timeout 10",
					 "Attach for 10 seconds, with call stacks."},
					{"sample -e ld_spec:100000 --pe_file python_d.exe -c 1",
					 "Every 100,000th load of a program on core 1."},
				},
			.run = command_sample,
		},
	[COMMAND_TOP] =
		{
			.name = "top",
			.summary = "Show the hottest functions, live",
			.usage = {"top [OPTIONS]", "top [OPTIONS] -p PIDS"},
			.arguments = "[PID]",
			.description = "Samples the whole system, or the processes of -p, and "
				       "updates the hottest functions every two seconds.",
			.details = "Keys: q quits, z clears, s switches between recent samples "
				   "and all samples, k hides kernel code, u hides user code. "
				   "Recent samples: older ones count less and less. If the output "
				   "is not a terminal, top prints a table for each interval.",
			.examples =
				{
					{"top", "The whole system."},
					{"top -k", "With kernel code."},
					{"top -p 1234 -g --delay 1",
					 "One process, every second, with Python lines."},
					{"top -n 3 --delay 10 > hot.txt",
					 "Three tables of ten seconds each."},
				},
			.run = command_top,
		},
	[COMMAND_DUMP] =
		{
			.name = "dump",
			.summary = "Print the Python stacks of a running process",
			.usage = {"dump [OPTIONS] PID"},
			.arguments = "[PID]",
			.description = "Prints the Python stack of each thread, with file and "
				       "line, and whether the thread holds the GIL, waits for it, "
				       "runs without it or sleeps.",
			.details = "The process is not stopped, and nothing is written to it. It "
				   "must run CPython 3.6 or newer, and you need the right to debug "
				   "it. Frames are printed innermost first.",
			.examples =
				{
					{"dump 1234", "Where does it hang?"},
					{"dump 1234 --locals", "With which values?"},
					{"dump 1234 --async", "Which task awaits which?"},
				},
			.run = command_dump,
		},
	[COMMAND_STAT] =
		{
			.name = "stat",
			.summary = "Count events and compute metrics",
			.usage = {"stat [OPTIONS] [--] PROGRAM [ARGS]", "stat [OPTIONS] -p PIDS",
				  "stat [OPTIONS] [-a | -c CORES]"},
			.description = "Counts the events of a program, of processes, or of whole "
				       "cores until Ctrl-C or --timeout.",
			.details = "Without -e and -m, stat counts a default set of events. With "
				   "-t it counts repeatedly and writes each count as a row of a "
				   "CSV file.\n"
				   "From the program's name on, all words belong to the program. "
				   "With -p or -a the program is not counted; it says for how "
				   "long. 'stat sleep 1' is a time-out: write stat -- sleep 1 to "
				   "count the program.",
			.examples =
				{
					{"stat ./prog", "The usual events."},
					{"stat -r 5 ./prog",
					 "Five runs, with mean and standard deviation."},
					{"stat -e cycles,instructions -c 0 --timeout 3",
					 "Two events on core 0, for three seconds."},
					{"stat -m topdown ./prog", "What limits an Arm CPU."},
					{"stat -m imix -c 1 -t -i 2 -n 3 --timeout 5",
					 "Three counts of 5 seconds, pauses of 2."},
				},
			.run = command_stat,
		},
	[COMMAND_REPORT] =
		{
			.name = "report",
			.summary = "Show hot functions, lines, threads or call trees",
			.arguments = "[FILE]",
			.description = "Reads a recording, a perf.data file of wperf, perf or "
				       "simpleperf, and prints its hot functions, lines, modules, "
				       "threads or call trees.",
			.examples =
				{
					{"report", "Hot functions."},
					{"report --sort line", "Hot lines."},
					{"report --tree down", "The call tree, from main."},
					{"report --tree callers --symbol memcpy",
					 "Who calls memcpy."},
					{"report -i old.data --diff new.data",
					 "What became hotter or cooler."},
				},
			.only_reads = true,
			.run = command_report,
		},
	[COMMAND_ANNOTATE] =
		{
			.name = "annotate",
			.summary = "Show hot source lines and instructions",
			.arguments = "[FILE] [FUNCTION]",
			.description =
				"Reads a recording and prints the source of its hot functions, "
				"with the share of samples at each line.",
			.details =
				"A line counts the samples taken in it. Inlined calls are "
				"functions of their own; a column shows them at the line of "
				"the call. --disassemble prints instructions, too; a function of "
				"--symbol without any source line has them in any case. -> marks "
				"the targets of jumps inside the function. Parts without samples "
				"are folded, unless with -v.",
			.examples =
				{
					{"annotate", "The five hottest functions."},
					{"annotate --symbol parse --disassemble",
					 "One function, with instructions."},
					{"annotate --file loop.c", "All hot lines of a file."},
				},
			.only_reads = true,
			.run = command_annotate,
		},
	[COMMAND_FLAMEGRAPH] =
		{
			.name = "flamegraph",
			.summary = "Draw a recording as an interactive HTML page",
			.arguments = "[FILE]",
			.usage = {"flamegraph [OPTIONS] [FILE]",
				  "flamegraph [OPTIONS] PROGRAM [ARGS]"},
			.description =
				"Writes one HTML file with a flame graph, hot functions, callers, "
				"source, instructions and a timeline: wperf.html, or the file of "
				"--output. The page needs no network. With a program, or -p: "
				"record -g -o wperf.html.",
			.examples =
				{
					{"flamegraph", "Draw wperf.data to wperf.html."},
					{"flamegraph ./prog", "Record a program and draw it."},
					{"flamegraph -i perf.data -o perf.html",
					 "Draw a recording of perf."},
				},
			.only_reads = true,
			.run = command_flamegraph,
		},
	[COMMAND_EXPORT] =
		{
			.name = "export",
			.summary = "Convert a recording for other profilers",
			.arguments = "[FILE]",
			.description = "Writes the samples of a recording for go tool pprof, "
				       "Firefox Profiler, speedscope or flame graph scripts, to "
				       "standard output or to the file of --output.",
			.examples =
				{
					{"export --format pprof -o cpu.pb.gz",
					 "For go tool pprof."},
					{"export --format firefox -o cpu.json",
					 "For profiler.firefox.com."},
				},
			.only_reads = true,
			.run = command_export,
		},
	[COMMAND_SCRIPT] =
		{
			.name = "script",
			.summary = "Print every sample as text",
			.arguments = "[FILE]",
			.description = "Prints each sample with its stack, in the format of perf "
				       "script.",
			.examples =
				{
					{"script | less", "Sample by sample."},
					{"script --packets -i perf.data", "Arm SPE packets."},
				},
			.only_reads = true,
			.run = command_export,
		},
	[COMMAND_EVLIST] =
		{
			.name = "evlist",
			.summary = "List the events of a recording",
			.arguments = "[FILE]",
			.description = "Prints the name of each event that was recorded, as "
				       "report --event takes it; with -v, its attributes.",
			.examples =
				{
					{"evlist", "What was recorded?"},
					{"evlist -v -i perf.data", "And how?"},
				},
			.only_reads = true,
			.run = command_evlist,
		},
	[COMMAND_LIST] =
		{
			.name = "list",
			.summary = "List events, metrics and groups of metrics",
			.arguments = "[PATTERN]",
			.description = "Lists the names for -e and -m on this machine, or on "
				       "another CPU with --cpu. A pattern selects names that "
				       "contain it.",
			.details = "With * or ?, the pattern must match the whole name. Case does "
				   "not matter. -v adds descriptions, formulas and units.",
			.examples =
				{
					{"list", "What this machine can count."},
					{"list -v cache", "Names with 'cache', with descriptions."},
					{"list --cpu neoverse-v2 'l1d_*'",
					 "L1 data cache events of a Neoverse V2."},
				},
			.run = command_list,
		},
	[COMMAND_MAN] =
		{
			.name = "man",
			.summary = "Explain events and metrics",
			.arguments = "[CPU/]NAME[,...] ...",
			.description = "Explains events, metrics and groups of metrics that list "
				       "shows.",
			.details = "CPU/NAME uses the tables of that CPU; --cpu sets it for all "
				   "names. The default is the CPU of this machine, or, if it is "
				   "not an Arm CPU, the first one that knows the name.",
			.examples =
				{
					{"man ld_spec", "What an event counts."},
					{"man neoverse-v1/fp_fixed_ops_spec,neoverse-n1/ld_spec",
					 "Events of two CPUs."},
					{"man Operation_Mix", "The metrics of a group."},
				},
			.run = command_man,
		},
	[COMMAND_SYMBOLS] =
		{
			.name = "symbols",
			.summary = "List functions of a binary; look up addresses",
			.arguments = "FILE [ADDRESS ...]",
			.description = "Lists the functions of an ELF file, a Windows program or "
				       "a PDB for x86-64 or AArch64. With addresses, prints the "
				       "function of each one, and with --lines the source line.",
			.details =
				"Symbols of an ELF file come from its symbol tables or from its "
				"debug file below /usr/lib/debug. Those of a Windows program "
				"(.exe, .dll, .sys) come from its PDB: beside it, where the linker "
				"wrote it, in --symbol-path or in _NT_SYMBOL_PATH; without a PDB, "
				"from its exports. A function without a symbol is named by its "
				"start in the file's unwind tables: [app+0x1139]. Addresses are "
				"hexadecimal, and relative to the file (on Windows, to the start "
				"of the image).",
			.examples =
				{
					{"symbols /usr/lib/libexample.so",
					 "All functions of a library."},
					{"symbols a.out 0x1139 0x1150 --lines",
					 "The lines of two addresses."},
					{"symbols app.exe --lines -s ^main",
					 "Functions that start with 'main'."},
				},
			.only_reads = true,
			.run = command_symbols,
		},
	[COMMAND_DETECT] =
		{
			.name = "detect",
			.summary = "Show what works on this machine, and how to enable the rest",
			.usage = {"detect [OPTIONS]"},
			.description = "Tries each source of events, and prints what you can use "
				       "here, what you cannot use and why, and what to do about "
				       "it.",
			.examples =
				{
					{"detect", "What can I profile here?"},
				},
			.run = command_detect,
		},
	[COMMAND_CPUINFO] =
		{
			.name = "cpuinfo",
			.summary = "List the CPU cores and their MIDR",
			.usage = {"cpuinfo [OPTIONS]"},
			.description = "Prints one line per core. On Arm these are the fields of "
				       "the core's MIDR register, and the CPU whose event table "
				       "wperf uses.",
			.examples =
				{
					{"cpuinfo", "Which cores are there?"},
				},
			.run = command_cpuinfo,
		},
	[COMMAND_CMNLIST] =
		{
			.name = "cmnlist",
			.summary = "List mesh interconnects (CMN) that can be counted",
			.usage = {"cmnlist [OPTIONS]"},
			.description = "wperf does not count mesh events, so the list is empty. "
				       "Arm's topdown_tool asks for it.",
			.examples =
				{
					{"cmnlist", "Which meshes are there?"},
				},
			.run = command_cmnlist,
		},
	[COMMAND_TEST] =
		{
			.name = "test",
			.summary = "Show the PMU configuration and how events are scheduled",
			.usage = {"test [OPTIONS]"},
			.description = "Prints what wperf knows about the PMU and the source that "
				       "reads it. With -e or -m, also how events are put on "
				       "counters.",
			.details =
				"Each row is a name and a value. The rows ioctl_events list the "
				"event numbers in order, each with a note: e is a single event, gN "
				"a member of group N, p padding; then the metric that needs it.",
			.examples =
				{
					{"test --source sim -e '{ld_spec,st_spec},br_retired'",
					 "A group on a simulated Neoverse N1."},
				},
			.run = command_test,
		},
	[COMMAND_VERSION] =
		{
			.name = "--version",
			.summary = "Print versions",
			.usage = {"--version [OPTIONS]"},
			.description = "Prints the versions of wperf and of its driver, or of the "
				       "source used instead. A driver that does not fit wperf is "
				       "an error.",
			.examples =
				{
					{"--version", "Versions, as a table."},
					{"--version --json", "For programs."},
				},
			.run = command_version,
		},
	[COMMAND_HELP] =
		{
			.name = "help",
			.summary = "Print help",
			.arguments = "[COMMAND]",
			.usage = {"help [COMMAND]", "help sources", "help perf", "COMMAND --help"},
			.description = "Prints an overview, or the help of one command; with -v, "
				       "all details. 'help sources' lists the settings of "
				       "--source, 'help perf' the commands of perf and other "
				       "tools that wperf knows.",
			.examples =
				{
					{"help record", "The options of record."},
					{"help record -v", "The same, with all details."},
					{"help --format bash > /etc/bash_completion.d/wperf",
					 "Install completion for bash."},
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
