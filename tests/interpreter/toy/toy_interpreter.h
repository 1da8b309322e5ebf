/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_INTERPRETER_TOY_TOY_INTERPRETER_H
#define WPERF_TESTS_INTERPRETER_TOY_TOY_INTERPRETER_H

/** The interpreter of toy_program.c. */

#include "interpreter/interpreter_ops.h"

extern const struct interpreter_ops toy_interpreter_ops;

#endif
