/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_INTERPRETER_TOY_TOY_LAYOUT_H
#define WPERF_TESTS_INTERPRETER_TOY_TOY_LAYOUT_H

/** What the toy program has in its memory, in the variable `toy_runtime`. */

#include <stdint.h>

enum {
	TOY_MAX_TEXT = 32,
	TOY_MAX_CODE = 16,
	TOY_MAX_FRAMES = 8,
};

struct toy_instruction {
	uint8_t operation;
	uint8_t operand;
	uint16_t line;
};

struct toy_function {
	char name[TOY_MAX_TEXT]; /* ends with a zero, as the file does */
	char file[TOY_MAX_TEXT];
	uint32_t first_line, last_line;
	struct toy_instruction code[TOY_MAX_CODE];
};

struct toy_frame {
	uint64_t function;    /* address of its struct toy_function */
	uint64_t instruction; /* index of what it runs now */
};

struct toy_runtime {
	uint64_t num_frames;
	struct toy_frame frames[TOY_MAX_FRAMES]; /* outermost first */
};

#endif
