/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_SIMULATED_FUNCTION_H
#define WPERF_TESTS_UNIT_SIMULATED_FUNCTION_H

/** Where in the simulated program samples are. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "driver/sim/program.h"

/** Fails the test for an address outside of it. */
static inline const struct program_function *find_function(uint64_t address)
{
	size_t num;
	const struct program_function *functions = program_functions(&num);
	for (size_t i = 0; i < num; i++) {
		if (address >= functions[i].address &&
		    address < functions[i].address + functions[i].size)
			return &functions[i];
	}
	fail_msg("%llx is in no function", (unsigned long long)address);
	return NULL;
}

#endif
