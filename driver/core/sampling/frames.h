/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_FRAMES_H
#define WPERF_DRIVER_CORE_SAMPLING_FRAMES_H

/**
 * The callers of what was interrupted, by its frame pointers. The stack belongs to a program that
 * may be broken, or means harm: the walk goes up only, and ends at whatever it cannot read.
 */

#include "driver/core/registers.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * In the interrupt, on @cpu.
 * @fp:      the frame pointer (x29) when it was interrupted.
 * @ret:     return addresses without the bits of pointer authentication, innermost first.
 * @ret_cut: set to true if there were more than @max; else untouched.
 * Returns how many; 0 where frames cannot be read at all.
 */
unsigned driver_frames_walk(const struct driver_registers *registers, unsigned cpu, uint64_t fp,
			    unsigned max, uint64_t *ret, bool *ret_cut);

#endif
