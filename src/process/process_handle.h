/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_HANDLE_H
#define WPERF_PROCESS_PROCESS_HANDLE_H

/**
 * Windows only: the right to do something with a process that runs. An administrator's right to
 * debug everybody's programs is made use of only where it does not go without.
 */

#include "base/error.h"

#include <stdint.h>
#include <windows.h>

/**
 * @access: PROCESS_*; no more than what is needed, so that it is given to as many as can be.
 * @purpose: what the process is to be for us: "read the memory of".
 * @ret: set only on success; to be closed.
 */
struct error *process_handle_open(uint32_t pid, DWORD access, const char *purpose, HANDLE *ret);

/** NULL if it cannot be had; GetLastError() says why. */
HANDLE process_handle_try(uint32_t pid, DWORD access);

enum { PROCESS_HANDLE_LONGEST_PATH = 32768 }; /* characters, of any path of the system */

/** The path of its program as the system has it. NULL if it cannot be had. To be freed. */
wchar_t *process_handle_wide_path(HANDLE process);
char *process_handle_path(HANDLE process); /* in UTF-8 */

/** When it began, on CLOCK_REALTIME; 0 if that cannot be had. */
uint64_t process_handle_birth_ns(HANDLE process);

#endif
