// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/sampled_thread.h"

#include "source/memory/preload/byte_draw.h"
#include "source/memory/preload/sampler.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The distance to the next sample is drawn again after each sample, and in a forked child, whose
// threads would otherwise all choose the same allocations. What is left of a distance has the same
// distribution as a new one (it has no memory), so that both are right.

__thread struct thread_state thread_state;

static void sampled_thread_seed(struct thread_state *thread)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	uint64_t moment = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	thread->random = byte_draw_seed(moment, (uint64_t)(uintptr_t)thread ^ (uint64_t)getpid());
}

static uint64_t sampled_thread_draw(struct thread_state *thread)
{
	thread->period = sampler_period();
	return byte_draw_next(&thread->random, thread->period);
}

static uint64_t sampled_thread_next(uint64_t left, const void *block, size_t size,
				    const struct sampled_caller *caller)
{
	struct thread_state *thread = &thread_state;
	if (!block)
		return left;
	if (!sampler_is_open())
		return sampler_has_begun() ? THREAD_STATE_NEVER : 0;
	// A child of vfork() must not give its number to the thread that waits for it.
	if (!thread->random && !sampler_is_own_process())
		return left;
	if (!thread->random) {
		sampled_thread_seed(thread);
		thread->number = sampler_number_thread();
		thread->tid = (uint32_t)syscall(SYS_gettid);
		thread->drawn = left = sampled_thread_draw(thread);
	}
	if (size <= left)
		return left - size;
	thread->drawn += size - left;
	sampler_take(block, size, caller);
	uint64_t next = sampled_thread_draw(thread);
	thread->drawn += next;
	return next;
}

void sampled_thread_resume(uint64_t left, const void *block, size_t size,
			   const struct sampled_caller *caller)
{
	int errnum = errno;
	thread_state.left = sampled_thread_next(left, block, size, caller);
	errno = errnum;
}
