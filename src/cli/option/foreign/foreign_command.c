// SPDX-License-Identifier: Apache-2.0

#include "cli/option/foreign/foreign_command.h"

#include "base/container/array.h"
#include "cli/option/options.h"

#include <string.h>

// What users of perf, py-spy and samply type out of habit. A row either says which words of ours do
// the same (`reads` for a recording, `records` for a program or processes), so that "perf sched
// timehist" works as "wperf sched timehist", or has a hint about what to use instead. help perf
// prints the table, and so does wperf(1).

/** `diff`, `diff NEW` and `diff OLD NEW`; without names what `record` has kept, as with perf. */
static struct error *take_diff(struct options *options)
{
	struct text_list *words = &options->arguments;
	if (options->input || options->diff || words->num_items > 2)
		return error_with_hint(error_create(ERROR_USAGE, "diff compares two recordings"),
				       "write wperf diff OLD NEW, or wperf report -i OLD --diff "
				       "NEW");
	options->input = words->num_items == 2 ? words->items[0] : "wperf.data.old";
	options->diff = words->num_items ? words->items[words->num_items - 1] : "wperf.data";
	words->num_items = 0;
	return NULL;
}

#define READS(...)   .reads = {__VA_ARGS__}
#define RECORDS(...) .records = {__VA_ARGS__}
#define IS(...)      .reads = {__VA_ARGS__}, .is_same = true
#define HINT(text)   .hint = (text)

#define OFF_CPU_FIELDS "comm,tid,cpu,time,period,event,ip,sym"

// Rows of one word stand together, the one without a second word last.
static const struct foreign_command rows[] = {
	// perf
	{"archive", HINT("wperf record --archive keeps all names in the recording")},
	{"bench", HINT("wperf stat -r 10 COMMAND measures any program")},
	{"buildid-cache", HINT("files are found by build ID in ~/.debug and by debuginfod; "
			       "--sysroot DIR looks there first")},
	{"buildid-list", HINT("wperf report --sort module lists the files of a recording")},
	{"c2c", "record", RECORDS("record", "-e", "mem")},
	{"c2c", "report", READS("report", "--spe", "sharing")},
	{"c2c", HINT("write c2c record or c2c report: threads that share lines of data, by "
		     "samples of Arm SPE, Intel PEBS or AMD IBS")},
	{"config", HINT("there is no configuration file; WPERF_SOURCE chooses a source")},
	{"daemon", HINT("wperf record -a --timeout 1h records in the background of a shell")},
	{"data", HINT("wperf export --format pprof|firefox|speedscope writes other formats")},
	{"diff", IS("report"), .take_arguments = take_diff},
	{"flamegraph", IS("flamegraph"), RECORDS("record", "-g", "-o", "wperf.html")},
	{"ftrace", HINT("wperf record --off-cpu shows where threads wait in the kernel; "
			"tracepoints: wperf list")},
	{"inject", HINT("wperf report reads recordings as they are, also those of JIT compilers")},
	{"iostat", HINT("wperf record --off-cpu COMMAND shows where threads wait for disks")},
	{"kallsyms", HINT("wperf symbols FILE lists the functions of a file")},
	{"kmem", HINT("wperf list shows tracepoints: wperf record -g -e kmem:kmalloc -a")},
	{"kvm", HINT("wperf record -a -k samples a host with its guests' threads")},
	{"kwork", HINT("wperf record -a -k --timeout 10 shows what the kernel does")},
	{"lock", "contention", READS("report", "--event", "off-cpu"),
	 RECORDS("record", "--off-cpu")},
	{"lock", "record", RECORDS("record", "--off-cpu")},
	{"lock", "report", READS("report", "--event", "off-cpu")},
	{"lock", HINT("write lock record, lock report or lock contention; they show where threads "
		      "wait, for locks and for anything else")},
	{"mem", "record", RECORDS("record", "-e", "mem")},
	{"mem", "report", READS("report", "--spe", "source")},
	{"mem", HINT("write mem record or mem report: where data came from, by samples of Arm "
		     "SPE, Intel PEBS or AMD IBS")},
	{"probe", HINT("wperf record -e u:FILE:FUNCTION samples each call of a function; "
		       "wperf list probes FILE shows the static probes of a file")},
	{"sched", "latency", READS("report", "--event", "off-cpu", "--sort", "thread"),
	 RECORDS("record", "--off-cpu")},
	{"sched", "record", RECORDS("record", "--off-cpu")},
	{"sched", "script", READS("script", "--event", "off-cpu")},
	{"sched", "timehist", READS("script", "--event", "off-cpu", "-F", OFF_CPU_FIELDS),
	 RECORDS("record", "--off-cpu")},
	{"sched", HINT("write sched record, sched latency, sched timehist or sched script; they "
		       "show where threads wait, and how long")},
	{"timechart", HINT("wperf record -a, then wperf flamegraph: the page has a time line")},
	{"version", IS("--version")},

	// py-spy, samply, cargo flamegraph, Instruments and others
	{"attach", HINT("wperf record -p PID samples a running process")},
	{"import", HINT("wperf report -i FILE reads recordings of perf and simpleperf")},
	{"load", HINT("wperf flamegraph -i FILE makes a page for a browser")},
	{"profile",
	 HINT("wperf record COMMAND samples a program, wperf record -p PID a running one")},
	{"run",
	 HINT("wperf record COMMAND samples a program, wperf stat COMMAND counts its events")},
	{"spy", HINT("wperf top -p PID, wperf dump -p PID and wperf record -p PID know Python")},
	{"view",
	 HINT("wperf report shows a recording, wperf flamegraph makes a page for a browser")},
};

