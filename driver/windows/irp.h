/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_IRP_H
#define WPERF_DRIVER_WINDOWS_IRP_H

/**
 * What the I/O manager sends to both devices. A client is a file object; the sizes of its buffers
 * are those that the I/O manager allocated and copied. At PASSIVE_LEVEL, in the client's thread.
 */

#include "driver/windows/kernel.h"
#include "driver/windows/waiting.h"

/** Fill in the driver's table. */
void irp_init_driver(DRIVER_OBJECT *driver);

/** Of a request that waits; the context is the server. */
waiting_ask_fn irp_ask_again;

#endif
