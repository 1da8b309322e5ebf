/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_HARDWARE_COUNTERS_H
#define WPERF_DRIVER_WINDOWS_HARDWARE_COUNTERS_H

/**
 * The counters that the HAL gives to us, so that no other driver uses them meanwhile, nor we
 * theirs. At PASSIVE_LEVEL.
 */

#include "driver/core/registers.h"
#include "driver/windows/kernel.h"

struct hardware_counters {
	uint32_t ours; /* bit n: counter n, on all CPUs */
	unsigned num_handles;
	HANDLE handles[DRIVER_MAX_EVENT_COUNTERS];
};

/**
 * @num: how many there are on every CPU. Those that somebody else has are not ours then; asked are
 *       all of them at once first.
 */
void hardware_counters_take(struct hardware_counters *counters, unsigned num);

void hardware_counters_give_back(struct hardware_counters *counters);

#endif
