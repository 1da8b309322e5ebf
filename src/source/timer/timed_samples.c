// SPDX-License-Identifier: Apache-2.0

#include "source/timer/timed_samples.h"

#include <stdlib.h>

// A ring of samples that wait for CPU time, oldest first. timed_samples_take() gives the oldest one
// when it has a weight, so that samples leave in time order; one that got no time for 60 ms had
// only waited for a core, and is dropped. A full ring loses its oldest, and counts it. The stack
// copy of a sample has the sample's index in a second array.

enum {
	MAX_AGE_NS = 60000000, // what has not run for so long only waited for a core
};

struct error *timed_samples_init(struct timed_samples *samples, size_t stack_bytes)
{
	if (!stack_bytes)
		return NULL;
	samples->stacks = malloc(TIMED_SAMPLES_MAX * stack_bytes);
	samples->stack_bytes = stack_bytes;
	return samples->stacks ? NULL : &error_no_memory;
}

void timed_samples_deinit(struct timed_samples *samples)
{
	free(samples->stacks);
	*samples = (struct timed_samples){0};
}

static struct timed_sample *timed_samples_sample_at(struct timed_samples *samples, size_t index)
{
	return &samples->items[(samples->first + index) % TIMED_SAMPLES_MAX];
}

static void drop_oldest(struct timed_samples *samples)
{
	samples->first = (samples->first + 1) % TIMED_SAMPLES_MAX;
	samples->num--;
}

struct timed_sample *timed_samples_add(struct timed_samples *samples,
				       const struct timed_sample *sample)
{
	if (samples->num == TIMED_SAMPLES_MAX) {
		drop_oldest(samples);
		samples->num_lost++;
	}
	struct timed_sample *place = timed_samples_sample_at(samples, samples->num++);
	*place = *sample;
	return place;
}

uint8_t *timed_samples_stack(const struct timed_samples *samples, const struct timed_sample *sample)
{
	if (!samples->stacks)
		return NULL;
	// A sample keeps its place in the ring until it is taken, and so does its stack.
	return samples->stacks + (size_t)(sample - samples->items) * samples->stack_bytes;
}

bool timed_samples_share(struct timed_samples *samples, uint32_t tid, bool in_kernel,
			 uint64_t *time_ns)
{
	struct timed_sample *own[TIMED_SAMPLES_MAX];
	size_t num_own = 0;
	for (size_t i = 0; i < samples->num; i++) {
		struct timed_sample *sample = timed_samples_sample_at(samples, i);
		if (sample->who.tid == tid && sample->state == TIMED_COUNTS &&
		    sample->in_kernel == in_kernel && !sample->weight_ns)
			own[num_own++] = sample;
	}
	// Equal parts: what the thread did between two looks is not known.
	uint64_t part_ns = num_own ? *time_ns / num_own : 0;
	for (size_t i = 0; i < num_own; i++)
		own[i]->weight_ns = part_ns;
	*time_ns -= part_ns * num_own;
	return num_own > 0;
}

void timed_samples_settle(struct timed_samples *samples, uint32_t tid, enum timed_state state)
{
	for (size_t i = 0; i < samples->num; i++) {
		struct timed_sample *sample = timed_samples_sample_at(samples, i);
		if (sample->who.tid == tid && sample->state == TIMED_IN_DOUBT)
			sample->state = state;
	}
}

bool timed_samples_have_older(const struct timed_samples *samples, uint32_t pid, uint64_t time_ns)
{
	for (size_t i = 0; i < samples->num; i++) {
		const struct timed_sample *sample =
			&samples->items[(samples->first + i) % TIMED_SAMPLES_MAX];
		if (sample->who.pid == pid && sample->who.time_ns < time_ns &&
		    sample->state != TIMED_VOID)
			return true;
	}
	return false;
}

bool timed_samples_take(struct timed_samples *samples, uint64_t now_ns, bool is_all,
			const struct timed_sample **ret)
{
	while (samples->num) {
		const struct timed_sample *oldest = timed_samples_sample_at(samples, 0);
		bool is_old = is_all || now_ns - oldest->who.time_ns > MAX_AGE_NS;
		if (!oldest->weight_ns && oldest->state != TIMED_VOID && !is_old)
			return false;
		drop_oldest(samples);
		if (!oldest->weight_ns)
			continue;
		*ret = oldest;
		return true;
	}
	return false;
}
