/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_TIMED_SAMPLES_H
#define WPERF_SOURCE_TIMED_SAMPLES_H

/**
 * Samples of threads that were looked at, in the order of time, until it is known how much time
 * each stands for: what a thread has spent on cores since its look before, which the system tells
 * later.
 */

#include "base/error.h"
#include "record/user_regs.h"
#include "source/sample_notice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TIMED_SAMPLES_MAX = 256 };

enum timed_state {
	TIMED_COUNTS,
	TIMED_IN_DOUBT, /* it had no core any more: since when? */
	TIMED_VOID,     /* for long */
};

struct timed_sample {
	struct sample_notice who;
	enum timed_state state;
	bool in_kernel;        /* where kernel time goes to, if that is told apart */
	uint64_t weight_ns;    /* 0: not known yet */
	struct user_regs regs; /* all 0: not known */
	size_t stack_size;     /* of the bytes from the stack pointer on */
};

struct timed_samples {
	struct timed_sample items[TIMED_SAMPLES_MAX]; /* a ring */
	size_t first, num;
	uint8_t *stacks; /* a piece for each item; NULL: stacks are not wanted */
	size_t stack_bytes;
	uint64_t num_lost; /* for want of room */
};

/** @samples: all 0 before. @stack_bytes: of each sample; 0: none. */
struct error *timed_samples_init(struct timed_samples *samples, size_t stack_bytes);
void timed_samples_deinit(struct timed_samples *samples);

/** As the newest; the oldest is given up if there is no room. Its piece of stack is the caller's
 *  to fill. Valid until the next one is added. */
struct timed_sample *timed_samples_add(struct timed_samples *samples,
				       const struct timed_sample *sample);

/** The piece of stack of one of them; NULL if stacks are not wanted. */
uint8_t *timed_samples_stack(const struct timed_samples *samples,
			     const struct timed_sample *sample);

/** To the samples of the thread that wait; false without such. @time_ns: what is left stays there.
 */
bool timed_samples_share(struct timed_samples *samples, uint32_t tid, bool in_kernel,
			 uint64_t *time_ns);

/** What was in doubt of this thread is so now. */
void timed_samples_settle(struct timed_samples *samples, uint32_t tid, enum timed_state state);

/** Is there one of the process from before, that may become a record? */
bool timed_samples_have_older(const struct timed_samples *samples, uint32_t pid, uint64_t time_ns);

/**
 * The oldest, if its weight is known. Those that never ran are dropped when they are old.
 * @is_all: no more weights will be known. @ret: valid until the next one is added.
 */
bool timed_samples_take(struct timed_samples *samples, uint64_t now_ns, bool is_all,
			const struct timed_sample **ret);

#endif
