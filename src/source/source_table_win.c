// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "source/source_driver.h"
#include "source/source_sim.h"
#include "source/source_timer.h"

const struct source_ops *const all_sources[] = {
	&source_driver_ops,
	&source_timer_ops,
	&source_sim_ops,
	NULL,
};
