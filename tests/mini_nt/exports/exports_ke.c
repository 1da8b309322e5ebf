// SPDX-License-Identifier: Apache-2.0

// Ke: CPUs, DPCs, timers, events, locks.

#include "tests/mini_nt/exports/exports.h"
#include "tests/mini_nt/kernel/dpc.h"
#include "tests/mini_nt/kernel/thread.h"

static KIRQL NTAPI nt_KeAcquireSpinLockRaiseToDpc(KSPIN_LOCK *lock)
{
	cpu_at_most(DISPATCH_LEVEL, "KeAcquireSpinLockRaiseToDpc");
	KIRQL irql = cpu_this()->irql;
	cpu_raise(DISPATCH_LEVEL);
	cpu_lock(lock);
	return irql;
}

static void NTAPI nt_KeReleaseSpinLock(KSPIN_LOCK *lock, KIRQL irql)
{
	if (cpu_this()->irql != DISPATCH_LEVEL)
		cpu_fault("KeReleaseSpinLock at IRQL", cpu_this()->irql);
	cpu_unlock(lock);
	cpu_lower(irql);
}

static void NTAPI nt_KeInitializeTimerEx(KTIMER *timer, TIMER_TYPE type)
{
	RtlZeroMemory(timer, sizeof(*timer));
}

static BOOLEAN NTAPI nt_KeSetTimerEx(KTIMER *timer, LARGE_INTEGER due, LONG period_ms, KDPC *dpc)
{
	cpu_at_most(DISPATCH_LEVEL, "KeSetTimerEx");
	bool was_set = timer->TimerListEntry.Flink;
	dpc_set_timer(timer, (uint64_t)-due.QuadPart, (unsigned)period_ms, dpc);
	return was_set;
}

static BOOLEAN NTAPI nt_KeCancelTimer(KTIMER *timer)
{
	cpu_at_most(DISPATCH_LEVEL, "KeCancelTimer");
	return dpc_cancel_timer(timer);
}

static void NTAPI nt_KeEnterCriticalRegion(void)
{
	cpu_at_most(APC_LEVEL, "KeEnterCriticalRegion");
}

static void NTAPI nt_KeLeaveCriticalRegion(void)
{
	cpu_at_most(APC_LEVEL, "KeLeaveCriticalRegion");
}

static void NTAPI nt_KeFlushQueuedDpcs(void)
{
	cpu_at_most(PASSIVE_LEVEL, "KeFlushQueuedDpcs");
	dpc_flush();
}

static ULONG NTAPI nt_KeGetCurrentProcessorNumberEx(PROCESSOR_NUMBER *ret)
{
	unsigned index = cpu_this()->index;
	if (ret)
		*ret = (PROCESSOR_NUMBER){.Number = (UCHAR)index};
	return index;
}

static NTSTATUS NTAPI nt_KeGetProcessorNumberFromIndex(ULONG index, PROCESSOR_NUMBER *ret)
{
	*ret = (PROCESSOR_NUMBER){.Number = (UCHAR)index};
	return index < LAYOUT_NUM_CPUS ? STATUS_SUCCESS : STATUS_INVALID_PARAMETER;
}

static ULONG NTAPI nt_KeQueryActiveProcessorCountEx(USHORT group)
{
	return LAYOUT_NUM_CPUS;
}

static void NTAPI nt_KeInitializeDpc(KDPC *dpc, PKDEFERRED_ROUTINE routine, void *context)
{
	dpc_init(dpc, routine, context);
}

static NTSTATUS NTAPI nt_KeSetTargetProcessorDpcEx(KDPC *dpc, PROCESSOR_NUMBER *number)
{
	dpc_target(dpc, number->Number);
	return STATUS_SUCCESS;
}

static void NTAPI nt_KeSetImportanceDpc(KDPC *dpc, KDPC_IMPORTANCE importance)
{
	dpc->Importance = (UCHAR)importance;
}

static BOOLEAN NTAPI nt_KeInsertQueueDpc(KDPC *dpc, void *argument1, void *argument2)
{
	// Any level by its documentation. From above the clock's, Windows' own locks are in doubt.
	cpu_at_most(CLOCK_IRQL, "KeInsertQueueDpc");
	return dpc_queue(dpc, argument1, argument2);
}

static void NTAPI nt_KeInitializeEvent(KEVENT *event, EVENT_TYPE type, BOOLEAN is_set)
{
	thread_init_event(event, type, is_set);
}

static LONG NTAPI nt_KeSetEvent(KEVENT *event, KPRIORITY increment, BOOLEAN wait)
{
	cpu_at_most(DISPATCH_LEVEL, "KeSetEvent");
	LONG before = event->Header.SignalState;
	thread_set_event(event);
	return before;
}

static NTSTATUS NTAPI nt_KeWaitForSingleObject(void *object, KWAIT_REASON reason,
					       KPROCESSOR_MODE mode, BOOLEAN alertable,
					       LARGE_INTEGER *timeout)
{
	cpu_at_most(APC_LEVEL, "KeWaitForSingleObject");
	return thread_wait(object, timeout);
}

static void NTAPI nt_ExAcquireFastMutexUnsafe(FAST_MUTEX *mutex)
{
	cpu_at_most(APC_LEVEL, "ExAcquireFastMutexUnsafe");
	// 1: free, 0: taken, less: with waiters.
	if (__atomic_sub_fetch(&mutex->Count, 1, __ATOMIC_ACQUIRE) != 0)
		thread_wait(&mutex->Event.Header, NULL);
}

static void NTAPI nt_ExReleaseFastMutexUnsafe(FAST_MUTEX *mutex)
{
	cpu_at_most(APC_LEVEL, "ExReleaseFastMutexUnsafe");
	if (__atomic_add_fetch(&mutex->Count, 1, __ATOMIC_RELEASE) != 1)
		thread_set_event(&mutex->Event);
}

#define EXPORT(name)                     \
	{                                \
#name, (void *)nt_##name \
	}

static const struct image_export table[] = {
	EXPORT(KeAcquireSpinLockRaiseToDpc),
	EXPORT(KeReleaseSpinLock),
	EXPORT(KeInitializeTimerEx),
	EXPORT(KeSetTimerEx),
	EXPORT(KeCancelTimer),
	EXPORT(KeEnterCriticalRegion),
	EXPORT(KeLeaveCriticalRegion),
	EXPORT(KeFlushQueuedDpcs),
	EXPORT(KeGetCurrentProcessorNumberEx),
	EXPORT(KeGetProcessorNumberFromIndex),
	EXPORT(KeQueryActiveProcessorCountEx),
	EXPORT(KeInitializeDpc),
	EXPORT(KeSetTargetProcessorDpcEx),
	EXPORT(KeSetImportanceDpc),
	EXPORT(KeInsertQueueDpc),
	EXPORT(KeInitializeEvent),
	EXPORT(KeSetEvent),
	EXPORT(KeWaitForSingleObject),
	EXPORT(ExAcquireFastMutexUnsafe),
	EXPORT(ExReleaseFastMutexUnsafe),
};

const struct image_export *exports_ke(unsigned *ret_num)
{
	*ret_num = sizeof(table) / sizeof(table[0]);
	return table;
}
