/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_STACK_STACK_COMPLETIONS_H
#define WPERF_STACK_STACK_COMPLETIONS_H

/**
 * Checks outer frames that were read from a process after the sample (stack_rest.h). If a program
 * reaches the same inner frames by different callers, the outer frames may be those of a later
 * call, and cannot be used.
 */

#include <stdbool.h>
#include <stdint.h>

struct stack_completion {
	uint64_t inner, outer; /* outer: those found most often */
	uint64_t num_same, num_others;
};

enum { STACK_COMPLETIONS = 1024 }; /* a new one replaces an old one */

struct stack_completions {
	struct stack_completion items[STACK_COMPLETIONS];
};

/** @inner, @outer: hashes of the frames. False: these inner frames often have other outer frames.
 */
bool stack_completions_agree(struct stack_completions *completions, uint64_t inner, uint64_t outer);

#endif
