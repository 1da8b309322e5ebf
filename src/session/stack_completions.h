/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_STACK_COMPLETIONS_H
#define WPERF_SESSION_STACK_COMPLETIONS_H

/**
 * Which outer frames were read from a process behind which inner ones of samples. A program that
 * comes to the same inner frames by different ways cannot be read later: what is found may be the
 * way of another call.
 */

#include <stdbool.h>
#include <stdint.h>

struct stack_completion {
	uint64_t inner, outer; /* the outer ones that were found most often */
	uint64_t num_same, num_others;
};

enum { STACK_COMPLETIONS = 1024 }; /* a newer one takes the place of an older one */

struct stack_completions {
	struct stack_completion items[STACK_COMPLETIONS];
};

/** @inner, @outer: hashes of the frames. False: other outer frames are found there, too, more often
 *  than now and then. */
bool stack_completions_agree(struct stack_completions *completions, uint64_t inner, uint64_t outer);

#endif
