/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_PROCESS_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_PROCESS_H

/** Finds the Python interpreter in a process on this machine. */

#include "interpreter/python/layout/python_runtime.h"
#include "interpreter/python/task/python_asyncio.h"
#include "process/process_table.h"
#include "symbols/module_file.h"

/**
 * The interpreter in a mapped module, even if none of its code has run yet.
 * @ret: set only on success. ERROR_ABSENT: there is none; ERROR_FAILED: it cannot be read.
 */
struct error *python_process_find_in(const struct process *process, const struct mapping *mapping,
				     const struct module *module,
				     const struct module_file_search *search,
				     struct python_runtime *ret);

/**
 * The interpreter in any mapped module of a process. If it has threads already, its layout is
 * checked.
 * @ret: set only on success. ERROR_ABSENT: there is none; ERROR_FAILED: it cannot be read.
 */
struct error *python_process_find(const struct process *process, const struct module_table *modules,
				  const struct module_file_search *search,
				  struct python_runtime *ret);

/** The same for a process by its pid. Also an error: its memory cannot be read, or it has ended. */
struct error *python_process_open(uint32_t pid, struct python_runtime *ret);

/** Is it the module of asyncio's tables, or an interpreter that may have asyncio built in? */
bool python_process_may_have_asyncio(const char *path);

/** The same as the next in one mapped module. False: it has none, or cannot be read. */
bool python_process_find_asyncio_in(const struct python_runtime *runtime,
				    const struct mapping *mapping, const struct module *module,
				    const struct module_file_search *search,
				    struct python_asyncio *ret);

/**
 * Where asyncio keeps its tasks. ERROR_ABSENT: the interpreter's version does not publish that, or
 * asyncio is not loaded (yet); ERROR_FAILED: it cannot be read.
 */
struct error *python_process_find_asyncio(uint32_t pid, const struct python_runtime *runtime,
					  struct python_asyncio *ret);

#endif
