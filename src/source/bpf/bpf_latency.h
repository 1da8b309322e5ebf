/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_LATENCY_H
#define WPERF_SOURCE_BPF_BPF_LATENCY_H

/** Programs in the kernel that time the calls of functions: latency.bpf.c. */

#include "base/error.h"
#include "source/bpf/latency_maps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_latency;

/** A function of a process whose calls are timed, those within each other each on its own. */
struct bpf_latency_place {
	uint32_t number; /* below LATENCY_MAX_PLACES: that of its hits */
	uint32_t pid;
	const char *event; /* for the error */
	const char *path;
	uint64_t offset; /* in the file */
	uint64_t limit_ns;
};

/** The error says which right is missing, or that processes have other numbers in the kernel. */
struct error *bpf_latency_create(struct bpf_latency **ret);
/** Accepts NULL. */
void bpf_latency_destroy(struct bpf_latency *latency);

struct error *bpf_latency_add(struct bpf_latency *latency, const struct bpf_latency_place *place);

/** The next call that took longer than its limit. False: there is none now. */
bool bpf_latency_take(struct bpf_latency *latency, struct latency_hit *ret);

/** Calls that were not timed, or took too long and are not known: there were too many, or a
 * function called itself at its end. */
uint64_t bpf_latency_num_lost(const struct bpf_latency *latency);

#endif
