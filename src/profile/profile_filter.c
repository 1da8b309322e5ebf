// SPDX-License-Identifier: Apache-2.0

#include "profile/profile_filter.h"

#include "base/text/name_pattern.h"
#include "base/text/number.h"

#include <string.h>

// Criteria with names are decided once per thread and per stack when the filter is made, not per
// sample: a sample is then taken or not by two look-ups in arrays of flags and by comparing numbers
// (profile_filter_takes(), in the header, as it is called for each sample). An array that is not
// needed is NULL and takes all.
//
// A stack is taken if any of its frames has the wanted module and symbol, so that a caller's name
// selects all that it called.

static bool is_tid(const char *text, uint32_t tid)
{
	uint64_t number;
	return number_parse_decimal(text, strlen(text), &number) == NUMBER_OK && number == tid;
}

static bool takes_thread(const struct named_profile *profile,
			 const struct profile_criteria *criteria, const struct named_thread *thread)
{
	if (criteria->pid != NAMED_NONE && thread->pid != criteria->pid)
		return false;
	const char *wanted = criteria->thread;
	// A number may also be a thread's name; both are meant.
	return !wanted || is_tid(wanted, thread->tid) ||
	       strcmp(wanted, named_profile_text(profile, thread->name)) == 0;
}

static bool takes_module(const struct named_profile *profile, const char *pattern, uint32_t index)
{
	if (!pattern)
		return true;
	if (index == NAMED_NONE)
		return false;
	const struct named_module *module = &profile->modules[index];
	return name_pattern_match_glob(pattern, named_profile_text(profile, module->name)) ||
	       name_pattern_match_glob(pattern, named_profile_text(profile, module->path));
}

static bool takes_function(const struct named_profile *profile,
			   const struct profile_criteria *criteria,
			   const struct named_function *function)
{
	const char *name = named_profile_text(profile, function->name);
	if (criteria->symbol && !name_pattern_match_symbol(criteria->symbol, name))
		return false;
	return takes_module(profile, criteria->module, function->module);
}

static bool *profile_filter_create_flags(size_t count)
{
	return calloc(count ? count : 1, sizeof(bool));
}

static struct error *choose_threads(const struct named_profile *profile,
				    const struct profile_criteria *criteria,
				    struct profile_filter *filter)
{
	if (criteria->pid == NAMED_NONE && !criteria->thread)
		return NULL;
	filter->threads = profile_filter_create_flags(profile->num_threads);
	if (!filter->threads)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_threads; i++)
		filter->threads[i] = takes_thread(profile, criteria, &profile->threads[i]);
	return NULL;
}

static struct error *choose_stacks(const struct named_profile *profile,
				   const struct profile_criteria *criteria,
				   struct profile_filter *filter)
{
	if (!criteria->module && !criteria->symbol)
		return NULL;
	_cleanup_free_ bool *functions = profile_filter_create_flags(profile->num_functions);
	filter->stacks = profile_filter_create_flags(profile->stacks.num_nodes);
	if (!functions || !filter->stacks)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_functions; i++)
		functions[i] = takes_function(profile, criteria, &profile->functions[i]);
	// A caller's number is less than that of what it calls.
	for (size_t i = 0; i < profile->stacks.num_nodes; i++) {
		const struct stack_node *node = &profile->stacks.nodes[i];
		bool is_callers = node->parent != STACK_NONE && filter->stacks[node->parent];
		filter->stacks[i] = is_callers || functions[profile->frames[node->frame].function];
	}
	return NULL;
}

struct error *profile_filter_create(const struct named_profile *profile,
				    const struct profile_criteria *criteria,
				    struct profile_filter **ret)
{
	_cleanup_(profile_filter_destroyp) struct profile_filter *filter =
		calloc(1, sizeof(*filter));
	if (!filter)
		return &error_no_memory;
	filter->start_ns = criteria->start_ns;
	filter->end_ns = criteria->end_ns;
	filter->event = criteria->event;
	filter->cpu = criteria->cpu;
	struct error *err = choose_threads(profile, criteria, filter);
	if (!err)
		err = choose_stacks(profile, criteria, filter);
	if (err)
		return err;
	*ret = take_ptr(filter);
	return NULL;
}

void profile_filter_destroy(struct profile_filter *filter)
{
	if (!filter)
		return;
	free(filter->threads);
	free(filter->stacks);
	free(filter);
}

void profile_filter_keep(const struct profile_filter *filter, struct named_profile *profile)
{
	size_t num_kept = 0;
	for (size_t i = 0; i < profile->num_samples; i++) {
		if (profile_filter_takes(filter, &profile->samples[i]))
			profile->samples[num_kept++] = profile->samples[i];
	}
	profile->num_samples = num_kept;
}
