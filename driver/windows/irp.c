// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/irp.h"

#include "driver/windows/nt_status.h"
#include "driver/windows/pnp_device.h"

// All major functions of the driver, for both devices. A file object is the client: cleanup comes
// when its last handle is closed, close when the last request of it is over as well, so that the
// lock is given up at the first and checked again at the second (server.c). Requests of a Plug and
// Play device are bracketed by irp_enter() and irp_leave(), which keep it from being removed
// meanwhile.

static NTSTATUS irp_complete(IRP *irp, NTSTATUS status, size_t size)
{
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = size;
	IoCompleteRequest(irp, IO_NO_INCREMENT);
	return status;
}

// What a device takes of its own way of being there.
static NTSTATUS irp_enter(struct device *device, IRP *irp)
{
	return device->pnp ? pnp_device_enter(device->pnp, irp) : STATUS_SUCCESS;
}

static void irp_leave(struct device *device, IRP *irp)
{
	if (device->pnp)
		pnp_device_leave(device->pnp, irp);
}

static FILE_OBJECT *irp_file_of(IRP *irp)
{
	return IoGetCurrentIrpStackLocation(irp)->FileObject;
}

static driver_client client_of(IRP *irp)
{
	return (driver_client)irp_file_of(irp);
}

static NTSTATUS NTAPI handle_create(DEVICE_OBJECT *object, IRP *irp)
{
	struct device *device = device_of(object);
	NTSTATUS status = irp_enter(device, irp);
	if (!NT_SUCCESS(status))
		return irp_complete(irp, status, 0);
	// There is nothing below the device that had a name.
	const FILE_OBJECT *file = irp_file_of(irp);
	bool has_path = file && file->FileName.Length > 0;
	status = has_path ? STATUS_OBJECT_NAME_NOT_FOUND : server_open(device->server);
	irp_leave(device, irp);
	return irp_complete(irp, status, 0);
}

// These two come once for each handle, also when the device is going away: they cannot be refused.
static NTSTATUS NTAPI handle_cleanup(DEVICE_OBJECT *object, IRP *irp)
{
	server_cleanup(device_of(object)->server, client_of(irp));
	waiting_wake(device_of(object)->waiting);
	return irp_complete(irp, STATUS_SUCCESS, 0);
}

static NTSTATUS NTAPI handle_close(DEVICE_OBJECT *object, IRP *irp)
{
	server_close(device_of(object)->server, client_of(irp));
	return irp_complete(irp, STATUS_SUCCESS, 0);
}

// METHOD_BUFFERED: one buffer, as long as the longer of the two, holds the input and takes the
// output.
static NTSTATUS irp_control(struct server *server, IRP *irp, size_t *ret_size)
{
	const IO_STACK_LOCATION *location = IoGetCurrentIrpStackLocation(irp);
	void *buffer = irp->AssociatedIrp.SystemBuffer;
	ULONG in_size = location->Parameters.DeviceIoControl.InputBufferLength;
	ULONG out_size = location->Parameters.DeviceIoControl.OutputBufferLength;
	enum driver_status status =
		server_request(server, client_of(irp),
			       location->Parameters.DeviceIoControl.IoControlCode, buffer, in_size,
			       buffer, out_size, ret_size);
	return nt_status_from_driver(status);
}

NTSTATUS irp_ask_again(void *context, IRP *irp, size_t *ret_size)
{
	return irp_control(context, irp, ret_size);
}

static NTSTATUS NTAPI handle_device_control(DEVICE_OBJECT *object, IRP *irp)
{
	struct device *device = device_of(object);
	size_t size = 0;
	NTSTATUS status = irp_enter(device, irp);
	if (!NT_SUCCESS(status))
		return irp_complete(irp, status, 0);
	status = irp_control(device->server, irp, &size);
	if (status == STATUS_PENDING)
		status = waiting_add(device->waiting, irp);
	else
		waiting_wake(device->waiting);
	irp_leave(device, irp);
	return status == STATUS_PENDING ? status : irp_complete(irp, status, size);
}

typedef NTSTATUS pnp_handler_fn(struct pnp_device *pnp, IRP *irp);

// The control device gets none of these.
static NTSTATUS handle_for_pnp(DEVICE_OBJECT *object, IRP *irp, pnp_handler_fn *handle)
{
	struct pnp_device *pnp = device_of(object)->pnp;
	return pnp ? handle(pnp, irp) : irp_complete(irp, STATUS_INVALID_DEVICE_REQUEST, 0);
}

static NTSTATUS NTAPI handle_pnp(DEVICE_OBJECT *object, IRP *irp)
{
	return handle_for_pnp(object, irp, pnp_device_handle_pnp);
}

static NTSTATUS NTAPI handle_power(DEVICE_OBJECT *object, IRP *irp)
{
	return handle_for_pnp(object, irp, pnp_device_handle_power);
}

static NTSTATUS NTAPI handle_system_control(DEVICE_OBJECT *object, IRP *irp)
{
	return handle_for_pnp(object, irp, pnp_device_handle_system_control);
}

void irp_init_driver(DRIVER_OBJECT *driver)
{
	driver->MajorFunction[IRP_MJ_CREATE] = handle_create;
	driver->MajorFunction[IRP_MJ_CLEANUP] = handle_cleanup;
	driver->MajorFunction[IRP_MJ_CLOSE] = handle_close;
	driver->MajorFunction[IRP_MJ_DEVICE_CONTROL] = handle_device_control;
	driver->MajorFunction[IRP_MJ_PNP] = handle_pnp;
	driver->MajorFunction[IRP_MJ_POWER] = handle_power;
	driver->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = handle_system_control;
}
