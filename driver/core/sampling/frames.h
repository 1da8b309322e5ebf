/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_CORE_SAMPLING_FRAMES_H
#define WPERF_DRIVER_CORE_SAMPLING_FRAMES_H

/**
 * The callers of what was interrupted, by its frame pointers. The stack belongs to a program that
 * may be broken, or means harm: the walk goes up only, and ends at whatever it cannot read.
 *
 * In the kernel it also stays on the stack that was interrupted. A thread, a DPC and an interrupt
 * have a stack each, and only the interrupted stack pointer says which one it was.
 */

#include "driver/core/registers.h"

#include <stdbool.h>
#include <stdint.h>

/** How far above the interrupted stack pointer a frame of the kernel may be: its largest stack. */
enum { DRIVER_FRAMES_KERNEL_REACH = 24 * 1024 };

/** What an interrupt interrupted. */
struct driver_interrupted {
	uint64_t pc, lr;
	uint64_t fp; /* x29; 0: not known */
	uint64_t sp; /* of what was interrupted; only needed of the kernel's */
	bool in_kernel;
};

/**
 * In the interrupt, on @cpu.
 * @ret:     return addresses without the bits of pointer authentication, innermost first.
 * @ret_cut: set to true if there were more than @max; else untouched.
 * Returns how many; 0 where frames cannot be read at all.
 */
unsigned driver_frames_walk(const struct driver_registers *registers, unsigned cpu,
			    const struct driver_interrupted *interrupted, unsigned max,
			    uint64_t *ret, bool *ret_cut);

#endif
