// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/waiting.h"

// A request that has to wait is in a list until its answer is there. A thread of the driver asks
// for the answers again: when another request has changed something (waiting_wake()), and every
// WAITING_MS, since interrupts at PROFILE_LEVEL cannot signal an event.
//
// Clients may cancel at any moment. Who takes the cancel routine out of the IRP owns it:
// IoSetCancelRoutine(irp, NULL) returns the routine to exactly one of the thread and the I/O
// manager (WDK, "Synchronizing IRP Cancellation"). So ask_all() takes it away before it asks, and
// let_be_cancelled() puts it back and checks whether the IRP was cancelled in between.

enum { TICKS_PER_MS = 10000 }; // of 100 ns

// Where a cancel routine finds the list.
static struct waiting **waiting_of(IRP *irp)
{
	return (struct waiting **)&irp->Tail.Overlay.DriverContext[0];
}

static FILE_OBJECT *waiting_file_of(IRP *irp)
{
	return IoGetCurrentIrpStackLocation(irp)->FileObject;
}

static IRP *irp_of(LIST_ENTRY *entry)
{
	return CONTAINING_RECORD(entry, IRP, Tail.Overlay.ListEntry);
}

static void NTAPI waiting_cancel(DEVICE_OBJECT *object, IRP *irp)
{
	struct waiting *waiting = *waiting_of(irp);
	KIRQL irql;
	IoReleaseCancelSpinLock(irp->CancelIrql);
	KeAcquireSpinLock(&waiting->lock, &irql);
	RemoveEntryList(&irp->Tail.Overlay.ListEntry);
	KeReleaseSpinLock(&waiting->lock, irql);
	irp->IoStatus.Status = STATUS_CANCELLED;
	irp->IoStatus.Information = 0;
	IoCompleteRequest(irp, IO_NO_INCREMENT);
}

// False: it was cancelled before, and nobody else will end it.
static bool let_be_cancelled(IRP *irp)
{
	IoSetCancelRoutine(irp, waiting_cancel);
	return !irp->Cancel || !IoSetCancelRoutine(irp, NULL);
}

// With the lock.
static NTSTATUS waiting_insert(struct waiting *waiting, IRP *irp)
{
	// A client waits once.
	for (LIST_ENTRY *entry = waiting->irps.Flink; entry != &waiting->irps;
	     entry = entry->Flink) {
		if (waiting_file_of(irp_of(entry)) == waiting_file_of(irp))
			return STATUS_DEVICE_BUSY;
	}
	*waiting_of(irp) = waiting;
	InsertTailList(&waiting->irps, &irp->Tail.Overlay.ListEntry);
	if (let_be_cancelled(irp)) {
		IoMarkIrpPending(irp);
		return STATUS_PENDING;
	}
	RemoveEntryList(&irp->Tail.Overlay.ListEntry);
	return STATUS_CANCELLED;
}

NTSTATUS waiting_add(struct waiting *waiting, IRP *irp)
{
	KIRQL irql;
	KeAcquireSpinLock(&waiting->lock, &irql);
	NTSTATUS status = waiting_insert(waiting, irp);
	KeReleaseSpinLock(&waiting->lock, irql);
	if (status == STATUS_PENDING)
		waiting_wake(waiting);
	return status;
}

void waiting_wake(struct waiting *waiting)
{
	if (!IsListEmpty(&waiting->irps))
		KeSetEvent(&waiting->event, IO_NO_INCREMENT, FALSE);
}

// With the lock, which is given up meanwhile: the IRP stays in the list, without a cancel routine
// nobody else ends it.
static NTSTATUS waiting_ask(struct waiting *waiting, IRP *irp, KIRQL *irql, size_t *ret_size)
{
	KeReleaseSpinLock(&waiting->lock, *irql);
	NTSTATUS status = waiting->ask(waiting->context, irp, ret_size);
	KeAcquireSpinLock(&waiting->lock, irql);
	if (status == STATUS_PENDING && !let_be_cancelled(irp))
		status = STATUS_CANCELLED;
	return status;
}

// Move those that have an answer to @done; each keeps its own.
static void ask_all(struct waiting *waiting, LIST_ENTRY *done)
{
	KIRQL irql;
	KeAcquireSpinLock(&waiting->lock, &irql);
	for (LIST_ENTRY *entry = waiting->irps.Flink, *next; entry != &waiting->irps;
	     entry = next) {
		IRP *irp = irp_of(entry);
		size_t size = 0;
		NTSTATUS status = STATUS_PENDING;
		if (IoSetCancelRoutine(irp, NULL))
			status = waiting_ask(waiting, irp, &irql, &size);
		next = entry->Flink;
		if (status == STATUS_PENDING)
			continue;
		irp->IoStatus.Status = status;
		irp->IoStatus.Information = size;
		RemoveEntryList(entry);
		InsertTailList(done, entry);
	}
	KeReleaseSpinLock(&waiting->lock, irql);
}

static VOID NTAPI waiting_run(void *argument)
{
	struct waiting *waiting = argument;
	// Negative: relative to now (WDK, KeWaitForSingleObject()).
	LARGE_INTEGER soon = {.QuadPart = -(LONGLONG)WAITING_MS * TICKS_PER_MS};
	while (!waiting->is_ending) {
		KeWaitForSingleObject(&waiting->event, Executive, KernelMode, FALSE,
				      IsListEmpty(&waiting->irps) ? NULL : &soon);
		LIST_ENTRY done;
		InitializeListHead(&done);
		ask_all(waiting, &done);
		while (!IsListEmpty(&done))
			IoCompleteRequest(irp_of(RemoveHeadList(&done)), IO_NO_INCREMENT);
	}
	PsTerminateSystemThread(STATUS_SUCCESS);
}

NTSTATUS waiting_init(struct waiting *waiting, waiting_ask_fn *ask_fn, void *context)
{
	PAGED_CODE();
	HANDLE handle;
	waiting->ask = ask_fn;
	waiting->context = context;
	waiting->lock = 0;
	waiting->is_ending = 0;
	InitializeListHead(&waiting->irps);
	KeInitializeEvent(&waiting->event, SynchronizationEvent, FALSE);
	NTSTATUS status = PsCreateSystemThread(&handle, THREAD_ALL_ACCESS, NULL, NULL, NULL,
					       waiting_run, waiting);
	if (!NT_SUCCESS(status))
		return status;
	// With a handle to a thread of ours, and in kernel mode, this cannot fail.
	ObReferenceObjectByHandle(handle, THREAD_ALL_ACCESS, NULL, KernelMode, &waiting->thread,
				  NULL);
	ZwClose(handle);
	return STATUS_SUCCESS;
}

void waiting_deinit(struct waiting *waiting)
{
	PAGED_CODE();
	InterlockedExchange(&waiting->is_ending, 1);
	KeSetEvent(&waiting->event, IO_NO_INCREMENT, FALSE);
	KeWaitForSingleObject(waiting->thread, Executive, KernelMode, FALSE, NULL);
	ObDereferenceObject(waiting->thread);
}
