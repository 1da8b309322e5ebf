/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_PNP_DEVICE_H
#define WPERF_DRIVER_WINDOWS_PNP_DEVICE_H

/**
 * The device that Plug and Play makes where the driver was installed (Root\WPERFDRIVER): clients
 * find it by the interface of the contract. Its security is what wperf.inf says.
 */

#include "driver/windows/device.h"

/** At PASSIVE_LEVEL, as what Plug and Play calls AddDevice. */
NTSTATUS pnp_device_create(DRIVER_OBJECT *driver, const struct device *control_device,
			   DEVICE_OBJECT *physical_device);

/**
 * Around each use of the device but those below. Fails while it is not started, or going away.
 * @irp: the same in both.
 */
NTSTATUS pnp_device_enter(struct pnp_device *pnp, IRP *irp);
void pnp_device_leave(struct pnp_device *pnp, IRP *irp);

/** What goes to the device that is not a client's: it answers, or hands down. */
NTSTATUS pnp_device_handle_pnp(struct pnp_device *pnp, IRP *irp);
NTSTATUS pnp_device_handle_power(struct pnp_device *pnp, IRP *irp);
NTSTATUS pnp_device_handle_system_control(struct pnp_device *pnp, IRP *irp);

#endif
