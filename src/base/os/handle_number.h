/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_HANDLE_NUMBER_H
#define WPERF_BASE_OS_HANDLE_NUMBER_H

/**
 * Windows only: a handle as an int, for interfaces that take a file descriptor on Linux
 * (interrupt_wait()). Kernel handles have 32 significant bits, so that 32-bit programs can share
 * them. -1: no handle.
 */

#include <stdint.h>
#include <windows.h>

static inline int number_of_handle(HANDLE handle)
{
	return (int)(intptr_t)handle;
}

static inline HANDLE handle_of_number(int number)
{
	return (HANDLE)(intptr_t)number;
}

#endif
