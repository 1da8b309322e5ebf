/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_CODE_BUDGET_H
#define WPERF_INTERPRETER_CODE_BUDGET_H

#include <stdint.h>

/**
 * Line tables of all processes together: a program can give any number of functions a huge one.
 * One of a million lines has some 20 MB.
 */
enum { CODE_BUDGET_BYTES = 1 << 27 };

struct code_budget {
	uint64_t used;
	uint64_t num_cuts; /* tables that were not read */
};

#endif
