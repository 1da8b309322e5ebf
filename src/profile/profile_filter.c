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

static bool profile_filter_picks_module(const struct profile_criteria *criteria)
{
	return criteria->pick && criteria->pick->module != NAMED_NONE;
}

static bool takes_function(const struct named_profile *profile,
			   const struct profile_criteria *criteria,
			   const struct named_function *function)
{
	const char *name = named_profile_text(profile, function->name);
	if (criteria->symbol && !name_pattern_match_symbol(criteria->symbol, name))
		return false;
	if (profile_filter_picks_module(criteria))
		return function->module == criteria->pick->module;
	if (!criteria->module)
		return true;
	if (function->module == NAMED_NONE)
		return false;
	const struct named_module *module = &profile->modules[function->module];
	return name_pattern_match_glob(criteria->module,
				       named_profile_text(profile, module->name)) ||
	       name_pattern_match_glob(criteria->module, named_profile_text(profile, module->path));
}

static bool *profile_filter_create_flags(size_t count)
{
	return calloc(count ? count : 1, sizeof(bool));
}

static bool is_of_process(const struct named_profile *profile, uint32_t process, size_t thread)
{
	return process == NAMED_NONE ||
	       profile->threads[thread].process_name == profile->threads[process].process_name;
}

static struct error *choose_threads(const struct named_profile *profile,
				    const struct profile_criteria *criteria,
				    struct profile_filter *filter)
{
	const struct profile_pick none = PROFILE_PICK_ALL;
	const struct profile_pick *pick = criteria->pick ? criteria->pick : &none;
	const char *wanted = pick->thread == NAMED_NONE ? criteria->thread : NULL;
	bool is_any = pick->thread == NAMED_NONE && pick->process == NAMED_NONE;
	if (criteria->pid == NAMED_NONE && !wanted && is_any)
		return NULL;
	filter->threads = profile_filter_create_flags(profile->num_threads);
	if (!filter->threads)
		return &error_no_memory;
	// A number may also be a thread's name; both are meant.
	uint64_t tid = 0;
	bool is_tid = wanted && number_parse_decimal(wanted, strlen(wanted), &tid) == NUMBER_OK;
	for (size_t i = 0; i < profile->num_threads; i++) {
		const struct named_thread *thread = &profile->threads[i];
		if (criteria->pid != NAMED_NONE && thread->pid != criteria->pid)
			continue;
		if ((pick->thread != NAMED_NONE && pick->thread != i) ||
		    !is_of_process(profile, pick->process, i))
			continue;
		filter->threads[i] = !wanted || (is_tid && thread->tid == tid) ||
				     strcmp(wanted, named_profile_text(profile, thread->name)) == 0;
	}
	return NULL;
}

static struct error *choose_stacks(const struct named_profile *profile,
				   const struct profile_criteria *criteria,
				   struct profile_filter *filter)
{
	if (!criteria->module && !criteria->symbol && !profile_filter_picks_module(criteria))
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

struct error *profile_filter_keep_role(struct profile_filter *filter,
				       const struct named_profile *profile, uint32_t role)
{
	bool takes_all = !filter->threads;
	if (takes_all)
		filter->threads = profile_filter_create_flags(profile->num_threads);
	if (!filter->threads)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_threads; i++)
		filter->threads[i] =
			(takes_all || filter->threads[i]) && profile->threads[i].role.words == role;
	return NULL;
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
