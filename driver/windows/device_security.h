/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DEVICE_SECURITY_H
#define WPERF_DRIVER_WINDOWS_DEVICE_SECURITY_H

/**
 * Who may open a device: administrators and the system itself, nobody else. The counters of a
 * machine tell much of what others do there.
 */

#include "driver/windows/kernel.h"

/** At PASSIVE_LEVEL, while nobody can open the device yet (DO_DEVICE_INITIALIZING). */
NTSTATUS device_security_set(DEVICE_OBJECT *object);

#endif
