// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/python_interpreter.h"

#include <stddef.h>

// interpreter_ops.h has the recipe for another row.
const struct interpreter_ops *const all_interpreters[] = {
	&python_interpreter_ops,
	NULL,
};
