/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_USER_MODE_H
#define WPERF_TESTS_BAREMETAL_USER_MODE_H

#include "tests/baremetal/loops.h"

enum { USER_MODE_EXTRA = 1 }; /* instructions at EL0 besides those of the loop: the SVC back */

/** Run a loop at EL0. It has no stack there. */
void user_mode_run(loop_fn *loop, uint64_t rounds);

/** Loops return to between user_mode_run() and here. */
extern const char user_mode_return[];

#endif
