/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_NT_STATUS_H
#define WPERF_DRIVER_WINDOWS_NT_STATUS_H

/** How a request ended, as Windows says it; clients get driver_status_win32_error() of it. */

#include "driver/core/status.h"
#include "driver/windows/kernel.h"

NTSTATUS nt_status_from_driver(enum driver_status status);

#endif
