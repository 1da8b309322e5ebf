/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_DEVGEN_ROOT_DEVICE_H
#define WPERF_DRIVER_WINDOWS_DEVGEN_ROOT_DEVICE_H

/**
 * The device of the driver (Root\WPERFDRIVER), which no hardware announces: it is made by hand.
 * Functions return 0 or an error of Windows.
 */

#include <stdbool.h>
#include <windows.h>

#include <setupapi.h>

/** All devices of the class, present or not, and the one that is looked at. */
struct root_device {
	HDEVINFO list;
	SP_DEVINFO_DATA data;
};

/** The first that there is; ERROR_NO_SUCH_DEVINST: there is none. Without an error to be closed. */
DWORD root_device_find(struct root_device *device);

/** A new one, of the class that the INF names; it has no driver yet. To be closed. */
DWORD root_device_create(struct root_device *device, const wchar_t *inf);

void root_device_close(struct root_device *device);

/** Windows forgets it. @ret_needs_restart: it goes only with the next start of the computer. */
DWORD root_device_remove(struct root_device *device, bool *ret_needs_restart);

/** Give all of them the driver of the INF. */
DWORD root_device_update_driver(const wchar_t *inf, bool *ret_needs_restart);

/** A text that Windows keeps of its driver, "InfPath" or "DriverVersion"; "" if there is none. */
void root_device_driver_text(struct root_device *device, const wchar_t *name, wchar_t *text,
			     DWORD size);

/** Does it run? @ret_problem: if not, Windows' number of why (CM_PROB_*). */
bool root_device_is_started(const struct root_device *device, ULONG *ret_problem);

#endif
