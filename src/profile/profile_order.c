// SPDX-License-Identifier: Apache-2.0
// Threads come first: their new numbers decide between samples that are otherwise equal. Texts are
// compared, not the numbers of strings, which depend on who was named first.

#include "profile/profile_order.h"

#include <stdlib.h>
#include <string.h>

struct profile_order_thread {
	const char *name, *process_name;
	struct named_thread thread;
	uint32_t before; // its number so far
};

static int profile_order_compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int profile_order_compare_threads(const void *a, const void *b)
{
	const struct profile_order_thread *one = a, *other = b;
	int order = strcmp(one->name, other->name);
	if (!order)
		order = strcmp(one->process_name, other->process_name);
	if (!order)
		order = profile_order_compare_numbers(one->thread.pid, other->thread.pid);
	return order ? order : profile_order_compare_numbers(one->thread.tid, other->thread.tid);
}

static int profile_order_compare_samples(const void *a, const void *b)
{
	const struct named_sample *one = a, *other = b;
	const uint64_t pairs[][2] = {
		{one->time_ns, other->time_ns},
		{one->event, other->event},
		{one->stack, other->stack},
		{one->thread, other->thread},
		{one->cpu, other->cpu},
		{one->gil, other->gil},
		// What does not fit into one sample is in those of weight 0 that follow it.
		{other->weight, one->weight},
		{other->count, one->count},
	};
	int order = 0;
	for (size_t i = 0; !order && i < sizeof(pairs) / sizeof(*pairs); i++)
		order = profile_order_compare_numbers(pairs[i][0], pairs[i][1]);
	return order;
}

/** @numbers: by the number so far, gets the new one. */
static struct error *profile_order_number_threads(struct named_profile *profile,
						  const struct profile_order_thread *threads,
						  size_t num_threads, uint32_t *numbers)
{
	struct error *err = NULL;
	hash_table_deinit(&profile->thread_index);
	profile->thread_index = (struct hash_table)HASH_TABLE_INIT;
	profile->num_threads = 0;
	for (size_t i = 0; !err && i < num_threads; i++)
		err = named_profile_thread(profile, &threads[i].thread,
					   &numbers[threads[i].before]);
	return err;
}

static struct error *profile_order_threads(struct named_profile *profile)
{
	size_t num_threads = profile->num_threads;
	_cleanup_free_ struct profile_order_thread *threads =
		calloc(num_threads + 1, sizeof(*threads));
	_cleanup_free_ uint32_t *numbers = calloc(num_threads + 1, sizeof(*numbers));
	if (!threads || !numbers)
		return &error_no_memory;
	for (uint32_t i = 0; i < num_threads; i++) {
		const struct named_thread *thread = &profile->threads[i];
		threads[i] = (struct profile_order_thread){
			.name = named_profile_text(profile, thread->name),
			.process_name = named_profile_text(profile, thread->process_name),
			.thread = *thread,
			.before = i,
		};
	}
	qsort(threads, num_threads, sizeof(*threads), profile_order_compare_threads);
	struct error *err = profile_order_number_threads(profile, threads, num_threads, numbers);
	for (size_t i = 0; !err && i < profile->num_samples; i++)
		profile->samples[i].thread = numbers[profile->samples[i].thread];
	return err;
}

struct error *profile_order_apply(struct named_profile *profile)
{
	struct error *err = profile_order_threads(profile);
	if (!err && profile->num_samples)
		qsort(profile->samples, profile->num_samples, sizeof(*profile->samples),
		      profile_order_compare_samples);
	return err;
}
