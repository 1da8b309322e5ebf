/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_PYTHON_PROCESS_H
#define WPERF_SESSION_PYTHON_PROCESS_H

/** The interpreter of Python that runs in a process of this machine. */

#include "process/process_table.h"
#include "python/python_asyncio.h"
#include "python/python_runtime.h"
#include "symbols/module_file.h"

/**
 * The interpreter in one mapped module, as soon as it is mapped: nothing of it need have run.
 * @ret: set only on success. ERROR_ABSENT: there is none; ERROR_FAILED: it cannot be read.
 */
struct error *python_process_find_in(const struct process *process, const struct mapping *mapping,
				     const struct module *module,
				     const struct module_file_search *search,
				     struct python_runtime *ret);

/**
 * The interpreter in one of the mapped modules of a process. If threads of it run already, it has
 * been checked.
 * @ret: set only on success. ERROR_ABSENT: none of them has one; ERROR_FAILED: there is one that
 *       cannot be read, and why.
 */
struct error *python_process_find(const struct process *process, const struct module_table *modules,
				  const struct module_file_search *search,
				  struct python_runtime *ret);

/**
 * The same of a process of which only the number is known, which may be over any time. Also an
 * error: its memory cannot be read.
 */
struct error *python_process_open(uint32_t pid, struct python_runtime *ret);

/**
 * Where asyncio has its tasks. ERROR_ABSENT: the interpreter is too old to tell, or asyncio is not
 * loaded (yet); ERROR_FAILED: it cannot be read.
 */
struct error *python_process_find_asyncio(uint32_t pid, const struct python_runtime *runtime,
					  struct python_asyncio *ret);

#endif
