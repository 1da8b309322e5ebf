/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_NAMES_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_NAMES_H

/** The names that Python knows of the threads of a process. */

#include "base/error.h"
#include "interpreter/python/layout/python_runtime.h"
#include "interpreter/thread_names.h"

/** @names: its items are replaced. An error is a lack of memory: what cannot be read has no name.
 */
struct error *python_names_read(uint32_t pid, const struct python_runtime *runtime,
				struct thread_names *names);

#endif
