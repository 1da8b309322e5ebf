/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_VALUES_H
#define WPERF_SOURCE_BPF_BPF_VALUES_H

/** The values of probes, read by a program in the kernel: value_probe.bpf.h. */

#include "base/error.h"
#include "source/bpf/value_maps.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_values;
struct bpf_walker;

/**
 * Nothing is read before bpf_values_switch().
 * @walker: of BPF_WALKER_AT_EVENTS for samples, of BPF_WALKER_AT_VALUES for sums; must outlive the
 *          result.
 * @setting: copied; is_on and register_bytes are not used.
 */
struct error *bpf_values_create(struct bpf_walker *walker, const struct value_setting *setting,
				struct bpf_values **ret);
/** Accepts NULL. */
void bpf_values_destroy(struct bpf_values *values);

static inline void bpf_values_destroyp(struct bpf_values **values)
{
	bpf_values_destroy(*values);
}

/** @number: below VALUE_MAX_PROBES. @probe: copied. */
struct error *bpf_values_set_probe(struct bpf_values *values, uint32_t number,
				   const struct value_probe *probe);

/** Samples on this core go to this event, of PERF_COUNT_SW_BPF_OUTPUT, which is open as long. */
struct error *bpf_values_set_output(struct bpf_values *values, int core, int fd);

/** Processes outside of these are not seen, unless the setting sees all. @awaits_exec: from its
 *  next exec on. */
struct error *bpf_values_add_process(struct bpf_values *values, uint32_t pid, bool awaits_exec);

/** Has this process events of its own? Until then those of others are its, too, where they share
 *  memory. */
struct error *bpf_values_set_probed(struct bpf_values *values, uint32_t pid, bool is_probed);

/** Are values of this probe in memory that has to be fetched before, and can this kernel do so? */
bool bpf_values_fetches(const struct bpf_values *values, uint32_t number);

/**
 * Run at the probe that is this event.
 * @cookie: value_cookie(), with a core and a thread, or a process.
 * @fetches: only fetch memory, at a second event of the probe. Of several the kernel runs the one
 *           first that was opened last.
 * @ret_link: a file descriptor, the caller's: until it is closed the program runs, and the event
 *            is there.
 */
struct error *bpf_values_attach(struct bpf_values *values, int fd, uint64_t cookie, bool fetches,
				int *ret_link);

struct error *bpf_values_switch(struct bpf_values *values, bool is_on);

/** One probe, which is on at first, while all are on. */
struct error *bpf_values_switch_probe(struct bpf_values *values, uint32_t number, bool is_on);

/** @which: VALUE_LOST_*. */
uint64_t bpf_values_num_lost(const struct bpf_values *values, uint32_t which);

/** The sum over all cores. */
struct error *bpf_values_read_sum(const struct bpf_values *values, uint32_t number, uint32_t value,
				  struct value_sum *ret);

/** Walk over the strings: @key is the last one, and becomes the next. @is_first: there was none
 *  yet. False: there are no more. */
bool bpf_values_next_string(const struct bpf_values *values, bool is_first,
			    struct value_string *key, uint64_t *ret_count);

/** Sums begin anew. */
struct error *bpf_values_reset(struct bpf_values *values);

#endif
