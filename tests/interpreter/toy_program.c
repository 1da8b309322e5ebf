// SPDX-License-Identifier: Apache-2.0
/*
 * toy_program MILLISECONDS
 *
 * Runs byte code for so much CPU time. Of each round `heavy` has four fifths of the work, three of
 * them on its line 11 and one on line 12; `light` has the rest, on line 21.
 */

#include "tests/interpreter/toy/toy_layout.h"

#include <stdlib.h>
#include <time.h>

enum {
	TOY_CALL,   /* the function with this number */
	TOY_WORK,   /* so many pieces of it */
	TOY_RETURN, /* to the caller */
};

enum { PIECE = 400000 }; // steps; some tenths of a millisecond

static const struct toy_function functions[] = {
	{"round", "shop.toy", 1, 4, {{TOY_CALL, 1, 2}, {TOY_CALL, 2, 3}, {TOY_RETURN, 0, 4}}},
	{"heavy", "shop.toy", 10, 13, {{TOY_WORK, 3, 11}, {TOY_WORK, 1, 12}, {TOY_RETURN, 0, 13}}},
	{"light", "shop.toy", 20, 22, {{TOY_WORK, 1, 21}, {TOY_RETURN, 0, 22}}},
};

volatile struct toy_runtime toy_runtime;

static __attribute__((noinline)) void toy_work(unsigned pieces)
{
	uint64_t x = 1;
	for (uint64_t i = 0; i < (uint64_t)pieces * PIECE; i++) {
		x = x * 6364136223846793005u + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

/** The loop: one C frame for each frame of the toy, as in CPython up to 3.10. */
static __attribute__((noinline)) void toy_run(const struct toy_function *function)
{
	volatile struct toy_frame *frame = &toy_runtime.frames[toy_runtime.num_frames];
	frame->function = (uint64_t)function;
	frame->instruction = 0;
	toy_runtime.num_frames++;
	for (;;) {
		const struct toy_instruction *now = &function->code[frame->instruction];
		if (now->operation == TOY_RETURN)
			break;
		if (now->operation == TOY_CALL)
			toy_run(&functions[now->operand]);
		else
			toy_work(now->operand);
		frame->instruction++;
	}
	toy_runtime.num_frames--;
}

int main(int argc, char **argv)
{
	clock_t until = argc > 1 ? atol(argv[1]) * (CLOCKS_PER_SEC / 1000) : 0;
	while (clock() < until)
		toy_run(&functions[0]);
	return 0;
}
