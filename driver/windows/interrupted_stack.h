/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_INTERRUPTED_STACK_H
#define WPERF_DRIVER_WINDOWS_INTERRUPTED_STACK_H

/**
 * The stack of the thread that an interrupt interrupted, at PROFILE_LEVEL, where a page fault stops
 * the computer. A kernel stack is all there while its thread runs. Of a user's stack nobody knows:
 * the MMU is asked first, and as another CPU may take the page away right behind the answer, it is
 * not looked at unless an administrator says so (struct parameters).
 */

#include "driver/core/registers.h"

#include <stdbool.h>

/** As read_frame of struct driver_register_ops. */
bool interrupted_stack_read(bool also_user, uint64_t address, struct driver_frame *ret);

#endif
