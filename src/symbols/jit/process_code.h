/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_PROCESS_CODE_H
#define WPERF_SYMBOLS_JIT_PROCESS_CODE_H

/**
 * What one process told of the code that it made while it ran: its jit-PID.dump, and its
 * perf-PID.map for what the other does not name. Both are looked for with the process's own eyes
 * (its root folder, its number), and opened with the rights of its user. Files of other users than
 * the process's and root are not used, as anybody may write to /tmp.
 */

#include "base/error.h"
#include "symbols/code_map.h"
#include "symbols/jit/whole_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_code {
	uint32_t pid;
	size_t room;                      /* private: for the rest of its files */
	const struct file_rights *rights; /* private, while they are read */
	struct whole_file jitdump_bytes, perf_map_text;
	struct code_map jitdump, perf_map;
	struct error *refusal; /* why names may be missing; NULL if all was well */
};

/** What is known of a process when its files are looked for. */
struct process_code_place {
	bool may_be_here;                 /* it may run on this machine */
	const char *jitdump;              /* its path as the process mapped it, or NULL */
	const struct file_rights *rights; /* and its root folder; NULL: our own */
};

/** @room: of what it wrote, no more bytes are read; a larger file is not used. @ret: ended with
 *  process_code_deinit(). */
struct error *process_code_load(struct process_code *code, uint32_t pid,
				const struct process_code_place *place, size_t room);

/** How much memory it takes, in bytes. */
uint64_t process_code_size(const struct process_code *code);

/** Is it the path of a jit-PID.dump? */
bool process_code_is_jitdump(const char *path);

/** What is at an address, and in which of the maps; NULL if that is not known. */
const struct code_range *process_code_find(const struct process_code *code, uint64_t address,
					   const struct code_map **ret);

void process_code_deinit(struct process_code *code);

#endif
