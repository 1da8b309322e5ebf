// SPDX-License-Identifier: Apache-2.0

#include "cli/foreign_command.h"

#include "base/array.h"
#include "cli/options.h"

#include <string.h>

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

#define IS(id)     .command = (id)
#define HINT(text) .command = COMMAND_NONE, .hint = (text)

static const struct foreign_command rows[] = {
	{"diff", IS(COMMAND_REPORT), .take_arguments = take_diff},
	{"version", IS(COMMAND_VERSION)},

	// perf
	{"archive", HINT("wperf record --archive keeps all names in the recording")},
	{"bench", HINT("wperf stat -r 10 COMMAND measures any program")},
	{"buildid-cache", HINT("files are found by build ID in ~/.debug and by debuginfod; "
			       "--sysroot DIR looks there first")},
	{"buildid-list", HINT("wperf report --sort module lists the files of a recording")},
	{"c2c", HINT("wperf record -e arm_spe_0// COMMAND, then wperf report --spe sharing")},
	{"config", HINT("there is no configuration file; WPERF_SOURCE chooses a source")},
	{"daemon", HINT("wperf record -a --timeout 1h records in the background of a shell")},
	{"data", HINT("wperf export --format pprof|firefox|speedscope writes other formats")},
	{"evlist", HINT("wperf report shows the events of a recording, one table each")},
	{"ftrace", HINT("wperf record --off-cpu shows where threads wait in the kernel; "
			"tracepoints: wperf list")},
	{"inject", HINT("wperf report reads recordings as they are, also those of JIT compilers")},
	{"iostat", HINT("wperf record --off-cpu COMMAND shows where threads wait for disks")},
	{"kallsyms", HINT("wperf symbols FILE lists the functions of a file")},
	{"kmem", HINT("wperf list shows tracepoints: wperf record -g -e kmem:kmalloc -a")},
	{"kvm", HINT("wperf record -a -k samples a host with its guests' threads")},
	{"kwork", HINT("wperf record -a -k --timeout 10 shows what the kernel does")},
	{"lock", HINT("wperf record --off-cpu COMMAND shows where threads wait for locks")},
	{"mem", HINT("wperf record -e arm_spe_0// COMMAND, then wperf report --spe source")},
	{"probe", HINT("wperf records existing events: wperf list shows them")},
	{"sched", HINT("wperf record --off-cpu COMMAND shows where threads wait, and how long")},
	{"timechart", HINT("wperf record -a, then wperf flamegraph: the page has a time line")},
	{"trace",
	 HINT("wperf record --off-cpu COMMAND shows which system calls block; strace lists calls")},

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

const struct foreign_command *foreign_command_find(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].word, word))
			return &rows[i];
	return NULL;
}

struct error *foreign_command_refuse(const struct foreign_command *command)
{
	return error_with_hint(error_create(ERROR_USAGE, "wperf has no command '%s'",
					    command->word),
			       "%s", command->hint);
}
