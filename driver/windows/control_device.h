/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_CONTROL_DEVICE_H
#define WPERF_DRIVER_WINDOWS_CONTROL_DEVICE_H

/**
 * The device \\.\WPERFDRIVER: there from load to unload, also where no device was installed and the
 * driver is started as a service only. It has the server, and its waiting requests, that all
 * devices of the driver lead to. At PASSIVE_LEVEL.
 */

#include "driver/windows/device.h"

/** In DriverEntry(): until it returns nobody can open the device. */
NTSTATUS control_device_create(DRIVER_OBJECT *driver);

/** The last device of the driver, to which no handle is open. */
void control_device_destroy(DRIVER_OBJECT *driver);

const struct device *control_device_find(DRIVER_OBJECT *driver);

#endif
