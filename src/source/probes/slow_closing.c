// SPDX-License-Identifier: Apache-2.0

#include "source/probes/slow_closing.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/thread/thread.h"
#include "source/perf/perf_file.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// One thread for each round, as the kernel closes one after the other anyway: whoever opens a probe
// meanwhile waits for one of them (event_mutex of the kernel).

struct slow_closing_round {
	int *fds;
	size_t num_fds;
	struct thread *thread;
	atomic_bool is_over;
};

static void slow_closing_run(void *data)
{
	struct slow_closing_round *round = data;
	perf_file_close_all(round->fds, round->num_fds);
	atomic_store(&round->is_over, true);
}

static void slow_closing_end_round(struct slow_closing *closing)
{
	struct slow_closing_round *round = closing->round;
	if (!round)
		return;
	thread_join(round->thread);
	free(round->fds);
	free(round);
	closing->round = NULL;
}

void slow_closing_go_on(struct slow_closing *closing)
{
	if (closing->round && atomic_load(&closing->round->is_over))
		slow_closing_end_round(closing);
	if (closing->round || !closing->num_fds)
		return;
	_cleanup_free_ struct slow_closing_round *round = calloc(1, sizeof(*round));
	if (!round)
		return; // the next call may have more luck
	round->fds = closing->fds;
	round->num_fds = closing->num_fds;
	struct error *err = thread_start("wperf-closer", slow_closing_run, round, &round->thread);
	if (err) {
		error_destroy(err);
		return;
	}
	closing->round = take_ptr(round);
	closing->fds = NULL;
	closing->num_fds = closing->cap_fds = 0;
}

void slow_closing_add(struct slow_closing *closing, int *fds, size_t num_fds)
{
	if (array_reserve(&closing->fds, &closing->cap_fds, closing->num_fds + num_fds)) {
		perf_file_close_all(fds, num_fds);
		return;
	}
	if (num_fds)
		memcpy(&closing->fds[closing->num_fds], fds, num_fds * sizeof(*fds));
	closing->num_fds += num_fds;
	slow_closing_go_on(closing);
}

void slow_closing_deinit(struct slow_closing *closing)
{
	slow_closing_end_round(closing);
	perf_file_close_all(closing->fds, closing->num_fds);
	free(closing->fds);
	*closing = (struct slow_closing)SLOW_CLOSING_INIT;
}
