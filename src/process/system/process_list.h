/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_SYSTEM_PROCESS_LIST_H
#define WPERF_PROCESS_SYSTEM_PROCESS_LIST_H

/** The IDs of running processes, and of a process's threads. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** All processes that this user may see. @ret: ascending; to be freed. */
struct error *process_list(uint32_t **ret, size_t *ret_num);

/** The threads of a process; an error if it does not exist. */
struct error *process_list_threads(uint32_t pid, uint32_t **ret, size_t *ret_num);

#endif
