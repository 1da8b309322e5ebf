/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_TESTS_INTERPRETER_TOY_TOY_WALK_H
#define WPERF_TESTS_INTERPRETER_TOY_TOY_WALK_H

/** What the toy's walk in the kernel has to know of a process. */

#include "interpreter/kernel_walks.h"

#include <stdint.h>

enum { KERNEL_WALK_TOY = KERNEL_WALK_PYTHON + 1 };

struct toy_walk {
	uint64_t runtime; /* address of its struct toy_runtime */
};

#endif
