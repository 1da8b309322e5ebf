/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_INTERPRETER_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_INTERPRETER_H

/** CPython 3.8 to 3.15. */

#include "interpreter/interpreter_ops.h"

extern const struct interpreter_ops python_interpreter_ops;

#endif
