/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_SIM_PROGRAM_H
#define WPERF_DRIVER_SIM_PROGRAM_H

/**
 * The program that the simulated cores run: functions of an interpreter that multiplies large
 * numbers, and of the kernel below it. Of each kind of events every function has a fixed share, so
 * that samples of loads lie elsewhere than those of vector instructions. Where exactly an event
 * happened is a hash of when it did: any sum of many comes near the shares, and every run is the
 * same.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum program_kind {
	PROGRAM_CYCLES, /* and whatever is of no other kind */
	PROGRAM_LOADS,
	PROGRAM_BRANCHES,
	PROGRAM_VECTORS, /* SIMD and floating point */
	NUM_PROGRAM_KINDS,
};

struct program_image {
	const char *path;
	uint64_t address;
	uint32_t size;
	bool is_kernel;
};

struct program_function {
	const char *name;
	const char *file;
	uint32_t line;    /* the first of the function */
	uint64_t address; /* functions ascend, and are multiples of an instruction long */
	uint32_t size;
	uint16_t caller;                       /* index of the function that calls it */
	uint16_t per_mille[NUM_PROGRAM_KINDS]; /* of what happens in user code, or in the kernel */
};

const struct program_image *program_images(size_t *ret_num);
const struct program_function *program_functions(size_t *ret_num);

bool program_is_kernel(const struct program_function *function);

enum program_kind program_kind_of_event(uint64_t event);

enum { PROGRAM_PID = 4711 };

struct program_place {
	uint64_t pc, lr;
	uint64_t end; /* of the function */
	uint64_t fp;  /* of its frame */
};

/** @seed: of what happened and when. */
struct program_place program_place(enum program_kind kind, bool in_kernel, uint64_t seed);

/** What is in the stack at this address: a frame of one of the functions, or nothing. */
bool program_read_frame(uint64_t address, uint64_t *ret_next, uint64_t *ret_lr);

#endif
