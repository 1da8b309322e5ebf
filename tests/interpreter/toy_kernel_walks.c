// SPDX-License-Identifier: Apache-2.0

#include "interpreter/kernel_walks.h"
#include "source/kernel_walk.h"

// In the place of src/interpreter/kernel_walks.c.
static const uint8_t program_bytes[] __attribute__((aligned(8))) = {
#include "toy_kernel_walks.bpf.o.inc"
};

const struct kernel_walk_program kernel_walk_program = {program_bytes, sizeof(program_bytes)};
