/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_DUMP_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_DUMP_H

/** The threads of a process with CPython, for `dump`. */

#include "interpreter/interpreter_dump.h"

extern const struct dump_ops python_dump_ops;

#endif
