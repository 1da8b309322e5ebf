/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_PROFILE_FILTER_H
#define WPERF_PROFILE_PROFILE_FILTER_H

/**
 * Which samples of a named profile count: those that meet all of the criteria. What depends on
 * names is decided once per thread and per stack, so that a sample costs a few comparisons.
 *
 *	struct profile_criteria criteria = PROFILE_CRITERIA_ALL;
 *	criteria.event = 0;
 *	criteria.symbol = "^pthread_";
 *	err = profile_filter_create(profile, &criteria, &filter);
 */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stdint.h>

/** What was picked from hot lists (hot_list.h), by the item of a row; NAMED_NONE: any. */
struct profile_pick {
	uint32_t thread;
	uint32_t process; /* any thread of it: all processes of that name */
	uint32_t module;
};

#define PROFILE_PICK_ALL                                                           \
	{                                                                          \
		.thread = NAMED_NONE, .process = NAMED_NONE, .module = NAMED_NONE, \
	}

struct profile_criteria {
	uint64_t start_ns, end_ns; /* start <= time < end, on the samples' clock */
	uint32_t event, pid, cpu;  /* NAMED_NONE: any */
	const char *thread;        /* its tid, or its name; NULL: any */
	const char *module;        /* pattern (glob) of a module's name or path; NULL: any */
	const char *symbol;        /* pattern (--symbol) of a function's name; NULL: any */
	/** Its thread and module are in the place of those above. NULL: any. */
	const struct profile_pick *pick;
};

/** A stack has the module, or the symbol, if one of its frames has; with both, one has both. */
#define PROFILE_CRITERIA_ALL                                                                     \
	{                                                                                        \
		.end_ns = UINT64_MAX, .event = NAMED_NONE, .pid = NAMED_NONE, .cpu = NAMED_NONE, \
	}

struct profile_filter {
	uint64_t start_ns, end_ns;
	uint32_t event, cpu;
	bool *threads; /* of each: does it count? NULL: all do */
	bool *stacks;  /* as threads */
};

/** Good for the profile as it is: threads and stacks that come later need a new filter. */
struct error *profile_filter_create(const struct named_profile *profile,
				    const struct profile_criteria *criteria,
				    struct profile_filter **ret);
void profile_filter_destroy(struct profile_filter *filter);

static inline void profile_filter_destroyp(struct profile_filter **filter)
{
	profile_filter_destroy(*filter);
}

/** @filter: NULL takes every sample. */
static inline bool profile_filter_takes(const struct profile_filter *filter,
					const struct named_sample *sample)
{
	if (!filter)
		return true;
	if (filter->event != NAMED_NONE && sample->event != filter->event)
		return false;
	if (sample->time_ns < filter->start_ns || sample->time_ns >= filter->end_ns)
		return false;
	if (filter->cpu != NAMED_NONE && sample->cpu != filter->cpu)
		return false;
	if (filter->threads && !filter->threads[sample->thread])
		return false;
	return !filter->stacks || (sample->stack != STACK_NONE && filter->stacks[sample->stack]);
}

/** Narrow it to processes of one role. @role: named_role.words. */
struct error *profile_filter_keep_role(struct profile_filter *filter,
				       const struct named_profile *profile, uint32_t role);

/** Forget the other samples: for what exports a profile whole. The rest stays in its order. */
void profile_filter_keep(const struct profile_filter *filter, struct named_profile *profile);

#endif
