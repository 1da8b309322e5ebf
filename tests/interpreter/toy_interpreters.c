// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_interpreter.h"
#include "tests/interpreter/toy/toy_interpreter.h"

#include <stddef.h>

// In the place of src/interpreter/interpreters.c: the toy is one row more.
const struct interpreter_ops *const all_interpreters[] = {
	&python_interpreter_ops,
	&toy_interpreter_ops,
	NULL,
};
