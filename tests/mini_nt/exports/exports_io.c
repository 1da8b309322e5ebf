// SPDX-License-Identifier: Apache-2.0

// Io and Po: devices and requests.

#include "tests/mini_nt/exports/exports.h"
#include "tests/mini_nt/kernel/pool.h"
#include "tests/mini_nt/kernel/thread.h"

static unsigned num_devices, num_links;
static KSPIN_LOCK cancel_lock;

unsigned exports_num_devices(void)
{
	return num_devices;
}

unsigned exports_num_links(void)
{
	return num_links;
}

static NTSTATUS NTAPI nt_IoCreateDevice(DRIVER_OBJECT *driver, ULONG extension_size,
					UNICODE_STRING *name, DEVICE_TYPE type,
					ULONG characteristics, BOOLEAN exclusive,
					DEVICE_OBJECT **ret)
{
	cpu_at_most(APC_LEVEL, "IoCreateDevice");
	DEVICE_OBJECT *device = pool_take(sizeof(*device) + extension_size);
	RtlZeroMemory(device, sizeof(*device) + extension_size);
	device->DriverObject = driver;
	device->DeviceExtension = device + 1;
	device->Flags = DO_DEVICE_INITIALIZING;
	device->StackSize = 1;
	device->NextDevice = driver->DeviceObject;
	driver->DeviceObject = device;
	num_devices++;
	*ret = device;
	return STATUS_SUCCESS;
}

static void NTAPI nt_IoDeleteDevice(DEVICE_OBJECT *device)
{
	cpu_at_most(APC_LEVEL, "IoDeleteDevice");
	DEVICE_OBJECT **link = &device->DriverObject->DeviceObject;
	while (*link != device)
		link = &(*link)->NextDevice;
	*link = device->NextDevice;
	num_devices--;
	pool_give(device);
}

