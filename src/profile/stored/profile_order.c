// SPDX-License-Identifier: Apache-2.0
// Threads come first: their new numbers decide between samples that are otherwise equal. Texts are
// compared, not the numbers of strings, which depend on who was named first. Then strings get new
// numbers, in the order in which the tables refer to them, and those that nothing refers to go.

#include "profile/stored/profile_order.h"

#include "base/container/array.h"

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
	for (size_t i = 0; !order && i < ARRAY_SIZE(pairs); i++)
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

struct profile_order_strings {
	const struct named_profile *profile;
	struct string_table strings;
	uint32_t *numbers; // by the number so far; 0: not yet, and that of ""
	struct error *err;
};

static void profile_order_strings_deinit(struct profile_order_strings *work)
{
	string_table_deinit(&work->strings);
	free(work->numbers);
	error_destroy(work->err);
}

/** @string: becomes its new number. */
static void profile_order_string(struct profile_order_strings *work, uint32_t *string)
{
	uint32_t *number = &work->numbers[*string];
	const struct string_table *before = &work->profile->strings;
	if (!work->err && *string && !*number)
		work->err = string_table_intern_n(&work->strings, string_table_get(before, *string),
						  string_table_length(before, *string), number);
	*string = *number;
}

static void profile_order_header(struct profile_order_strings *work, struct named_profile *profile)
{
	uint32_t *const strings[] = {
		&profile->command_line, &profile->host,           &profile->system,
		&profile->machine,      &profile->collection.way, &profile->collection.words,
	};
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
		profile_order_string(work, strings[i]);
	for (size_t i = 0; i < profile->num_events; i++) {
		profile_order_string(work, &profile->events[i].name);
		profile_order_string(work, &profile->events[i].unit);
		profile_order_string(work, &profile->events[i].model);
	}
}

static void profile_order_items(struct profile_order_strings *work, struct named_profile *profile)
{
	for (size_t i = 0; i < profile->num_modules; i++) {
		profile_order_string(work, &profile->modules[i].name);
		profile_order_string(work, &profile->modules[i].path);
		profile_order_string(work, &profile->modules[i].build_id);
	}
	for (size_t i = 0; i < profile->num_functions; i++) {
		profile_order_string(work, &profile->functions[i].name);
		profile_order_string(work, &profile->functions[i].linkage_name);
		profile_order_string(work, &profile->functions[i].file);
	}
	for (size_t i = 0; i < profile->num_frames; i++)
		profile_order_string(work, &profile->frames[i].file);
	for (size_t i = 0; i < profile->num_threads; i++) {
		profile_order_string(work, &profile->threads[i].name);
		profile_order_string(work, &profile->threads[i].process_name);
		profile_order_string(work, &profile->threads[i].role.words);
		profile_order_string(work, &profile->threads[i].said_role);
	}
}

/** Each is found by its strings: they are interned again, and keep their numbers. */
#define PROFILE_ORDER_INDEX(profile, kind, intern)                            \
	do {                                                                  \
		size_t num = (profile)->num_##kind##s;                        \
		hash_table_deinit(&(profile)->kind##_index);                  \
		(profile)->kind##_index = (struct hash_table)HASH_TABLE_INIT; \
		(profile)->num_##kind##s = 0;                                 \
		for (size_t i = 0; !err && i < num; i++) {                    \
			struct named_##kind item = (profile)->kind##s[i];     \
			uint32_t number;                                      \
			err = (intern)((profile), &item, &number);            \
		}                                                             \
	} while (0)

static struct error *profile_order_index(struct named_profile *profile)
{
	struct error *err = NULL;
	// Builds of one path keep modules of their own, where they have them.
	PROFILE_ORDER_INDEX(profile, module, named_profile_build);
	PROFILE_ORDER_INDEX(profile, function, named_profile_function);
	PROFILE_ORDER_INDEX(profile, frame, named_profile_frame);
	PROFILE_ORDER_INDEX(profile, thread, named_profile_thread);
	return err;
}

static struct error *profile_order_number_strings(struct named_profile *profile)
{
	uint32_t empty;
	_cleanup_(profile_order_strings_deinit) struct profile_order_strings work = {
		.profile = profile,
		.numbers = calloc(profile->strings.num_entries + 1, sizeof(*work.numbers)),
	};
	if (!work.numbers)
		return &error_no_memory;
	work.err = string_table_intern(&work.strings, "", &empty);
	profile_order_header(&work, profile);
	profile_order_items(&work, profile);
	if (work.err)
		return take_ptr(work.err);
	struct string_table before = profile->strings;
	profile->strings = work.strings;
	work.strings = before;
	return profile_order_index(profile);
}

struct error *profile_order_apply(struct named_profile *profile)
{
	struct error *err = profile_order_threads(profile);
	if (!err && profile->num_samples)
		qsort(profile->samples, profile->num_samples, sizeof(*profile->samples),
		      profile_order_compare_samples);
	return err ? err : profile_order_number_strings(profile);
}
