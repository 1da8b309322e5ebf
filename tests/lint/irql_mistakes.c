// SPDX-License-Identifier: Apache-2.0

// What check_irql.py must find. Never linked; irql_mistakes.table says who calls whom.

void KeWaitForSingleObject(void);
void KeSetEvent(void);
void KeAcquireSpinLockRaiseToDpc(void);
void KeReleaseSpinLock(void);
void ZwClose(void);
void Unknown(void);
void root_interrupt(void);
void root_thread(void);

#define PAGED_CODE()

static void (*pointer)(void);

static void wait(void)
{
	KeWaitForSingleObject();
}

static void paged(void)
{
	PAGED_CODE();
}

void root_interrupt(void)
{
	KeSetEvent();
	pointer = wait;
}

void root_thread(void)
{
	KeWaitForSingleObject();
	KeAcquireSpinLockRaiseToDpc();
	KeSetEvent();
	pointer();
	paged();
	KeReleaseSpinLock();
	ZwClose();
	Unknown();
}
