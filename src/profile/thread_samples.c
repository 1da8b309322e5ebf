// SPDX-License-Identifier: Apache-2.0

#include "profile/thread_samples.h"

// A counting sort: samples by thread in linear time, those of a thread in the order of the
// recording. starts[] first has the numbers of samples, then their sums, which are the places of
// the threads in the result.
//
// Three threads with 2, 0 and 1 samples:
//
//	starts, counted   0 0 2 0 1
//	starts, summed    0 0 2 2 3
//	starts, at last   0 2 2 3 3    thread i has samples[starts[i]] to samples[starts[i + 1] - 1]

static bool is_of_event(const struct named_sample *sample, uint32_t event)
{
	return event == NAMED_NONE || sample->event == event;
}

struct error *thread_samples_create(const struct named_profile *profile, uint32_t event,
				    struct thread_samples *ret)
{
	// Two longer than the threads are many: while places are filled, starts[thread + 1] moves
	// from the thread's start to its end.
	_cleanup_free_ size_t *starts = calloc(profile->num_threads + 2, sizeof(*starts));
	_cleanup_free_ size_t *samples = calloc(profile->num_samples + 1, sizeof(*samples));
	if (!starts || !samples)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_samples; i++)
		if (is_of_event(&profile->samples[i], event))
			starts[profile->samples[i].thread + 2]++;
	for (size_t i = 1; i < profile->num_threads + 2; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < profile->num_samples; i++)
		if (is_of_event(&profile->samples[i], event))
			samples[starts[profile->samples[i].thread + 1]++] = i;
	*ret = (struct thread_samples){.starts = take_ptr(starts), .samples = take_ptr(samples)};
	return NULL;
}

void thread_samples_deinit(struct thread_samples *samples)
{
	free(samples->starts);
	free(samples->samples);
	*samples = (struct thread_samples)THREAD_SAMPLES_INIT;
}
