/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_RUNTIME_H
#define WPERF_PYTHON_PYTHON_RUNTIME_H

/**
 * A CPython interpreter in the memory of a process: which one it is, and where it has what.
 *
 * It is found as soon as its module is mapped (python_runtime_find()), before it has run, so that
 * the first sample can be walked; python_runtime_check() says whether what was found holds true,
 * once there is a thread.
 */

#include "base/error.h"
#include "object/object.h"
#include "process/process_memory.h"
#include "python/python_layout.h"
#include "python/python_walk.h"

#include <stdbool.h>
#include <stdint.h>

struct python_runtime {
	struct process_memory memory;
	struct python_layout layout;
	struct python_walk walk;
	uint64_t bias;      /* addresses of the process - those of the object that it is in */
	uint64_t address;   /* of its runtime; 0 in 3.6, which has none */
	uint64_t code_type; /* the type of code objects */
	uint32_t version;   /* as PY_VERSION_HEX; below the minor number 0 if it is not known */
	bool is_guess;      /* newer than what this was made with */
};

/**
 * @object: a module of the process; @bias: addresses of the process - those of the object;
 * @path: of the module, as mapped.
 * @ret: a value, nothing to be freed; set only on success. A module without any interpreter is
 *       ERROR_ABSENT; one with an interpreter that we cannot read is ERROR_FAILED, which says why.
 */
struct error *python_runtime_find(const struct process_memory *memory, struct object *object,
				  uint64_t bias, const char *path, struct python_runtime *ret);

/**
 * Is what is in memory what the layout says? ERROR_ABSENT: nothing can be said yet, as no thread
 * of the interpreter has begun, or runs code of Python, or as it is over. ERROR_FAILED: it is not.
 */
struct error *python_runtime_check(const struct python_runtime *runtime);

#endif
