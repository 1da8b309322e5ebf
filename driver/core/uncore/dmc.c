// SPDX-License-Identifier: Apache-2.0

#include "driver/core/uncore/dmc.h"

const struct driver_dmc_kind_info driver_dmc_kinds[NUM_DRIVER_DMC_KINDS] = {
	[DRIVER_DMC_CLK] = {.first_counter = 8,
			    .num_counters = 2,
			    .num_events = DRIVER_DMC_CLK_EVENTS},
	[DRIVER_DMC_CLKDIV2] = {.first_counter = 0,
				.num_counters = DRIVER_DMC_MAX_COUNTERS,
				.num_events = DRIVER_DMC_CLKDIV2_EVENTS},
};
