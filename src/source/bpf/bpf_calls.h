/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_CALLS_H
#define WPERF_SOURCE_BPF_BPF_CALLS_H

/** Programs in the kernel that count system calls, and choose samples of them: call_probe.bpf.h. */

#include "base/error.h"
#include "source/bpf/call_maps.h"
#include "source/calls/call_table.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_calls;
struct bpf_walker;

/**
 * Nothing is counted before bpf_calls_switch().
 * @walker: of BPF_WALKER_AT_CALLS; must outlive the result.
 * @setting: copied; is_on is not used.
 */
struct error *bpf_calls_create(struct bpf_walker *walker, const struct call_setting *setting,
			       struct bpf_calls **ret);
/** Accepts NULL. */
void bpf_calls_destroy(struct bpf_calls *calls);

/** Samples on this core go to this event, of PERF_COUNT_SW_BPF_OUTPUT, which is open as long. */
struct error *bpf_calls_set_output(struct bpf_calls *calls, int core, int fd);

/** Count the calls of this process. @awaits_exec: from its next exec on. */
struct error *bpf_calls_add_process(struct bpf_calls *calls, uint32_t pid, bool awaits_exec);

struct error *bpf_calls_switch(struct bpf_calls *calls, bool is_on);

/** After the switch to off. @ret: empty before. @now_ns: of CLOCK_MONOTONIC, when that was. */
struct error *bpf_calls_read(const struct bpf_calls *calls, uint64_t now_ns,
			     struct call_table *ret);

/** Samples for which a ring had no room. */
uint64_t bpf_calls_num_lost(const struct bpf_calls *calls);

#endif
