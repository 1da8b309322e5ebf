/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_HANDLE_H
#define WPERF_PROCESS_PROCESS_HANDLE_H

/**
 * Windows only: opens running processes. The privilege to debug processes of all users is enabled
 * only if it is needed.
 */

#include "base/error.h"

#include <stdint.h>
#include <windows.h>

/**
 * @access: PROCESS_*; only what is needed, so that it works for most users.
 * @purpose: for the error: "read the memory of".
 * @ret: set only on success; to be closed.
 */
struct error *process_handle_open(uint32_t pid, DWORD access, const char *purpose, HANDLE *ret);

/** NULL, with the reason in GetLastError(). */
HANDLE process_handle_try(uint32_t pid, DWORD access);

enum { PROCESS_HANDLE_LONGEST_PATH = 32768 }; /* characters */

/** The path of its program, to be freed; NULL: not known. */
wchar_t *process_handle_wide_path(HANDLE process);
char *process_handle_path(HANDLE process); /* in UTF-8 */

/** When it began, on CLOCK_REALTIME; 0: not known. */
uint64_t process_handle_birth_ns(HANDLE process);

#endif
