/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_REGISTERS_H
#define WPERF_PROCESS_THREAD_REGISTERS_H

/** Windows only: where a thread that is held stands. On Linux samples bring that themselves. */

#include "process/thread_hold.h"
#include "record/user_regs.h"

#include <stdbool.h>
#include <stdint.h>

/** Of the machine that wperf was built for; false if the thread has ended. */
bool thread_registers_read(const struct thread_hold *hold, struct user_regs *ret);

/** Its stack: from the lowest byte that it may touch now to the one behind the highest. */
struct stack_limits {
	uint64_t low, high;
};

/** False if they are not known, or cannot be right. */
bool thread_registers_stack(const struct thread_hold *hold, struct stack_limits *ret);

#endif
