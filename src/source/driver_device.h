/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_DRIVER_DEVICE_H
#define WPERF_SOURCE_DRIVER_DEVICE_H

/**
 * The device of the driver, and what the system says of the machine that the driver does not: on
 * Windows the device interface of the contract, and the tree of devices.
 */

#include "base/error.h"
#include "source/driver_client.h"
#include "source/probe.h"

#include <stdbool.h>
#include <stdint.h>

struct driver_device;

/**
 * Find the driver and connect to it.
 * @path: of the device; NULL: the first one with the interface of the contract, or the one that a
 *        driver without an installed device has.
 */
struct error *driver_device_open(const char *path, struct driver_device **ret);
void driver_device_destroy(struct driver_device *device);

/** The device must outlive it. */
struct driver_transport driver_device_transport(struct driver_device *device);

/** All devices with the interface. */
struct error *driver_device_list(struct probe *ret);

/** Clusters and memory controllers, from the tree of devices; what is not there is 0. */
struct error *driver_device_find_topology(struct driver_topology *ret);

/** MIDR_EL1 of a core as the system tells it; false: it does not. */
bool driver_device_core_midr(unsigned core, uint64_t *ret);

#endif