const struct foreign_command *foreign_command_next(const struct foreign_command *previous)
{
	const struct foreign_command *next = previous ? previous + 1 : rows;
	return next < rows + ARRAY_SIZE(rows) ? next : NULL;
}

const struct foreign_command *foreign_command_find(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].word, word))
			return &rows[i];
	return NULL;
}

bool foreign_command_needs_second(const char *word)
{
	const struct foreign_command *first = foreign_command_find(word);
	return first && first->second;
}

const struct foreign_command *foreign_command_find_second(const char *word, const char *second)
{
	const struct foreign_command *row = foreign_command_find(word);
	// A word without second words has one row.
	if (!row || !row->second)
		return row;
	for (; row && !strcmp(row->word, word); row = foreign_command_next(row))
		if (second && row->second && !strcmp(row->second, second))
			return row;
	return NULL;
}

// As one would type them.
static void foreign_command_append_words(const char *const *words, struct string_builder *text)
{
	string_builder_append(text, "wperf");
	for (size_t i = 0; i < FOREIGN_MAX_WORDS && words[i]; i++)
		string_builder_appendf(text, " %s", words[i]);
}

void foreign_command_describe(const struct foreign_command *command, struct string_builder *text)
{
	if (command->reads[0])
		foreign_command_append_words(command->reads, text);
	if (command->take_arguments)
		// The only row that takes its arguments itself is diff.
		string_builder_append(text, " -i OLD --diff NEW");
	if (command->reads[0] && command->records[0])
		string_builder_append(text, "; with a program or -p: ");
	if (command->records[0])
		foreign_command_append_words(command->records, text);
	if (command->hint)
		string_builder_append(text, command->hint);
}

struct error *foreign_command_refuse(const struct foreign_command *command, const char *second)
{
	const char *word = command->word;
	// The hint of a word with several rows is in its last row.
	while (!command->hint)
		command = foreign_command_next(command);
	struct error *err;
	if (!foreign_command_needs_second(word))
		err = error_create(ERROR_USAGE, "wperf has no command '%s'", word);
	else if (second)
		err = error_create(ERROR_USAGE, "wperf has no command '%s %s'", word, second);
	else
		err = error_create(ERROR_USAGE, "'%s' needs a second word", word);
	return error_with_hint(err, "%s", command->hint);
}
