/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PROCESS_ROOTS_H
#define WPERF_PROCESS_PROCESS_ROOTS_H

/** Which root folder (base/file/file_root.h) processes have. On Windows all have ours. */

#include "base/file/file_root.h"

#include <stdint.h>

/**
 * The root folder of a process that runs, opened when it is met first and kept open when the
 * process has ended.
 * @ret:      NULL if it is ours, or not known.
 * @ret_seen: false if it is not known, as the process has ended.
 */
struct error *process_root_read(struct file_roots *roots, uint32_t pid,
				const struct file_root **ret, bool *ret_seen);

/**
 * The root folder that a recording tells of. It is open if process @pid, or an earlier one, has it
 * now. @pid: 0 if the recording is of another machine. @ret: NULL if @id says nothing.
 */
struct error *process_root_recorded(struct file_roots *roots, struct file_root_id id, uint32_t pid,
				    const struct file_root **ret);

#endif
