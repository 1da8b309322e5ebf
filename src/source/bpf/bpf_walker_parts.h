/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_WALKER_PARTS_H
#define WPERF_SOURCE_BPF_BPF_WALKER_PARTS_H

/** What a loaded program has besides its walks, for bpf_allocations.c, bpf_calls.c and
 *  bpf_sched.c. */

#include "source/bpf/bpf_library.h"

struct bpf_walker;

const struct bpf_library *bpf_walker_library(const struct bpf_walker *walker);

/** NULL if there is none. */
struct bpf_program *bpf_walker_find_program(const struct bpf_walker *walker, const char *name);

/** A file descriptor, or below 0. */
int bpf_walker_find_map(const struct bpf_walker *walker, const char *name);

/** That there can be. */
uint32_t bpf_walker_num_cores(const struct bpf_walker *walker);

#endif
