/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_RUNTIME_H
#define WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_RUNTIME_H

/**
 * A CPython interpreter in a process: its version, addresses and layout.
 *
 * python_runtime_find() finds it as soon as its module is mapped, before it runs, so that the stack
 * of the first sample can be walked. python_runtime_check() verifies the layout when there is a
 * thread.
 */

#include "base/error.h"
#include "interpreter/python/kernel/python_walk.h"
#include "interpreter/python/layout/python_layout.h"
#include "object/object.h"
#include "process/memory/process_memory.h"

#include <stdbool.h>
#include <stdint.h>

struct python_runtime {
	struct process_memory memory;
	struct python_layout layout;
	struct python_walk walk;
	uint64_t bias;      /* address in the process - address in its object */
	uint64_t address;   /* of its runtime; 0: none (3.6) */
	uint64_t code_type; /* the type of code objects */
	uint32_t version;   /* PY_VERSION_HEX; the part after the minor version is 0 if not known */
	bool is_guess;      /* newer than all known versions */
};

/**
 * @object: a module of the process. @bias: address in the process - address in the object.
 * @path: of the module, as mapped.
 * @ret: set only on success; need not be freed. ERROR_ABSENT: the module has no interpreter;
 *       ERROR_FAILED: it has one that wperf cannot read, with the reason.
 */
struct error *python_runtime_find(const struct process_memory *memory, struct object *object,
				  uint64_t bias, const char *path, struct python_runtime *ret);

/**
 * Does the memory have the expected layout? ERROR_FAILED: no. ERROR_ABSENT: not known yet, because
 * no thread of the interpreter has begun or runs Python code, or because it has ended.
 */
struct error *python_runtime_check(const struct python_runtime *runtime);

#endif
