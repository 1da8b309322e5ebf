/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DRIVER_DEVICE_H
#define WPERF_SOURCE_DRIVER_DRIVER_DEVICE_H

/**
 * Windows: the device of the driver, by the device interface of the contract; and facts about the
 * machine that the driver does not report, from the device tree.
 */

#include "base/error.h"
#include "source/driver/driver_client.h"
#include "source/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct driver_device;

/**
 * Find the driver and connect to it.
 * @path: of the device; NULL: the first one with the interface of the contract, or that of a driver
 *        without an installed device.
 */
struct error *driver_device_open(const char *path, struct driver_device **ret);
void driver_device_destroy(struct driver_device *device);

/** @device must outlive the transport. */
struct driver_transport driver_device_transport(struct driver_device *device);

/** All devices with the interface. */
struct error *driver_device_list(struct probe *ret);

/** Clusters and memory controllers of the device tree; 0 if there are none. */
struct error *driver_device_find_topology(struct driver_topology *ret);

/** MIDR_EL1 of a core; false if the system does not report it. */
bool driver_device_core_midr(unsigned core, uint64_t *ret);

#endif
