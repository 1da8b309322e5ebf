/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_LIST_H
#define WPERF_PROCESS_SYSTEM_LIST_H

/** Windows only: lists of the system that are longer at every question. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <windows.h>
#include <winternl.h>

/**
 * NtQuerySystemInformation(), with as much room as it wants.
 * @first_size: bytes that are mostly enough; @most: more are not believed.
 * @ret: to be freed; NULL if the system does not tell.
 */
struct error *system_list_read(SYSTEM_INFORMATION_CLASS list, uint32_t first_size, uint32_t most,
			       void **ret, size_t *ret_size);

#endif
