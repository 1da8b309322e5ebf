// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "source/calls/source_calls.h"
#include "source/emulate/source_emulate.h"
#include "source/memory/attached/source_attached.h"
#include "source/memory/source_memory.h"
#include "source/perf/source_perf.h"
#include "source/sched/source_sched.h"
#include "source/sim/source_sim.h"
#include "source/timer/source_timer.h"

const struct source_ops *const all_sources[] = {
	&source_perf_ops,   &source_emulate_ops,  &source_timer_ops,
	&source_memory_ops, &source_attached_ops, &source_calls_ops,
	&source_sched_ops,  &source_sim_ops,      NULL,
};
