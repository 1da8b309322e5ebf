// SPDX-License-Identifier: Apache-2.0
// WindowsPerf prints "counting ... -" and turns the last character while it counts, then "done".
// Clients and logs read the words, so they stay; the character turns only on a terminal, where a
// backspace overwrites it. Elsewhere the wait is one call, without wakeups that would disturb what
// is counted.

#include "report/stat/stat_progress.h"

#include "base/os/interrupt.h"
#include "base/terminal/terminal.h"

static const char spinner[] = "-/|\\";

// Ten wakeups a second: smooth enough for the eye, and few enough not to show in the counts.
enum { STEP_NS = 100000000 };

struct error *stat_progress_wait(struct counting *counting, FILE *stream)
{
	bool turns = stream && terminal_is_terminal(stream);
	bool is_over = false;
	struct error *err = NULL;
	if (stream)
		fputs(turns ? "counting ... -" : "counting ... ", stream);
	for (size_t step = 1; !err && !is_over; step++) {
		if (stream)
			fflush(stream);
		err = counting_wait(counting, turns ? STEP_NS : UINT64_MAX, &is_over);
		if (turns)
			fprintf(stream, "\b%c", spinner[step % (sizeof(spinner) - 1)]);
	}
	if (turns)
		fputs("\b", stream);
	stat_progress_end(stream);
	return err;
}

void stat_progress_end(FILE *stream)
{
	// WindowsPerf's words, which stand right behind "counting ... ".
	if (stream && interrupt_requested())
		fputs("Ctrl-C received, quit counting...", stream);
	if (stream)
		fputs("done\n", stream);
}
