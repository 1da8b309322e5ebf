/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DDK_ARMDDK_H
#define WPERF_DRIVER_WINDOWS_DDK_ARMDDK_H

/**
 * What the DDK headers of mingw-w64 ask a header of this name for on 32-bit Arm, which is where
 * driver/windows/kernel.h sends them on Arm64: they have no branch for that.
 */

#define PASSIVE_LEVEL  0
#define LOW_LEVEL      0
#define APC_LEVEL      1
#define DISPATCH_LEVEL 2
#define PROFILE_LEVEL  15
#define HIGH_LEVEL     15

#define PAGE_SIZE  0x1000
#define PAGE_SHIFT 12L

typedef struct _KFLOATING_SAVE {
	ULONG unused;
} KFLOATING_SAVE, *PKFLOATING_SAVE;

#define YieldProcessor() __asm__ volatile("yield" ::: "memory")

/* Inline functions of the headers are made of these, whether or not anybody calls them. */
#define InterlockedIncrement(p)          __atomic_add_fetch((p), 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement(p)          __atomic_sub_fetch((p), 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange(p, v)        __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define InterlockedExchangePointer(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
NTKERNELAPI KIRQL NTAPI KeGetCurrentIrql(VOID);
NTKERNELAPI VOID NTAPI KfLowerIrql(KIRQL irql);
NTKERNELAPI KIRQL NTAPI KfRaiseIrql(KIRQL irql);
#define KeLowerIrql(irql)        KfLowerIrql(irql)
#define KeRaiseIrql(irql, saved) (*(saved) = KfRaiseIrql(irql))
NTKERNELAPI KIRQL NTAPI KeAcquireSpinLockRaiseToDpc(PKSPIN_LOCK lock);
NTKERNELAPI VOID NTAPI KeReleaseSpinLock(PKSPIN_LOCK lock, KIRQL irql);
NTKERNELAPI VOID NTAPI KeAcquireSpinLockAtDpcLevel(PKSPIN_LOCK lock);
NTKERNELAPI VOID NTAPI KeReleaseSpinLockFromDpcLevel(PKSPIN_LOCK lock);
#define KeAcquireSpinLock(lock, irql) (*(irql) = KeAcquireSpinLockRaiseToDpc(lock))

#endif
