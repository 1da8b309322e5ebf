/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROC_FOLDER_H
#define WPERF_PROCESS_PROC_FOLDER_H

/** The folders of /proc that are named by numbers: processes, and threads of one. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** @path: "/proc", "/proc/1/task". @ret: ascending; to be freed. */
struct error *proc_folder_list(const char *path, uint32_t **ret, size_t *ret_num);

/** The threads of a process. */
struct error *proc_folder_threads(uint32_t pid, uint32_t **ret, size_t *ret_num);

#endif
