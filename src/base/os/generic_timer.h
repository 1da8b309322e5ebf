/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_GENERIC_TIMER_H
#define WPERF_BASE_OS_GENERIC_TIMER_H

/** Arm's generic timer: one time for all cores of a machine, which hardware puts into traces. 0 on
 *  other machines. */

#include <stdint.h>

#ifdef __aarch64__

static inline uint64_t generic_timer_ticks(void)
{
	uint64_t ticks;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks)::"memory");
	return ticks;
}

static inline uint64_t generic_timer_frequency(void)
{
	uint64_t frequency;
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
	return frequency;
}

#else

static inline uint64_t generic_timer_ticks(void)
{
	return 0;
}

static inline uint64_t generic_timer_frequency(void)
{
	return 0;
}

#endif

#endif
