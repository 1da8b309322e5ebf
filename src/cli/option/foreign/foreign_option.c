// SPDX-License-Identifier: Apache-2.0
// From the manuals of perf 6.1, py-spy 0.4 and samply 0.13.

#include "cli/option/foreign/foreign_option.h"

#include "base/container/array.h"
#include "cli/option/option_table.h"

#include <string.h>

// How to read a row: IS names our option of the same meaning, GIVES one together with its value;
// HINT says what to use instead; VALUE says that the next word belongs to the option.
#define IS(spelling)        .option = (spelling)
#define GIVES(spelling, of) .option = (spelling), .value = (of)
#define HINT(text)          .hint = (text)
#define NOTHING             .hint = NULL
#define VALUE               .has_value = true

enum { RECORD = SAMPLING | TOP };

static const char follows[] = "threads and child processes are always followed";
static const char automatic_buffers[] = "wperf chooses the size of its buffers: leave it out";
static const char who_runs[] =
	"-p takes process IDs; report --thread shows one thread of a recording";
static const char branches[] = "record -b takes all branches before a sample; --call-graph lbr "
			       "takes callers from the CPU's "
			       "branch records";
static const char thread_filter[] =
	"--thread NAME|TID shows one thread, --sort process all processes";
static const char cpu_filter[] =
	"--sort cpu shows all CPUs of a recording; record -c CORES samples some";
static const char tree_hint[] = "--tree down shows the calls, --tree up the callers";
static const char kernel_symbols[] =
	"kernel functions are named from /proc/kallsyms; --sysroot DIR looks for files there first";
static const char spe_hint[] =
	"record -e mem samples accesses to memory with their data (Arm SPE, Intel PEBS, AMD IBS); "
	"--accesses source and --accesses sharing show them";

