/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_CLOSE_HANDLE_H
#define WPERF_BASE_OS_CLOSE_HANDLE_H

/** Windows only: handles that are closed at the end of their scope:
 *  `_cleanup_(close_handle) HANDLE file = ...;` */

#include <windows.h>

/** Close it, unless it is NULL or INVALID_HANDLE_VALUE, and set it to NULL. */
static inline void close_handle(HANDLE *handle)
{
	if (*handle && *handle != INVALID_HANDLE_VALUE)
		CloseHandle(*handle);
	*handle = NULL;
}

#endif
