// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/control_device.h"

#include "driver/windows/device_security.h"
#include "driver/windows/irp.h"

// The device of the name that WindowsPerf's clients open, \\.\WPERFDRIVER. It is there from
// DriverEntry() to the unloading of the driver, whether or not Plug and Play has found a device,
// and owns the server that all devices lead to. Its security is set before the symbolic link makes
// it known (device_security.c).

struct control_device {
	struct device device; // first, see device.h
	struct server server;
	struct waiting waiting;
};

static UNICODE_STRING device_name(void)
{
	UNICODE_STRING name;
	RtlInitUnicodeString(&name, L"\\Device\\WPERFDRIVER");
	return name;
}

static UNICODE_STRING link_name(void)
{
	UNICODE_STRING name;
	RtlInitUnicodeString(&name, L"\\DosDevices\\WPERFDRIVER");
	return name;
}

static NTSTATUS set_up(DEVICE_OBJECT *object)
{
	UNICODE_STRING name = device_name(), link = link_name();
	struct control_device *control = object->DeviceExtension;
	NTSTATUS status = device_security_set(object);
	if (!NT_SUCCESS(status))
		return status;
	server_init(&control->server);
	control->device.server = &control->server;
	control->device.waiting = &control->waiting;
	control->device.pnp = NULL;
	// Of reads and writes, which this device refuses; a request code says for itself how it is
	// buffered (METHOD_BUFFERED).
	object->Flags |= DO_BUFFERED_IO;
	status = waiting_init(&control->waiting, irp_ask_again, &control->server);
	if (!NT_SUCCESS(status))
		goto deinit_server;
	status = IoCreateSymbolicLink(&link, &name);
	if (!NT_SUCCESS(status))
		goto deinit_waiting;
	return STATUS_SUCCESS;

deinit_waiting:
	waiting_deinit(&control->waiting);
deinit_server:
	server_deinit(&control->server);
	return status;
}

NTSTATUS control_device_create(DRIVER_OBJECT *driver)
{
	PAGED_CODE();
	UNICODE_STRING name = device_name();
	DEVICE_OBJECT *object;
	NTSTATUS status =
		IoCreateDevice(driver, sizeof(struct control_device), &name, DEVICE_NUMBER_OF_TYPE,
			       FILE_DEVICE_SECURE_OPEN, FALSE, &object);
	if (!NT_SUCCESS(status))
		return status;
	status = set_up(object);
	if (!NT_SUCCESS(status))
		IoDeleteDevice(object);
	return status;
}

// A driver has one list of its devices (DRIVER_OBJECT.DeviceObject). All others in it are of Plug
// and Play.
static DEVICE_OBJECT *find_object(DRIVER_OBJECT *driver)
{
	DEVICE_OBJECT *object = driver->DeviceObject;
	while (device_of(object)->pnp)
		object = object->NextDevice;
	return object;
}

void control_device_destroy(DRIVER_OBJECT *driver)
{
	PAGED_CODE();
	DEVICE_OBJECT *object = find_object(driver);
	UNICODE_STRING link = link_name();
	IoDeleteSymbolicLink(&link);
	waiting_deinit(device_of(object)->waiting);
	server_deinit(device_of(object)->server);
	IoDeleteDevice(object);
}

const struct device *control_device_find(DRIVER_OBJECT *driver)
{
	return device_of(find_object(driver));
}
