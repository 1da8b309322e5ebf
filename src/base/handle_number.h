/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_HANDLE_NUMBER_H
#define WPERF_BASE_HANDLE_NUMBER_H

/**
 * Windows only: what stands for a file descriptor where both systems wait for something
 * (interrupt_wait()). A handle of the kernel has 32 bits that matter, so that programs of 32 bits
 * can share it: as a number it fits. -1 is none.
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
