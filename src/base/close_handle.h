/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_CLOSE_HANDLE_H
#define WPERF_BASE_CLOSE_HANDLE_H

/** Windows only: handles that end with their scope: `_cleanup_(close_handle) HANDLE file = ...;` */

#include <windows.h>

/** Close it if there is one, of either way to say that there is none; it is NULL then. */
static inline void close_handle(HANDLE *handle)
{
	if (*handle && *handle != INVALID_HANDLE_VALUE)
		CloseHandle(*handle);
	*handle = NULL;
}

#endif
