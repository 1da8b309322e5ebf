// SPDX-License-Identifier: Apache-2.0

#include "stack/stack_completions.h"

// A small table of hashes without collision lists: an inner stack that meets another one in its
// place takes the place. An entry has the outer stack that is most frequent so far, by majority
// vote: counts of "same" and "others", and another outer stack takes over when the others are more.
// The outer stack is used only as long as it was seen TIMES_AS_OFTEN times as often as all others
// together, as one that differs is either a rare failed read or a second caller.

// A read that met the stack while it was rebuilt is rare and looks like nothing else; two ways
// that are both taken are not.
enum { TIMES_AS_OFTEN = 16 };

bool stack_completions_agree(struct stack_completions *completions, uint64_t inner, uint64_t outer)
{
	struct stack_completion *known = &completions->items[inner % STACK_COMPLETIONS];
	if (known->inner != inner)
		*known = (struct stack_completion){.inner = inner, .outer = outer};
	if (known->outer == outer)
		known->num_same++;
	else
		known->num_others++;
	if (known->num_others > known->num_same) {
		known->outer = outer;
		known->num_same = known->num_others;
	}
	return known->outer == outer && known->num_same >= TIMES_AS_OFTEN * known->num_others;
}
