/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_BAREMETAL_LOOPS_H
#define WPERF_TESTS_BAREMETAL_LOOPS_H

/** Work of exactly known size, in functions that are easy to recognise. They touch no stack. */

#include <stdint.h>

enum {
	LOOP_ROUND = 4, /* instructions of a round */
	LOOP_EXTRA = 1, /* of a call besides the rounds: its return */
};

/** @rounds: 1 at least. */
typedef void loop_fn(uint64_t rounds);

loop_fn loop_of_sums, loop_of_loads;

/** Where their code ends. */
extern const char loop_of_sums_end[], loop_of_loads_end[];

#endif
