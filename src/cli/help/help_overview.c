// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"
#include "cli/version.h"

// Laid out by hand for a terminal of 80 columns and 30 lines; unit.help measures it and checks that
// all commands are in it.
static const char overview[] =
	"Usage: wperf COMMAND [OPTIONS] [[--] PROGRAM [ARGS]]\n"
	"\n"
	"Profile  record         run a program and sample it\n"
	"         top            show the hottest functions, live\n"
	"         sample         sample running processes\n"
	"         dump           print the Python stacks of a running process\n"
	"Read     report         hot functions, lines, threads; call trees; compare runs\n"
	"         annotate       hot source lines and instructions\n"
	"         flamegraph     HTML page: flame graph, hot list, source, timeline\n"
	"         export         convert for pprof, Firefox Profiler, speedscope, ...\n"
	"         script         every sample as text; evlist: the events of a recording\n"
	"Count    stat           count events and compute metrics\n"
	"Look up  list, man      list events and metrics; explain one\n"
	"         detect         what works on this machine, and how to enable the rest\n"
	"         symbols        functions of a binary; look up addresses\n"
	"         test           PMU setup; also: cpuinfo, cmnlist, --version, help\n"
	"\n"
	"Options  -g  call stacks        -p PIDS   attach to processes   -e EVENTS\n"
	"         -a  whole system       -c CORES  only these cores      -F HZ\n"
	"         -k  also kernel code   --html FILE  write a page       --json\n"
	"\n"
	"  wperf record -g --html page.html -- ./prog    flame graph of a program\n"
	"  wperf record python3 app.py                   hot Python lines\n"
	"  wperf stat ./prog                             cycles, instructions, misses\n"
	"  wperf top -p 1234                             what is hot now\n"
	"  wperf dump 1234                               where a Python process hangs\n"
	"\n"
	"More:  'wperf COMMAND --help', man wperf, 'wperf help sources', 'help perf'\n"
	"Bugs:  report them where you got wperf, with the output of 'wperf detect'\n";

void help_print_overview(FILE *stream)
{
	struct version version = version_get(false);
	fprintf(stream, "wperf %u.%u.%u: " HELP_SENTENCE ".\n", version.major, version.minor,
		version.patch);
	fputs(overview, stream);
}
