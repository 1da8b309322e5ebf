// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/cpus.h"

#include "driver/windows/regs_arm64.h"

// A DPC that is targeted at a CPU runs there; cpus_run() waits for the event that it sets. The
// server's mutex lets only one call be under way, so one DPC is enough. DPCs run at DISPATCH_LEVEL,
// which the PMI at PROFILE_LEVEL could still interrupt between two accesses to registers; so
// interrupts are masked around each function.

enum { TIMER_TICKS_PER_MS = 10000 }; // of 100 ns

static void NTAPI run_order(KDPC *dpc, void *context, void *unused1, void *unused2)
{
	struct cpus *cpus = context;
	uint64_t saved = regs_arm64_mask_interrupts();
	cpus->function(cpus->argument);
	regs_arm64_unmask_interrupts(saved);
	KeSetEvent(&cpus->order_done, IO_NO_INCREMENT, FALSE);
}

static void NTAPI run_tick(KDPC *dpc, void *context, void *unused1, void *unused2)
{
	struct cpus_timer *timer = context;
	uint64_t saved = regs_arm64_mask_interrupts();
	timer->cpus->tick(timer->cpus->context, timer->cpu);
	regs_arm64_unmask_interrupts(saved);
}

static void cpus_target(KDPC *dpc, unsigned cpu)
{
	PROCESSOR_NUMBER number;
	KeGetProcessorNumberFromIndex(cpu, &number);
	KeSetTargetProcessorDpcEx(dpc, &number);
	// Else another CPU gets to it only when it has something else to do.
	KeSetImportanceDpc(dpc, HighImportance);
}

void cpus_init(struct cpus *cpus, cpus_tick_fn *tick, void *context)
{
	unsigned num = KeQueryActiveProcessorCountEx(ALL_PROCESSOR_GROUPS);
	cpus->num = num < WPERF_MAX_CORES ? num : WPERF_MAX_CORES;
	cpus->tick = tick;
	cpus->context = context;
	KeInitializeDpc(&cpus->order, run_order, cpus);
	KeInitializeEvent(&cpus->order_done, SynchronizationEvent, FALSE);
	for (unsigned cpu = 0; cpu < cpus->num; cpu++) {
		struct cpus_timer *timer = &cpus->timers[cpu];
		timer->cpus = cpus;
		timer->cpu = cpu;
		timer->period_ms = 0;
		KeInitializeTimerEx(&timer->timer, NotificationTimer);
		KeInitializeDpc(&timer->dpc, run_tick, timer);
		cpus_target(&timer->dpc, cpu);
	}
}

void cpus_deinit(struct cpus *cpus)
{
	PAGED_CODE();
	for (unsigned cpu = 0; cpu < cpus->num; cpu++)
		cpus_set_period(cpus, cpu, 0);
	// KeCancelTimer() takes the timer away, but not a DPC that is queued already.
	KeFlushQueuedDpcs();
}

void cpus_run(struct cpus *cpus, unsigned cpu, cpus_fn *function, void *argument)
{
	cpus->function = function;
	cpus->argument = argument;
	cpus_target(&cpus->order, cpu);
	KeInsertQueueDpc(&cpus->order, NULL, NULL);
	KeWaitForSingleObject(&cpus->order_done, Executive, KernelMode, FALSE, NULL);
}

void cpus_set_period(struct cpus *cpus, unsigned cpu, unsigned period_ms)
{
	struct cpus_timer *timer = &cpus->timers[cpu];
	if (period_ms == timer->period_ms)
		return;
	timer->period_ms = period_ms;
	if (!period_ms) {
		KeCancelTimer(&timer->timer);
		return;
	}
	// Negative: relative to now (WDK, KeSetTimerEx()).
	LARGE_INTEGER due = {.QuadPart = -(LONGLONG)period_ms * TIMER_TICKS_PER_MS};
	KeSetTimerEx(&timer->timer, due, (LONG)period_ms, &timer->dpc);
}
