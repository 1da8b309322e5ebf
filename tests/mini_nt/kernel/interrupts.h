/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_INTERRUPTS_H
#define WPERF_TESTS_MINI_NT_KERNEL_INTERRUPTS_H

/**
 * A GICv3 and the three interrupts of this kernel: another CPU's wish for DPCs, the clock, and the
 * PMI, whose handler the HAL was told. Above DISPATCH_LEVEL all run on the CPU's interrupt stack,
 * as in Windows, and DPCs on another one.
 */

#include "driver/windows/trap_frame_arm64.h"
#include "tests/mini_nt/kernel/cpu.h"

enum { CLOCK_PER_SECOND = 1000 };

/** On each CPU; the first one before all others. */
void interrupts_init(struct cpu *cpu);

/** Have @cpu run its DPCs, or look for another thread, as soon as it is below DISPATCH_LEVEL. */
void interrupts_ask(const struct cpu *cpu);

typedef void interrupts_pmi_fn(const struct trap_frame *frame);

/** NULL: nobody wants it. */
void interrupts_set_pmi(interrupts_pmi_fn *handler);

/** PMIs that nobody wanted. */
unsigned interrupts_num_stray(void);

/** A function that each interrupt of the clock calls on @cpu, for a test; NULL: none. */
void interrupts_set_clock_work(unsigned cpu, void (*work)(void));

#endif
