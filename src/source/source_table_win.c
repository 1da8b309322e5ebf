// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "source/driver/source_driver.h"
#include "source/etw/source_etw.h"
#include "source/memory/source_memory.h"
#include "source/sim/source_sim.h"
#include "source/timer/source_timer.h"

const struct source_ops *const all_sources[] = {
	&source_driver_ops, &source_etw_ops, &source_timer_ops,
	&source_memory_ops, &source_sim_ops, NULL,
};