static NTSTATUS NTAPI nt_IoCreateSymbolicLink(UNICODE_STRING *link, UNICODE_STRING *name)
{
	cpu_at_most(PASSIVE_LEVEL, "IoCreateSymbolicLink");
	num_links++;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_IoDeleteSymbolicLink(UNICODE_STRING *link)
{
	cpu_at_most(PASSIVE_LEVEL, "IoDeleteSymbolicLink");
	num_links--;
	return STATUS_SUCCESS;
}

static DEVICE_OBJECT *NTAPI nt_IoAttachDeviceToDeviceStack(DEVICE_OBJECT *source,
							   DEVICE_OBJECT *target)
{
	cpu_at_most(DISPATCH_LEVEL, "IoAttachDeviceToDeviceStack");
	source->StackSize = (CCHAR)(target->StackSize + 1);
	target->AttachedDevice = source;
	return target;
}

static void NTAPI nt_IoDetachDevice(DEVICE_OBJECT *target)
{
	cpu_at_most(PASSIVE_LEVEL, "IoDetachDevice");
	target->AttachedDevice = NULL;
}

static NTSTATUS NTAPI nt_IoRegisterDeviceInterface(DEVICE_OBJECT *device, const GUID *id,
						   UNICODE_STRING *reference, UNICODE_STRING *ret)
{
	cpu_at_most(PASSIVE_LEVEL, "IoRegisterDeviceInterface");
	ret->Buffer = pool_take(PAGE_SIZE);
	ret->Length = ret->MaximumLength = 0;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_IoSetDeviceInterfaceState(UNICODE_STRING *name, BOOLEAN is_enabled)
{
	cpu_at_most(PASSIVE_LEVEL, "IoSetDeviceInterfaceState");
	return STATUS_SUCCESS;
}

static void NTAPI nt_RtlFreeUnicodeString(UNICODE_STRING *name)
{
	cpu_at_most(PASSIVE_LEVEL, "RtlFreeUnicodeString");
	pool_give(name->Buffer);
}

static NTSTATUS NTAPI nt_IofCallDriver(DEVICE_OBJECT *device, IRP *irp)
{
	cpu_at_most(DISPATCH_LEVEL, "IofCallDriver");
	irp->CurrentLocation--;
	irp->Tail.Overlay.CurrentStackLocation--;
	IO_STACK_LOCATION *location = irp->Tail.Overlay.CurrentStackLocation;
	location->DeviceObject = device;
	return device->DriverObject->MajorFunction[location->MajorFunction](device, irp);
}

static NTSTATUS NTAPI nt_PoCallDriver(DEVICE_OBJECT *device, IRP *irp)
{
	return nt_IofCallDriver(device, irp);
}

static void NTAPI nt_PoStartNextPowerIrp(IRP *irp)
{
	cpu_at_most(DISPATCH_LEVEL, "PoStartNextPowerIrp");
}

// Up the stack, until a routine keeps it; then it is the client's again (client.c).
static void NTAPI nt_IofCompleteRequest(IRP *irp, CCHAR boost)
{
	cpu_at_most(DISPATCH_LEVEL, "IofCompleteRequest");
	if (irp->CancelRoutine)
		cpu_fault("completed with a cancel routine", (uint64_t)irp->CancelRoutine);
	while (irp->CurrentLocation <= irp->StackCount) {
		IO_STACK_LOCATION *location = irp->Tail.Overlay.CurrentStackLocation;
		irp->CurrentLocation++;
		irp->Tail.Overlay.CurrentStackLocation++;
		if (!(location->Control & SL_INVOKE_ON_SUCCESS) || !location->CompletionRoutine)
			continue;
		DEVICE_OBJECT *device =
			irp->CurrentLocation <= irp->StackCount
				? irp->Tail.Overlay.CurrentStackLocation->DeviceObject
				: NULL;
		if (location->CompletionRoutine(device, irp, location->Context) ==
		    STATUS_MORE_PROCESSING_REQUIRED)
			return;
	}
	thread_set_event(irp->UserEvent);
}

static void NTAPI nt_IoReleaseCancelSpinLock(KIRQL irql)
{
	if (cpu_this()->irql != DISPATCH_LEVEL)
		cpu_fault("IoReleaseCancelSpinLock at IRQL", cpu_this()->irql);
	cpu_unlock(&cancel_lock);
	cpu_lower(irql);
}

void exports_cancel(IRP *irp)
{
	KIRQL irql = cpu_raise(DISPATCH_LEVEL);
	cpu_lock(&cancel_lock);
	irp->Cancel = TRUE;
	irp->CancelIrql = irql;
	PDRIVER_CANCEL routine = (PDRIVER_CANCEL)__atomic_exchange_n((void **)&irp->CancelRoutine,
								     NULL, __ATOMIC_SEQ_CST);
	if (routine) {
		routine(irp->Tail.Overlay.CurrentStackLocation->DeviceObject, irp);
		if (cpu_this()->irql != irql)
			cpu_fault("a cancel routine left the IRQL at", cpu_this()->irql);
		return;
	}
	cpu_unlock(&cancel_lock);
	cpu_lower(irql);
}

static void NTAPI nt_IoInitializeRemoveLockEx(IO_REMOVE_LOCK *lock, ULONG tag, ULONG minutes,
					      ULONG high, ULONG size)
{
	cpu_at_most(PASSIVE_LEVEL, "IoInitializeRemoveLockEx");
	RtlZeroMemory(lock, sizeof(*lock));
	lock->Common.IoCount = 1;
	thread_init_event(&lock->Common.RemoveEvent, NotificationEvent, false);
}

static void release(IO_REMOVE_LOCK *lock)
{
	if (__atomic_sub_fetch(&lock->Common.IoCount, 1, __ATOMIC_SEQ_CST) == 0)
		thread_set_event(&lock->Common.RemoveEvent);
}

static NTSTATUS NTAPI nt_IoAcquireRemoveLockEx(IO_REMOVE_LOCK *lock, void *tag, const char *file,
					       ULONG line, ULONG size)
{
	cpu_at_most(DISPATCH_LEVEL, "IoAcquireRemoveLockEx");
	__atomic_add_fetch(&lock->Common.IoCount, 1, __ATOMIC_SEQ_CST);
	if (!lock->Common.Removed)
		return STATUS_SUCCESS;
	release(lock);
	return STATUS_DELETE_PENDING;
}

static void NTAPI nt_IoReleaseRemoveLockEx(IO_REMOVE_LOCK *lock, void *tag, ULONG size)
{
	cpu_at_most(DISPATCH_LEVEL, "IoReleaseRemoveLockEx");
	release(lock);
}

static void NTAPI nt_IoReleaseRemoveLockAndWaitEx(IO_REMOVE_LOCK *lock, void *tag, ULONG size)
{
	cpu_at_most(PASSIVE_LEVEL, "IoReleaseRemoveLockAndWaitEx");
	lock->Common.Removed = TRUE;
	release(lock);
	release(lock);
	thread_wait(&lock->Common.RemoveEvent.Header, NULL);
}

// The device below: what comes to it is done.

static NTSTATUS NTAPI bus_agree(DEVICE_OBJECT *device, IRP *irp)
{
	NTSTATUS status = irp->IoStatus.Status = STATUS_SUCCESS;
	nt_IofCompleteRequest(irp, 0);
	return status;
}

DEVICE_OBJECT *exports_bus_device(void)
{
	static DRIVER_OBJECT bus;
	static DEVICE_OBJECT device;
	for (unsigned i = 0; i <= IRP_MJ_MAXIMUM_FUNCTION; i++)
		bus.MajorFunction[i] = bus_agree;
	device.DriverObject = &bus;
	device.StackSize = 1;
	return &device;
}

#define EXPORT(name)                     \
	{                                \
#name, (void *)nt_##name \
	}

static const struct image_export table[] = {
	EXPORT(IoCreateDevice),
	EXPORT(IoDeleteDevice),
	EXPORT(IoCreateSymbolicLink),
	EXPORT(IoDeleteSymbolicLink),
	EXPORT(IoAttachDeviceToDeviceStack),
	EXPORT(IoDetachDevice),
	EXPORT(IoRegisterDeviceInterface),
	EXPORT(IoSetDeviceInterfaceState),
	EXPORT(RtlFreeUnicodeString),
	EXPORT(IofCallDriver),
	EXPORT(PoCallDriver),
	EXPORT(PoStartNextPowerIrp),
	EXPORT(IofCompleteRequest),
	EXPORT(IoReleaseCancelSpinLock),
	EXPORT(IoInitializeRemoveLockEx),
	EXPORT(IoAcquireRemoveLockEx),
	EXPORT(IoReleaseRemoveLockEx),
	EXPORT(IoReleaseRemoveLockAndWaitEx),
};

const struct image_export *exports_io(unsigned *ret_num)
{
	*ret_num = sizeof(table) / sizeof(table[0]);
	return table;
}