// The first row that fits counts, so that rows of a word that several commands take stand in the
// order in which they are tried. NOTHING is for what wperf always does or never needs: such an
// option is taken without a word.
static const struct foreign_option rows[] = {
	// perf record, perf top
	{"-b", TOP, HINT(branches)},
	{"--branch-any", TOP, HINT(branches)},
	{"-j", RECORD, VALUE, HINT(branches)},
	{"--branch-filter", RECORD, VALUE, HINT(branches)},
	{"-t", SAMPLING | TOP, VALUE, HINT(who_runs)},
	{"--tid", SAMPLING | TOP | STAT, VALUE, HINT(who_runs)},
	{"-u", RECORD, VALUE, HINT("-p takes process IDs: -p $(pgrep -d, -u USER)")},
	{"--uid", RECORD, VALUE, HINT("-p takes process IDs: -p $(pgrep -d, -u USER)")},
	{"-i", RECORD, HINT(follows)},
	{"--no-inherit", RECORD | STAT, HINT(follows)},
	{"--event", COUNTING, IS("-e")},
	{"--freq", RECORD, IS("-F")},
	{"--rate", RECORD, IS("-F")},
	{"--strict-freq", RECORD, NOTHING},
	{"--count", RECORD, VALUE, HINT("the period stands behind the event: -e EVENT:100000")},
	{"--period", SAMPLING, NOTHING},
	{"-P", SAMPLING, NOTHING},
	{"-T", SAMPLING, NOTHING},
	{"--timestamp", SAMPLING, NOTHING},
	{"-R", SAMPLING, NOTHING},
	{"--raw-samples", SAMPLING, NOTHING},
	{"--sample-cpu", SAMPLING, NOTHING},
	{"--sample-identifier", SAMPLING, NOTHING},
	{"--stat", SAMPLING, NOTHING},
	{"-W", SAMPLING, HINT(spe_hint)},
	{"--weight", SAMPLING, HINT(spe_hint)},
	{"-d", SAMPLING, IS("--timeout")}, // py-spy; perf's are data addresses
	{"--duration", COUNTING, IS("--timeout")},
	{"--data", SAMPLING, HINT(spe_hint)},
	{"--ldlat", SAMPLING, VALUE,
	 HINT("-e arm_spe_0/min_latency=30/ or -e cpu/mem-loads,ldlat=30/ samples what takes 30 "
	      "cycles and more")},
	{"--type", SAMPLING, VALUE,
	 HINT("-e cpu/mem-loads/ or arm_spe_0/load_filter=1/ samples loads, cpu/mem-stores/ or "
	      "store_filter=1 stores")},
	{"--phys-data", SAMPLING, HINT(spe_hint)},
	{"--per-thread", SAMPLING, NOTHING},
	{"-N", SAMPLING, NOTHING},
	{"--no-buildid-cache", SAMPLING, NOTHING},
	{"-B", SAMPLING, NOTHING},
	{"--no-buildid", SAMPLING, NOTHING},
	{"--buildid-all", SAMPLING, NOTHING},
	{"--buildid-mmap", SAMPLING, NOTHING},
	{"--no-buffering", SAMPLING, NOTHING},
	{"--group", SAMPLING | STAT | REPORT,
	 HINT("braces make a group: -e '{cycles,instructions}'")},
	{"-m", RECORD, VALUE, HINT(automatic_buffers)},
	{"--mmap-pages", RECORD, VALUE, HINT(automatic_buffers)},
	{"-D", SAMPLING, IS("--record_spawn_delay")},
	{"--delay", SAMPLING, IS("--record_spawn_delay")},
	{"-d", TOP, IS("--delay")},
	{"-G", SAMPLING, VALUE,
	 HINT("-p takes process IDs: those of a control group are in its cgroup.procs")},
	{"--cgroup", SAMPLING, VALUE,
	 HINT("-p takes process IDs: those of a control group are in its cgroup.procs")},
	{"-z", SAMPLING, HINT("recordings are not compressed: zstd wperf.data afterwards")},
	{"--compression-level", SAMPLING,
	 HINT("recordings are not compressed: zstd wperf.data afterwards")},
	{"--all-user", COUNTING, NOTHING},
	{"--all-kernel", COUNTING,
	 HINT("-e EVENT:k counts kernel code only, -k kernel code as well")},
	{"--user-callchains", SAMPLING, NOTHING},
	{"--kernel-callchains", SAMPLING, HINT("-e EVENT:k samples kernel code only")},
	{"--switch-events", SAMPLING, HINT("--off-cpu measures where threads wait, and how long")},
	{"--exclude-perf", SAMPLING, NOTHING},
	{"--overwrite", SAMPLING,
	 HINT("record --ring 30s keeps the last samples; SIGUSR2 writes them")},
	{"-S", SAMPLING, HINT("record --ring 30s keeps the last samples; SIGUSR2 writes them")},
	{"--snapshot", SAMPLING,
	 HINT("record --ring 30s keeps the last samples; SIGUSR2 writes them")},
	{"--switch-output-event", SAMPLING, VALUE,
	 HINT("record --switch-output --trigger 'EVENT>RATE/s' begins a file by an event")},
	{"--max-size", SAMPLING, VALUE,
	 HINT("--timeout TIME and -F HZ limit the size of a recording")},
	{"--filter", SAMPLING, VALUE,
	 HINT("report filters afterwards: --event, --thread, --module, --symbol, --time")},
	{"--clockid", SAMPLING, VALUE, NOTHING},
	{"--realtime", RECORD, VALUE, NOTHING},
	{"--dry-run", SAMPLING, HINT("wperf test shows how events would be counted")},
	{"--intr-regs", SAMPLING, HINT("registers are recorded where --call-graph cfi needs them")},
	{"--user-regs", SAMPLING, HINT("registers are recorded where --call-graph cfi needs them")},
	{"--aux-sample", SAMPLING, HINT("-e arm_spe_0// takes samples by Arm SPE")},
	{"--kcore", SAMPLING, NOTHING},
	{"-K", TOP, NOTHING}, // kernel code needs -k
	{"--hide_kernel_symbols", TOP, NOTHING},
	{"-U", TOP, HINT("-e EVENT:k samples kernel code only")},
	{"--hide_user_symbols", TOP, HINT("-e EVENT:k samples kernel code only")},
	{"--entries", TOP, IS("--sample-display-row")},
	{"-z", TOP, NOTHING},
	{"--zero", TOP, NOTHING},
	{"--stdio", TOP | (READING & ~REPORT), NOTHING},

	// py-spy, samply
	{"-r", RECORD, IS("-F")},
	{"-n", SAMPLING, NOTHING},
	{"--native", SAMPLING | TOP | DUMP, NOTHING},
	{"--subprocesses", SAMPLING | TOP | DUMP, NOTHING},
	{"--nonblocking", SAMPLING | TOP | DUMP, NOTHING},
	{"--full-filenames", SAMPLING | DUMP, NOTHING},
	{"--nolineno", SAMPLING,
	 HINT("report --sort python-function shows functions without lines")},
	{"--function", SAMPLING,
	 HINT("report --sort python-function shows functions without lines")},
	{"--threads", SAMPLING, NOTHING},
	{"--capture", SAMPLING, NOTHING},
	{"-f", SAMPLING, VALUE,
	 HINT("wperf export --format speedscope -o FILE writes other formats")},
	{"--format", SAMPLING, VALUE,
	 HINT("wperf export --format speedscope -o FILE writes other formats")},
	{"-l", DUMP, IS("--locals")},
	{"-j", DUMP | STAT, IS("--json")},
	{"--json", TOP, HINT("wperf record --json prints the hottest functions as JSON")},
	{"--output", TOP, VALUE, HINT("wperf top > FILE keeps the tables")},
	{"-o", TOP, VALUE, HINT("wperf top > FILE keeps the tables")},
	{"--no-open", SAMPLING, NOTHING},
	{"--save-only", SAMPLING, NOTHING},

	// perf stat
	{"-M", STAT, IS("-m")},
	{"--metrics", STAT, IS("-m")},
	{"--topdown", STAT, GIVES("-m", "topdown")},
	{"--td-level", STAT, VALUE, HINT("-m topdown shows all levels that this CPU has")},
	{"--interval-print", STAT, IS("-I")},
	{"--field-separator", STAT, IS("-x")},
	{"--detailed", STAT, IS("-d")},
	{"--no-aggr", STAT, IS("-A")},
	{"--interval-count", STAT, IS("-n")},
	{"--interval-clear", STAT, HINT("wperf top shows one screen again and again")},
	{"--json-output", STAT, IS("--json")},
	{"--metric-only", STAT, HINT("-m METRICS --json gives metrics to programs")},
	{"--metric-no-group", STAT, NOTHING},
	{"--metric-no-merge", STAT, NOTHING},
	{"--scale", STAT, NOTHING},
	{"--big-num", STAT, NOTHING},
	{"-B", STAT, NOTHING},
	{"--no-big-num", STAT, HINT("--json writes numbers for programs")},
	{"--sync", STAT, NOTHING},
	{"-S", STAT, NOTHING},
	{"--log-fd", STAT, VALUE, HINT("-o FILE writes into a file")},
	{"--pre", STAT, VALUE, HINT("wperf stat -- sh -c 'COMMAND; COMMAND' counts both")},
	{"--post", STAT, VALUE, HINT("wperf stat -- sh -c 'COMMAND; COMMAND' counts both")},
	{"--summary", STAT, NOTHING},
	{"--no-csv-summary", STAT, NOTHING},
	{"-g", STAT, HINT("stat counts without stacks; wperf record -g shows where events happen")},
	{"--call-graph", STAT, VALUE,
	 HINT("stat counts without stacks; wperf record -g shows where events happen")},
	{"-F", STAT, VALUE, HINT("stat counts all events; wperf record -F HZ takes samples")},

	// perf report, script, annotate
	{"-D", READING,
	 HINT("wperf script shows each sample, script --packets what Arm SPE wrote")},
	{"--dump-raw-trace", READING,
	 HINT("wperf script shows each sample, script --packets what Arm SPE wrote")},
	{"-k", READING, VALUE, HINT(kernel_symbols)},
	{"--vmlinux", READING | TOP | SAMPLING, VALUE, HINT(kernel_symbols)},
	{"--kallsyms", READING | TOP, VALUE, HINT(kernel_symbols)},
	{"--symfs", READING | TOP | SAMPLING, IS("--sysroot")},
	{"-f", TOP, NOTHING},
	{"--force", TOP, NOTHING},
	{"-F", EVLIST, IS("-v")}, // the rate is there, too
	{"--freq", EVLIST, IS("-v")},
	{"-g", EVLIST, HINT("events are listed one by one, without their groups")},
	{"-n", REPORT | ANNOTATE, NOTHING}, // samples are always shown
	{"--show-nr-samples", REPORT | ANNOTATE, NOTHING},
	{"-S", READING, IS("--symbol")},
	{"--symbols", READING, IS("--symbol")},
	{"--symbol-filter", REPORT, IS("--symbol")},
	{"--dso", READING, IS("--module")},
	{"-d", READING, IS("--module")},
	{"--dsos", READING, IS("--module")},
	{"--comm", READING, IS("--thread")},
	{"--comms", READING, IS("--thread")},
	{"--tid", READING, IS("--thread")},
	{"-p", READING & ~FLAMEGRAPH, VALUE, HINT(thread_filter)},
	{"--pid", READING & ~FLAMEGRAPH, VALUE, HINT(thread_filter)},
	{"-T", REPORT, HINT("--sort thread has a row for each thread")},
	{"-c", READING, VALUE, HINT(thread_filter)},
	{"-C", READING, VALUE, HINT(cpu_filter)},
	{"--cpu", READING, VALUE, HINT(cpu_filter)},
	{"-g", READING, HINT(tree_hint)},
	{"--call-graph", READING, VALUE, HINT(tree_hint)},
	{"-G", REPORT, HINT(tree_hint)},
	{"--inverted", REPORT, HINT(tree_hint)},
	{"--hierarchy", REPORT, HINT(tree_hint)},
	{"--max-stack", READING, VALUE, HINT("--percent-limit PERCENT makes a tree smaller")},
	{"--caller", REPORT, HINT("--tree callers --symbol NAME")},
	{"-b", REPORT, NOTHING},
	{"--branch-stack", REPORT, NOTHING},
	{"--branch-history", REPORT, HINT(tree_hint)},
	{"--mem-mode", REPORT, HINT(spe_hint)},
	{"--inline", READING, NOTHING},
	{"--no-inline", READING, HINT("inlined calls are rows of their own")},
	{"--percentage", READING, VALUE, NOTHING},
	{"--percent-type", READING, VALUE, NOTHING},
	{"--header", READING, NOTHING},
	{"--header-only", READING, HINT("wperf report --sample-display-row 1 begins with it")},
	{"-I", READING, NOTHING},
	{"--show-info", READING, NOTHING},
	{"--stats", REPORT,
	 HINT("the header of wperf report has the sums; --sort process those of processes")},
	{"--tasks", REPORT, HINT("--sort process, or --sort thread")},
	{"--stdio2", READING, NOTHING},
	{"--tui", (READING & ~REPORT) | TOP,
	 HINT("wperf report has one; wperf flamegraph makes a page for a browser")},
	{"--gtk", READING, HINT("output is text; wperf flamegraph makes a page for a browser")},
	{"--stdio-color", READING, VALUE,
	 HINT("colors are used on terminals; NO_COLOR=1 turns them off")},
	{"-t", READING, VALUE, HINT("--json writes columns for programs")},
	{"--field-separator", READING, VALUE, HINT("--json writes columns for programs")},
	{"--demangle", READING, NOTHING},
	{"--no-demangle", READING, HINT("C++ and Rust names are always readable")},
	{"--demangle-kernel", READING, NOTHING},
	{"--objdump", READING, VALUE, NOTHING},
	{"--source", ANNOTATE, NOTHING},
	{"--asm-raw", ANNOTATE, NOTHING},
	{"--no-source", ANNOTATE, HINT("--disassemble shows instructions, with their source")},
	{"-l", ANNOTATE, NOTHING},
	{"--print-line", ANNOTATE, NOTHING},
	{"-P", ANNOTATE, NOTHING},
	{"--full-paths", ANNOTATE, NOTHING},
	{"-M", ANNOTATE, VALUE, NOTHING},
	{"--disassembler-style", ANNOTATE, VALUE, NOTHING},
	{"--itrace", READING, VALUE, NOTHING},
	{"--ns", READING, NOTHING},
	{"--show-mmap-events", SCRIPT,
	 HINT("wperf symbols FILE ADDRESS names an address of a file")},
};

const struct foreign_option *foreign_option_find(const char *word, size_t length, unsigned takers)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct foreign_option *row = &rows[i];
		if (strlen(row->word) == length && !strncmp(row->word, word, length) &&
		    (!takers || row->commands & takers))
			return row;
	}
	return NULL;
}

const struct foreign_option *foreign_option_next(const struct foreign_option *previous)
{
	const struct foreign_option *next = previous ? previous + 1 : rows;
	return next < rows + ARRAY_SIZE(rows) ? next : NULL;
}
