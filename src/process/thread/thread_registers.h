/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_THREAD_THREAD_REGISTERS_H
#define WPERF_PROCESS_THREAD_THREAD_REGISTERS_H

/** Windows only: the registers of a stopped thread. On Linux samples have them. */

#include "process/thread/thread_hold.h"
#include "record/perf_data/user_regs.h"

#include <stdbool.h>
#include <stdint.h>

/** In the layout of wperf's own machine; false: the thread has ended. */
bool thread_registers_read(const struct thread_hold *hold, struct user_regs *ret);

/** Its stack: from the lowest accessible byte to the end. */
struct stack_limits {
	uint64_t low, high;
};

/** False: not known, or impossible. */
bool thread_registers_stack(const struct thread_hold *hold, struct stack_limits *ret);

#endif
