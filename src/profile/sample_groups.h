/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_SAMPLE_GROUPS_H
#define WPERF_PROFILE_SAMPLE_GROUPS_H

/** The samples of one event, equal ones summed up: for formats that have no time. */

#include "base/error.h"
#include "profile/named_profile.h"

#include <stddef.h>

enum sample_grouping {
	SAMPLE_GROUPS_BY_STACK, /* same thread and stack */
	SAMPLE_GROUPS_BY_NAME,  /* same name of the thread, and same functions on the stack */
};

struct sample_group {
	uint32_t thread, stack; /* of the first one of the group, or equal to it */
	struct named_total total;
};

struct sample_groups {
	struct sample_group *groups; /* in the order of their first samples */
	size_t num_groups, cap_groups;
};

#define SAMPLE_GROUPS_INIT \
	{                  \
	}

/** @event: NAMED_NONE for all. @ret: set only on success. */
struct error *sample_groups_create(const struct named_profile *profile, uint32_t event,
				   enum sample_grouping grouping, struct sample_groups *ret);
void sample_groups_deinit(struct sample_groups *groups);

#endif
