// SPDX-License-Identifier: Apache-2.0

// Where the driver begins and ends.
//
// The system unloads a driver that has an AddDevice routine only with its last device: "sc stop" is
// refused. So a driver that was not installed for a device has none.

#include "driver/windows/control_device.h"
#include "driver/windows/irp.h"
#include "driver/windows/parameters.h"
#include "driver/windows/pnp_device.h"

DRIVER_INITIALIZE DriverEntry;

static NTSTATUS NTAPI driver_entry_add_device(DRIVER_OBJECT *driver, DEVICE_OBJECT *physical_device)
{
	return pnp_device_create(driver, control_device_find(driver), physical_device);
}

// No handle is open, and no device of Plug and Play is left.
static VOID NTAPI driver_entry_unload(DRIVER_OBJECT *driver)
{
	control_device_destroy(driver);
}

NTSTATUS NTAPI DriverEntry(DRIVER_OBJECT *driver, UNICODE_STRING *registry_path)
{
	struct parameters parameters;
	NTSTATUS status = machine_probe();
	if (!NT_SUCCESS(status))
		return status;
	status = control_device_create(driver);
	if (!NT_SUCCESS(status))
		return status;
	irp_init_driver(driver);
	parameters_read(&parameters);
	if (parameters.has_device)
		driver->DriverExtension->AddDevice = driver_entry_add_device;
	driver->DriverUnload = driver_entry_unload;
	return STATUS_SUCCESS;
}
