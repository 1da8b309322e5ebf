/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNWIND_SCENARIOS_H
#define WPERF_TESTS_UNWIND_SCENARIOS_H

/** Calls of many shapes; scenarios.c is compiled again with each compiler and its options. */

#include <stddef.h>

typedef int (*deepest_fn)(int value);

struct scenario {
	const char *name;
	int (*run)(deepest_fn deepest, int value);
};

/** The stack of the signal handler of one of them. */
enum { ALTERNATE_STACK = 64 * 1024 };
extern char alternate_stack[ALTERNATE_STACK];

extern const struct scenario scenarios[];
extern const size_t num_scenarios;

#endif
