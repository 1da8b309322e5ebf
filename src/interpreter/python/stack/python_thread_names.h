/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_STACK_PYTHON_THREAD_NAMES_H
#define WPERF_INTERPRETER_PYTHON_STACK_PYTHON_THREAD_NAMES_H

/**
 * The names that the module threading has for the threads of an interpreter: those that a program
 * gives, and its own, as "Thread-1 (work)". Before 3.14 the system does not know them. "MainThread"
 * is left out: the system's name for that thread is that of the process, which says more.
 */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_runtime.h"

#include <stddef.h>
#include <stdint.h>

struct python_thread_name {
	uint64_t id;   /* as of struct python_thread */
	size_t offset; /* private: of the name in `text` */
};

struct python_thread_names {
	struct python_thread_name *items; /* by id */
	size_t num_items, cap_items;
	struct string_builder text; /* private */
};

#define PYTHON_THREAD_NAMES_INIT \
	{                        \
	}

enum { PYTHON_THREAD_NAMES_MAX = 4096 };

/** Read the current names, at most so many, which replace those in @names. There are none before
 * the module is loaded. @interpreter: its address. */
struct error *python_thread_names_read(struct python_thread_names *names,
				       const struct python_runtime *runtime, uint64_t interpreter);

/** As UTF-8; NULL: the thread has no name. Valid until the next read. */
const char *python_thread_names_find(const struct python_thread_names *names, uint64_t id);

void python_thread_names_deinit(struct python_thread_names *names);

#endif
