/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_MINI_NT_KERNEL_DPC_H
#define WPERF_TESTS_MINI_NT_KERNEL_DPC_H

/** Deferred procedure calls of each CPU, and timers, which queue them. */

#include "tests/mini_nt/kernel/cpu.h"

void dpc_init(KDPC *dpc, PKDEFERRED_ROUTINE routine, void *context);
void dpc_target(KDPC *dpc, unsigned cpu);

/** At any IRQL. False: it is queued already. */
bool dpc_queue(KDPC *dpc, void *argument1, void *argument2);

/** In the interrupt, at DISPATCH_LEVEL. */
void dpc_run_all(struct cpu *cpu);

/** At PASSIVE_LEVEL: those that are queued now have run when it returns. */
void dpc_flush(void);

/** @due_100ns: from now on. */
void dpc_set_timer(KTIMER *timer, uint64_t due_100ns, unsigned period_ms, KDPC *dpc);
bool dpc_cancel_timer(KTIMER *timer);

/** Queue the DPCs of those that are due. With the lock (thread.h). */
void dpc_fire_timers(void);

/** In units of 100 ns, since the machine was switched on. */
uint64_t dpc_now_100ns(void);

#endif
