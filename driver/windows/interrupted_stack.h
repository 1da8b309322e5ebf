/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_INTERRUPTED_STACK_H
#define WPERF_DRIVER_WINDOWS_INTERRUPTED_STACK_H

/**
 * The kernel's stack that an interrupt interrupted, at PROFILE_LEVEL, where a page fault stops the
 * computer. Callers of user code are not found: nobody can keep their stack in memory meanwhile.
 */

#include "driver/core/registers.h"

#include <stdbool.h>

/** A frame, as read_frame of struct driver_register_ops; false for any address of user memory. */
bool interrupted_stack_read(uint64_t address, struct driver_frame *ret);

#endif
