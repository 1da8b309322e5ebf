// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/pnp_device.h"

#include "driver/include/wperf_driver.h"

// The function driver of a root-enumerated device (devgen/). It sits on the bus's device object,
// and most requests only pass through (hand_down()). The order is that of the WDK ("Handling an
// IRP_MN_START_DEVICE Request", "... IRP_MN_REMOVE_DEVICE Request"): a start is first done below
// and then here, a removal first here and then below.
//
// The remove lock counts the requests that are under way. After IoReleaseRemoveLockAndWait() there
// is none, and no new one gets the lock, so that the device object can be deleted. is_started
// refuses clients before a start and after a stop or a surprise removal.

static const GUID interface_id = WPERF_INTERFACE_GUID;

struct pnp_device {
	struct device device; // first, see device.h
	DEVICE_OBJECT *self, *below;
	UNICODE_STRING interface_name; // of a client's CreateFile()
	IO_REMOVE_LOCK remove_lock;
	volatile LONG is_started;
};

NTSTATUS pnp_device_create(DRIVER_OBJECT *driver, const struct device *control_device,
			   DEVICE_OBJECT *physical_device)
{
	PAGED_CODE();
	DEVICE_OBJECT *object;
	NTSTATUS status =
		IoCreateDevice(driver, sizeof(struct pnp_device), NULL, DEVICE_NUMBER_OF_TYPE,
			       FILE_DEVICE_SECURE_OPEN, FALSE, &object);
	if (!NT_SUCCESS(status))
		return status;
	struct pnp_device *pnp = object->DeviceExtension;
	RtlZeroMemory(pnp, sizeof(*pnp));
	pnp->device = *control_device;
	pnp->device.pnp = pnp;
	pnp->self = object;
	IoInitializeRemoveLock(&pnp->remove_lock, KERNEL_POOL_TAG, 0, 0);
	status = IoRegisterDeviceInterface(physical_device, &interface_id, NULL,
					   &pnp->interface_name);
	if (!NT_SUCCESS(status))
		goto delete_device;
	pnp->below = IoAttachDeviceToDeviceStack(object, physical_device);
	if (!pnp->below) {
		status = STATUS_NO_SUCH_DEVICE;
		goto free_name;
	}
	object->Flags |= DO_BUFFERED_IO | DO_POWER_PAGABLE;
	// AddDevice clears it itself; for devices that DriverEntry() creates, the I/O manager does.
	object->Flags &= ~(ULONG)DO_DEVICE_INITIALIZING;
	return STATUS_SUCCESS;

free_name:
	RtlFreeUnicodeString(&pnp->interface_name);
delete_device:
	IoDeleteDevice(object);
	return status;
}

NTSTATUS pnp_device_enter(struct pnp_device *pnp, IRP *irp)
{
	NTSTATUS status = IoAcquireRemoveLock(&pnp->remove_lock, irp);
	if (!NT_SUCCESS(status))
		return STATUS_INVALID_DEVICE_STATE;
	if (pnp->is_started)
		return STATUS_SUCCESS;
	IoReleaseRemoveLock(&pnp->remove_lock, irp);
	return STATUS_INVALID_DEVICE_STATE;
}

void pnp_device_leave(struct pnp_device *pnp, IRP *irp)
{
	IoReleaseRemoveLock(&pnp->remove_lock, irp);
}

static NTSTATUS hand_down(struct pnp_device *pnp, IRP *irp)
{
	IoSkipCurrentIrpStackLocation(irp);
	return IoCallDriver(pnp->below, irp);
}

static NTSTATUS pnp_device_complete(IRP *irp, NTSTATUS status)
{
	irp->IoStatus.Status = status;
	IoCompleteRequest(irp, IO_NO_INCREMENT);
	return status;
}

static NTSTATUS NTAPI pnp_device_wake(DEVICE_OBJECT *object, IRP *irp, void *event)
{
	KeSetEvent(event, IO_NO_INCREMENT, FALSE);
	return STATUS_MORE_PROCESSING_REQUIRED; // the IRP is ours again
}

static NTSTATUS hand_down_and_wait(struct pnp_device *pnp, IRP *irp)
{
	KEVENT event;
	KeInitializeEvent(&event, NotificationEvent, FALSE);
	IoCopyCurrentIrpStackLocationToNext(irp);
	IoSetCompletionRoutine(irp, pnp_device_wake, &event, TRUE, TRUE, TRUE);
	NTSTATUS status = IoCallDriver(pnp->below, irp);
	if (status == STATUS_PENDING) {
		KeWaitForSingleObject(&event, Executive, KernelMode, FALSE, NULL);
		status = irp->IoStatus.Status;
	}
	return status;
}

