// SPDX-License-Identifier: Apache-2.0
// The line is written over itself: a carriage return, and "erase to the end of the line" of ECMA-48
// (CSI K), as the text may get shorter. It is for people who watch, so nothing is written where
// standard error is a file or a pipe.

#include "report/sample/sample_progress.h"

#include "base/os/clock.h"
#include "base/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>

// Four times a second looks alive, and costs nothing next to the sampling.
enum { SHOW_NS = 250000000 };

struct sample_progress sample_progress_create(bool is_wanted, uint32_t frequency)
{
	return (struct sample_progress){
		.is_shown = is_wanted && terminal_is_terminal(stderr),
		.frequency = frequency,
	};
}

void sample_progress_show(struct sample_progress *progress, const struct sampling *sampling)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (!progress->is_shown || now_ns - progress->shown_ns < SHOW_NS)
		return;
	progress->shown_ns = now_ns;
	struct sampling_state state = sampling_state(sampling);
	double seconds = (double)state.elapsed_ns / 1e9;
	// num_generated includes those that were lost.
	uint64_t samples = state.totals.num_generated - state.totals.num_lost;
	fprintf(stderr, "\r\033[Ksampling %.1f s, %" PRIu64 " samples, %" PRIu64 " lost", seconds,
		samples, state.totals.num_lost);
	// Fewer than asked for is normal where threads sleep: they are not sampled while they wait.
	if (progress->frequency && seconds > 0)
		fprintf(stderr, ", %.0f/s (asked: %u a core)", (double)samples / seconds,
			progress->frequency);
	fflush(stderr);
}

void sample_progress_end(const struct sample_progress *progress)
{
	if (progress->is_shown)
		fputs("\r\033[K", stderr);
}
