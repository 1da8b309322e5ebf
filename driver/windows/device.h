/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DEVICE_H
#define WPERF_DRIVER_WINDOWS_DEVICE_H

/**
 * What both devices of the driver have in common, in front of their extension: the control device,
 * which is there from load to unload, and the device that Plug and Play makes of an installed
 * driver. Both lead to the same server.
 */

#include "driver/windows/server.h"
#include "driver/windows/waiting.h"

struct pnp_device;

struct device {
	struct server *server;
	struct waiting *waiting; /* of the server's requests */
	struct pnp_device *pnp;  /* NULL: the control device */
};

/** Device type of the contract. */
enum { DEVICE_NUMBER_OF_TYPE = 40004 };

static inline struct device *device_of(DEVICE_OBJECT *object)
{
	return object->DeviceExtension;
}

#endif
