/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_SYSTEM_LIST_H
#define WPERF_PROCESS_SYSTEM_SYSTEM_LIST_H

/** Windows only: reads lists of the system whose size changes. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <windows.h>
#include <winternl.h>

/**
 * NtQuerySystemInformation() with a buffer that grows as needed.
 * @first_size: of the buffer, usually enough. @most: the largest plausible size.
 * @ret: to be freed; NULL: the system refuses.
 */
struct error *system_list_read(SYSTEM_INFORMATION_CLASS list, uint32_t first_size, uint32_t most,
			       void **ret, size_t *ret_size);

#endif
