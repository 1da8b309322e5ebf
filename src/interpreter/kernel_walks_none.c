// SPDX-License-Identifier: Apache-2.0
// For systems and builds without BPF: see bpf_walker_none.c.

#include "interpreter/kernel_walks.h"

#include "source/kernel_walk.h"

const struct kernel_walk_program kernel_walk_program = {0};
