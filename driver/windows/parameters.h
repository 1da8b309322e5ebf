/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_PARAMETERS_H
#define WPERF_DRIVER_WINDOWS_PARAMETERS_H

/**
 * What an administrator says of this computer, as the driver cannot find it out without danger:
 * DWORDs under HKLM\SYSTEM\CurrentControlSet\Services\wperf\Parameters, read when the first handle
 * is opened.
 */

#include "driver/windows/kernel.h"

struct parameters {
	/* DsuClusterSize: so many cores share a DSU, whose counters the firmware lets EL1 use. 0,
	   as without the value: it is left alone, for where the firmware does not, reading one
	   stops the computer. */
	ULONG dsu_cluster_size;
	/* HasDevice: the INF says so, as Plug and Play will have a device for us. Without the value
	   the driver is a service that somebody starts and stops. */
	ULONG has_device;
};

/** Values that are missing, or are none, are 0. At PASSIVE_LEVEL. */
void parameters_read(struct parameters *parameters);

#endif
