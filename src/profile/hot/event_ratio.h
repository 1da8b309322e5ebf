/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_HOT_EVENT_RATIO_H
#define WPERF_PROFILE_HOT_EVENT_RATIO_H

/**
 * What two events say together: cycles per instruction (CPI), and misses per 1,000 instructions
 * (MPKI), where a profile has samples of both. Events are known by the names of perf and of Arm;
 * both have to count the same code (":u").
 *
 * To add a kind of miss: its name in misses[] of event_ratio.c.
 */

#include "profile/hot/hot_list.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stdint.h>

enum { EVENT_RATIO_MIN_SAMPLES = 20 }; /* of each event: with fewer, chance may double a ratio */

struct event_ratio {
	const char *name, *key; /* "CPI", and in JSON "cpi" */
	double factor;          /* of one weight divided by the other */
	uint32_t instructions;  /* the event that counts them */
};

/** The key of a kind of ratio, if the word is one; else NULL. */
const char *event_ratio_key(const char *word);

/** @return: false: this event of the profile has no ratio. */
bool event_ratio_find(const struct named_profile *profile, uint32_t event, struct event_ratio *ret);

struct ratio {
	bool is_known;           /* else there are too few samples */
	double value, low, high; /* in 95 of 100 such recordings the truth is between these two */
};

struct ratio event_ratio_of(const struct event_ratio *ratio, struct named_total part,
			    struct named_total instructions);

/** The ratios of a hot list. */
struct hot_ratios {
	struct event_ratio ratio;
	struct ratio *values; /* of each entry */
	bool are_known;       /* of one entry at least */
};

/** @instructions: the list of the same key for that event. @ret: set only on success. */
struct error *hot_ratios_create(const struct event_ratio *ratio, const struct hot_list *list,
				const struct hot_list *instructions, enum hot_order order,
				struct hot_ratios *ret);
void hot_ratios_deinit(struct hot_ratios *ratios);

/** The rows of both by their ratios, the largest first; those that are not known come last and keep
 * their order. @list: of these ratios. */
struct error *hot_ratios_sort(struct hot_ratios *ratios, struct hot_list *list);

#endif
