/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_WAKES_H
#define WPERF_SOURCE_BPF_BPF_WAKES_H

/** Programs in the kernel that tell who wakes the target's threads: wake_probe.bpf.h. */

#include "base/error.h"
#include "source/bpf/wake_maps.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_wakes;
struct bpf_walker;

/**
 * Nothing is told before bpf_wakes_switch().
 * @walker: of BPF_WALKER_AT_WAKES or BPF_WALKER_AT_EVENTS_AND_WAKES; must outlive the result.
 * @setting: copied; is_on is not used.
 */
struct error *bpf_wakes_create(struct bpf_walker *walker, const struct wake_setting *setting,
			       struct bpf_wakes **ret);
/** Accepts NULL. */
void bpf_wakes_destroy(struct bpf_wakes *wakes);

/**
 * Samples on this core go to these events, of PERF_COUNT_SW_BPF_OUTPUT, which are open as long.
 * @fd: those of threads. @bare_fd: those of interrupts.
 */
struct error *bpf_wakes_set_outputs(struct bpf_wakes *wakes, int core, int fd, int bare_fd);

/** Tell who wakes the threads of this process. */
struct error *bpf_wakes_add_process(struct bpf_wakes *wakes, uint32_t pid);

struct error *bpf_wakes_switch(struct bpf_wakes *wakes, bool is_on);

#endif
