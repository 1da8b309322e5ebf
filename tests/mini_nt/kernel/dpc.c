// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/kernel/dpc.h"

#include "tests/mini_nt/kernel/interrupts.h"
#include "tests/mini_nt/kernel/thread.h"

enum { PER_SECOND_100NS = 10000000, PER_MS_100NS = 10000 };

void dpc_init(KDPC *dpc, PKDEFERRED_ROUTINE routine, void *context)
{
	RtlZeroMemory(dpc, sizeof(*dpc));
	dpc->DeferredRoutine = routine;
	dpc->DeferredContext = context;
}

void dpc_target(KDPC *dpc, unsigned cpu)
{
	dpc->Number = (USHORT)cpu;
}

bool dpc_queue(KDPC *dpc, void *argument1, void *argument2)
{
	struct cpu *cpu = &cpus[dpc->Number];
	uint64_t daif = SYSREG_READ(daif);
	cpu_mask();
	cpu_lock(&cpu->dpcs_lock);
	bool is_new = !dpc->DpcData;
	if (is_new) {
		dpc->DpcData = cpu;
		dpc->SystemArgument1 = argument1;
		dpc->SystemArgument2 = argument2;
		InsertTailList(&cpu->dpcs, &dpc->DpcListEntry);
	}
	cpu_unlock(&cpu->dpcs_lock);
	SYSREG_WRITE(daif, daif);
	if (is_new)
		interrupts_ask(cpu);
	return is_new;
}

static KDPC *dpc_take(struct cpu *cpu)
{
	KDPC *dpc = NULL;
	cpu_mask();
	cpu_lock(&cpu->dpcs_lock);
	if (!IsListEmpty(&cpu->dpcs)) {
		dpc = CONTAINING_RECORD(RemoveHeadList(&cpu->dpcs), KDPC, DpcListEntry);
		dpc->DpcData = NULL;
	}
	cpu_unlock(&cpu->dpcs_lock);
	cpu_unmask();
	return dpc;
}

void dpc_run_all(struct cpu *cpu)
{
	cpu->wants_switch = true;
	if (cpu->index == 0)
		thread_look_at_timers();
	for (KDPC *dpc; (dpc = dpc_take(cpu));) {
		cpu->num_dpcs++;
		dpc->DeferredRoutine(dpc, dpc->DeferredContext, dpc->SystemArgument1,
				     dpc->SystemArgument2);
		if (cpu->irql != DISPATCH_LEVEL)
			cpu_fault("a DPC left the IRQL at", cpu->irql);
	}
}

static void NTAPI dpc_signal(KDPC *dpc, void *event, void *unused1, void *unused2)
{
	thread_set_event(event);
}

void dpc_flush(void)
{
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++) {
		KDPC dpc;
		KEVENT event;
		if (!cpus[i].is_on)
			continue;
		thread_init_event(&event, NotificationEvent, false);
		dpc_init(&dpc, dpc_signal, &event);
		dpc_target(&dpc, i);
		dpc_queue(&dpc, NULL, NULL);
		thread_wait(&event.Header, NULL);
	}
}

uint64_t dpc_now_100ns(void)
{
	return SYSREG_READ(cntvct_el0) * PER_SECOND_100NS / SYSREG_READ(cntfrq_el0);
}

// Timers are in a list; CPU 0 looks at it with each tick of the clock (thread_look_at_timers()).

static LIST_ENTRY timers = {&timers, &timers};

void dpc_set_timer(KTIMER *timer, uint64_t due_100ns, unsigned period_ms, KDPC *dpc)
{
	KIRQL irql = thread_lock();
	if (timer->TimerListEntry.Flink)
		RemoveEntryList(&timer->TimerListEntry);
	timer->DueTime.QuadPart = dpc_now_100ns() + due_100ns;
	timer->Period = period_ms;
	timer->Dpc = dpc;
	InsertTailList(&timers, &timer->TimerListEntry);
	thread_unlock(irql);
}

static void take_out(KTIMER *timer)
{
	RemoveEntryList(&timer->TimerListEntry);
	timer->TimerListEntry.Flink = NULL;
}

bool dpc_cancel_timer(KTIMER *timer)
{
	KIRQL irql = thread_lock();
	bool was_set = timer->TimerListEntry.Flink;
	if (was_set)
		take_out(timer);
	thread_unlock(irql);
	return was_set;
}

void dpc_fire_timers(void)
{
	uint64_t now = dpc_now_100ns();
	for (LIST_ENTRY *entry = timers.Flink, *next; entry != &timers; entry = next) {
		KTIMER *timer = CONTAINING_RECORD(entry, KTIMER, TimerListEntry);
		next = entry->Flink;
		if (timer->DueTime.QuadPart > now)
			continue;
		if (timer->Period)
			timer->DueTime.QuadPart += (uint64_t)timer->Period * PER_MS_100NS;
		else
			take_out(timer);
		if (timer->Dpc)
			dpc_queue(timer->Dpc, NULL, NULL);
	}
}
