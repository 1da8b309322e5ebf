/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_SCHED_H
#define WPERF_SOURCE_BPF_BPF_SCHED_H

/** Programs in the kernel that measure how long threads are ready before they run, and choose
 *  samples of that: sched_probe.bpf.h. */

#include "base/error.h"
#include "profile/run_queue/run_queue.h"
#include "source/bpf/sched_maps.h"

#include <stdbool.h>
#include <stdint.h>

struct bpf_sched;
struct bpf_walker;

/**
 * Nothing is counted before bpf_sched_switch().
 * @walker: of BPF_WALKER_AT_SWITCHES; must outlive the result.
 * @setting: copied; is_on is not used.
 */
struct error *bpf_sched_create(struct bpf_walker *walker, const struct sched_setting *setting,
			       struct bpf_sched **ret);
/** Accepts NULL. */
void bpf_sched_destroy(struct bpf_sched *sched);

/** Samples on this core go to this event, of PERF_COUNT_SW_BPF_OUTPUT, which is open as long. */
struct error *bpf_sched_set_output(struct bpf_sched *sched, int core, int fd);

/** Count the waits of this process. @awaits_exec: from its next exec on. */
struct error *bpf_sched_add_process(struct bpf_sched *sched, uint32_t pid, bool awaits_exec);

struct error *bpf_sched_switch(struct bpf_sched *sched, bool is_on);

/** Now and then: threads that have ended, which the kernel has not much room for. */
struct error *bpf_sched_take_ended(struct bpf_sched *sched, struct run_queue *into);

/** After the switch to off: all others, and what is not of a thread. */
struct error *bpf_sched_read(struct bpf_sched *sched, struct run_queue *into);

/** Samples that were chosen and did not come. */
uint64_t bpf_sched_num_lost(const struct bpf_sched *sched);

#endif