static void set_started(struct pnp_device *pnp, bool is_started)
{
	if (pnp->is_started == is_started)
		return;
	InterlockedExchange(&pnp->is_started, is_started);
	IoSetDeviceInterfaceState(&pnp->interface_name, is_started);
}

// Handles that are still open, after a removal that did not ask, go on at the control device's
// server; nobody can use them through this device any more.
static NTSTATUS pnp_device_remove(struct pnp_device *pnp, IRP *irp)
{
	set_started(pnp, false);
	IoReleaseRemoveLockAndWait(&pnp->remove_lock, irp);
	irp->IoStatus.Status = STATUS_SUCCESS;
	NTSTATUS status = hand_down(pnp, irp);
	IoDetachDevice(pnp->below);
	RtlFreeUnicodeString(&pnp->interface_name);
	IoDeleteDevice(pnp->self);
	return status;
}

NTSTATUS pnp_device_handle_pnp(struct pnp_device *pnp, IRP *irp)
{
	PAGED_CODE();
	NTSTATUS status = IoAcquireRemoveLock(&pnp->remove_lock, irp);
	if (!NT_SUCCESS(status))
		return pnp_device_complete(irp, status);
	switch (IoGetCurrentIrpStackLocation(irp)->MinorFunction) {
	case IRP_MN_START_DEVICE:
		status = hand_down_and_wait(pnp, irp);
		if (NT_SUCCESS(status))
			set_started(pnp, true);
		pnp_device_complete(irp, status);
		break;
	case IRP_MN_REMOVE_DEVICE:
		return pnp_device_remove(pnp, irp);
	case IRP_MN_SURPRISE_REMOVAL:
	case IRP_MN_STOP_DEVICE:
		set_started(pnp, false);
		irp->IoStatus.Status = STATUS_SUCCESS;
		status = hand_down(pnp, irp);
		break;
	case IRP_MN_QUERY_STOP_DEVICE:
	case IRP_MN_QUERY_REMOVE_DEVICE:
	case IRP_MN_CANCEL_STOP_DEVICE:
	case IRP_MN_CANCEL_REMOVE_DEVICE:
		irp->IoStatus.Status = STATUS_SUCCESS;
		status = hand_down(pnp, irp);
		break;
	default:
		status = hand_down(pnp, irp);
	}
	IoReleaseRemoveLock(&pnp->remove_lock, irp);
	return status;
}

// The system tells each device that it goes to sleep (S1 and beyond), and that it works again (S0).
// It waits for the answer, and calls at PASSIVE_LEVEL, because of DO_POWER_PAGABLE.
static void follow_system(const struct pnp_device *pnp, IRP *irp)
{
	const IO_STACK_LOCATION *location = IoGetCurrentIrpStackLocation(irp);
	if (location->MinorFunction != IRP_MN_SET_POWER ||
	    location->Parameters.Power.Type != SystemPowerState)
		return;
	if (location->Parameters.Power.State.SystemState == PowerSystemWorking)
		server_resume(pnp->device.server);
	else
		server_suspend(pnp->device.server);
}

NTSTATUS pnp_device_handle_power(struct pnp_device *pnp, IRP *irp)
{
	NTSTATUS status = IoAcquireRemoveLock(&pnp->remove_lock, irp);
	PoStartNextPowerIrp(irp);
	if (!NT_SUCCESS(status))
		return pnp_device_complete(irp, status);
	follow_system(pnp, irp);
	// Drivers for Windows XP need PoStartNextPowerIrp() and PoCallDriver(); later kernels
	// accept them.
	IoSkipCurrentIrpStackLocation(irp);
	status = PoCallDriver(pnp->below, irp);
	IoReleaseRemoveLock(&pnp->remove_lock, irp);
	return status;
}

NTSTATUS pnp_device_handle_system_control(struct pnp_device *pnp, IRP *irp)
{
	NTSTATUS status = IoAcquireRemoveLock(&pnp->remove_lock, irp);
	if (!NT_SUCCESS(status))
		return pnp_device_complete(irp, status);
	status = hand_down(pnp, irp);
	IoReleaseRemoveLock(&pnp->remove_lock, irp);
	return status;
}
