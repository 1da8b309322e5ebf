/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_THREAD_NAMES_H
#define WPERF_INTERPRETER_THREAD_NAMES_H

/** Names that an interpreter knows of the threads of a process. */

#include "process/process_table.h"

#include <stddef.h>
#include <stdint.h>

struct thread_name {
	uint32_t tid;
	char name[PROCESS_GIVEN_NAME_SIZE];
};

struct thread_names {
	struct thread_name *items; /* each thread at most once */
	size_t num_items, cap_items;
};

#endif
