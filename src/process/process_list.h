/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_LIST_H
#define WPERF_PROCESS_PROCESS_LIST_H

/** The numbers of what runs at this moment: processes, and threads of one. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** All that we may see. @ret: ascending; to be freed. */
struct error *process_list(uint32_t **ret, size_t *ret_num);

/** The threads of a process; the error says that it is not there. */
struct error *process_list_threads(uint32_t pid, uint32_t **ret, size_t *ret_num);

#endif
