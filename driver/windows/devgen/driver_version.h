/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DEVGEN_DRIVER_VERSION_H
#define WPERF_DRIVER_WINDOWS_DEVGEN_DRIVER_VERSION_H

/** What the driver itself says of its version, by its device. */

#include "driver/include/wperf_driver.h"

#include <windows.h>

/**
 * Returns 0 or an error of Windows: ERROR_BUSY if another program has the lock, ERROR_ACCESS_DENIED
 * for who is no administrator.
 */
DWORD driver_version_ask(struct wperf_version *ret);

#endif
