// SPDX-License-Identifier: Apache-2.0

#include "report/stat/stat_progress.h"

#include "base/os/interrupt.h"
#include "base/terminal/terminal.h"

static const char spinner[] = "-/|\\";

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
	if (stream && interrupt_requested())
		fputs("Ctrl-C received, quit counting...", stream);
	if (stream)
		fputs("done\n", stream);
}
