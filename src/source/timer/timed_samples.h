/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMER_TIMED_SAMPLES_H
#define WPERF_SOURCE_TIMER_TIMED_SAMPLES_H

/**
 * A queue of timer samples in time order that wait for their weights: the CPU time of the thread
 * since its previous sample, which the system reports later.
 */

#include "base/error.h"
#include "record/perf_data/user_regs.h"
#include "source/sample_wakeup.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMED_SAMPLES_MAX = 256 };

enum timed_state {
	TIMED_COUNTS,
	TIMED_IN_DOUBT, /* the thread was off the CPU, and it is not known since when */
	TIMED_VOID,     /* it was so for long: the sample does not count */
};

struct timed_sample {
	struct sample_wakeup who;
	enum timed_state state;
	bool in_kernel;        /* gets kernel time, if that is counted separately */
	uint64_t weight_ns;    /* 0: not known yet */
	struct user_regs regs; /* all 0: not known */
	size_t stack_size;     /* of the bytes from the stack pointer on */
};

struct timed_samples {
	struct timed_sample items[TIMED_SAMPLES_MAX]; /* a ring */
	size_t first, num;
	uint8_t *stacks; /* a copy for each item; NULL: not wanted */
	size_t stack_bytes;
	uint64_t num_lost; /* because the ring was full */
};

/** @samples: zero-initialized. @stack_bytes: of each sample; 0: none. */
struct error *timed_samples_init(struct timed_samples *samples, size_t stack_bytes);
void timed_samples_deinit(struct timed_samples *samples);

/** Add the newest sample; if the ring is full, the oldest one is lost. The caller fills in its copy
 *  of the stack. The result is valid until the next one is added. */
struct timed_sample *timed_samples_add(struct timed_samples *samples,
				       const struct timed_sample *sample);

/** The copy of a sample's stack; NULL if stacks are not wanted. */
uint8_t *timed_samples_stack(const struct timed_samples *samples,
			     const struct timed_sample *sample);

/** Distribute time to the waiting samples of a thread; false if there are none. @time_ns: becomes
 *  the rest. */
bool timed_samples_share(struct timed_samples *samples, uint32_t tid, bool in_kernel,
			 uint64_t *time_ns);

/** Set the state of this thread's samples that are TIMED_IN_DOUBT. */
void timed_samples_settle(struct timed_samples *samples, uint32_t tid, enum timed_state state);

/** Is there an earlier sample of the process that may become a record? */
bool timed_samples_have_older(const struct timed_samples *samples, uint32_t pid, uint64_t time_ns);

/**
 * Take the oldest sample if its weight is known. Old samples without CPU time are dropped.
 * @is_all: there will be no more weights. @ret: valid until the next one is added.
 */
bool timed_samples_take(struct timed_samples *samples, uint64_t now_ns, bool is_all,
			const struct timed_sample **ret);

#endif
