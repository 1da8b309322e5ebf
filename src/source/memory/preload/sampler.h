/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_SAMPLER_H
#define WPERF_SOURCE_MEMORY_SAMPLER_H

/** Writes samples of this process into the region, and waits until wperf has taken them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sampled_caller;

/**
 * Once, before threads begin.
 * @has_own_malloc: of the program: it is called instead of ours.
 * @before_sample:  called before each sample is taken.
 */
void sampler_begin(bool has_own_malloc, void (*before_sample)(void));

/** False: it cannot be known yet whether there is a region. */
bool sampler_has_begun(void);

/** Is there a region, and somebody who reads it? */
bool sampler_is_open(void);

/** False in a child of vfork(), which has the memory of its parent, and no samples. */
bool sampler_is_own_process(void);

/** Bytes from sample to sample, on average. */
uint64_t sampler_period(void);

/** Are frees of sampled blocks wanted? */
bool sampler_sees_frees(void);

/** The next of the numbers of threads, from 1 on. */
uint64_t sampler_number_thread(void);

/** A block that live_table_may_have(): before it is freed. */
void sampler_free(const void *block);

/** A sample of the calling thread. Allocations are paused, and `drawn` is what the thread has
 *  allocated. */
void sampler_take(const void *block, size_t size, const struct sampled_caller *caller);

/** The process ends. */
void sampler_end(void);

#endif
