/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_JIT_PROCESS_IDENTITY_H
#define WPERF_SYMBOLS_JIT_PROCESS_IDENTITY_H

/** Which number a process has for itself, and whose it is. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct process_identity {
	bool is_here;       /* it still runs */
	uint32_t inner_pid; /* in its own namespace of processes */
	uint32_t user;      /* its effective user; if it is not here, ours */
};

/** Of a process that is not here, or whose status cannot be read, as much as can be assumed. */
struct process_identity process_identity_of(uint32_t pid, bool may_be_here);

#endif
