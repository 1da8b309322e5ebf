/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_MEMBER_H
#define WPERF_FLEET_OTLP_OTLP_MEMBER_H

/**
 * Members of an event and of a profile that travel as attributes, since OTLP has no field for
 * them: one table for both directions.
 */

#include "fleet/otlp/otlp_key.h"

#include <stdint.h>

enum otlp_member_type {
	OTLP_MEMBER_TEXT,   /* a string of the profile, uint32_t */
	OTLP_MEMBER_NUMBER, /* uint64_t */
	OTLP_MEMBER_FLAG,   /* bool */
};

struct otlp_member {
	enum otlp_key key;
	enum otlp_member_type type;
	size_t offset;
};

struct otlp_members {
	const struct otlp_member *members;
	size_t num_members;
};

/** Of struct named_event. */
extern const struct otlp_members otlp_event_members;
/** Of struct named_profile. */
extern const struct otlp_members otlp_profile_members;

/** NULL: none of these. */
const struct otlp_member *otlp_members_find(const struct otlp_members *members, enum otlp_key key);

/** @owner: the struct. A flag is 0 or 1, a text the number of a string. */
uint64_t otlp_member_get(const struct otlp_member *member, const void *owner);
void otlp_member_set(const struct otlp_member *member, void *owner, uint64_t value);

#endif
