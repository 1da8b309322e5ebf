/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_EVENTS_H
#define WPERF_TESTS_BAREMETAL_EVENTS_H

/** All events that QEMU has; the stalls are always 0. */

#include "tests/baremetal/sysreg.h"

enum {
	SW_INCR = 0x00,
	INST_RETIRED = 0x08,
	CPU_CYCLES = 0x11,
	STALL_FRONTEND = 0x23,
	STALL_BACKEND = 0x24,
};

/** One SW_INCR for every counter that has it. */
static inline void event_increment(void)
{
	SYSREG_WRITE(pmswinc_el0, UINT32_MAX >> 1);
}

#endif
