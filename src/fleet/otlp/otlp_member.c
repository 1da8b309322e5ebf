// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_member.h"

#include "base/container/array.h"
#include "profile/named_profile.h"

#include <string.h>

#define EVENT(member)   offsetof(struct named_event, member)
#define PROFILE(member) offsetof(struct named_profile, member)

static const struct otlp_member event_members[] = {
	{OTLP_KEY_PERIOD, OTLP_MEMBER_NUMBER, EVENT(period)},
	{OTLP_KEY_FREQUENCY, OTLP_MEMBER_NUMBER, EVENT(frequency)},
	{OTLP_KEY_UNIT, OTLP_MEMBER_TEXT, EVENT(unit)},
	{OTLP_KEY_MODEL, OTLP_MEMBER_TEXT, EVENT(model)},
	{OTLP_KEY_WHOLE, OTLP_MEMBER_FLAG, EVENT(is_whole)},
	{OTLP_KEY_WAIT, OTLP_MEMBER_FLAG, EVENT(is_wait)},
	{OTLP_KEY_AHEAD, OTLP_MEMBER_FLAG, EVENT(is_ahead)},
	{OTLP_KEY_EXCLUDES_IDLE, OTLP_MEMBER_FLAG, EVENT(excludes_idle)},
	{OTLP_KEY_IDLE_SAMPLES, OTLP_MEMBER_NUMBER, EVENT(idle.count)},
	{OTLP_KEY_IDLE, OTLP_MEMBER_NUMBER, EVENT(idle.weight)},
	{OTLP_KEY_WITH_IDLE_SAMPLES, OTLP_MEMBER_NUMBER, EVENT(with_idle.count)},
	{OTLP_KEY_WITH_IDLE, OTLP_MEMBER_NUMBER, EVENT(with_idle.weight)},
};

static const struct otlp_member profile_members[] = {
	{OTLP_KEY_COMMAND, OTLP_MEMBER_TEXT, PROFILE(command_line)},
	{OTLP_KEY_HOST, OTLP_MEMBER_TEXT, PROFILE(host)},
	{OTLP_KEY_SYSTEM, OTLP_MEMBER_TEXT, PROFILE(system)},
	{OTLP_KEY_MACHINE, OTLP_MEMBER_TEXT, PROFILE(machine)},
	{OTLP_KEY_START, OTLP_MEMBER_NUMBER, PROFILE(start_time_ns)},
	{OTLP_KEY_START_WALL, OTLP_MEMBER_NUMBER, PROFILE(start_wall_ns)},
	{OTLP_KEY_DURATION, OTLP_MEMBER_NUMBER, PROFILE(duration_ns)},
	{OTLP_KEY_LOST, OTLP_MEMBER_NUMBER, PROFILE(num_lost)},
	{OTLP_KEY_ANONYMOUS, OTLP_MEMBER_FLAG, PROFILE(is_anonymous)},
	{OTLP_KEY_COLLECTION, OTLP_MEMBER_TEXT, PROFILE(collection.way)},
	{OTLP_KEY_COLLECTION_WORDS, OTLP_MEMBER_TEXT, PROFILE(collection.words)},
	{OTLP_KEY_COLLECTION_SAMPLES, OTLP_MEMBER_NUMBER, PROFILE(collection.num_samples)},
	{OTLP_KEY_COLLECTION_WITHOUT, OTLP_MEMBER_NUMBER, PROFILE(collection.num_without)},
	{OTLP_KEY_MEAN_SKEW, OTLP_MEMBER_NUMBER, PROFILE(collection.mean_skew_ns)},
	{OTLP_KEY_MAX_SKEW, OTLP_MEMBER_NUMBER, PROFILE(collection.max_skew_ns)},
};

const struct otlp_members otlp_event_members = {event_members, ARRAY_SIZE(event_members)};
const struct otlp_members otlp_profile_members = {profile_members, ARRAY_SIZE(profile_members)};

const struct otlp_member *otlp_members_find(const struct otlp_members *members, enum otlp_key key)
{
	for (size_t i = 0; i < members->num_members; i++)
		if (members->members[i].key == key)
			return &members->members[i];
	return NULL;
}

uint64_t otlp_member_get(const struct otlp_member *member, const void *owner)
{
	const char *place = (const char *)owner + member->offset;
	uint64_t number = 0;
	uint32_t string = 0;
	bool flag = false;
	switch (member->type) {
	case OTLP_MEMBER_TEXT:
		memcpy(&string, place, sizeof(string));
		return string;
	case OTLP_MEMBER_NUMBER:
		memcpy(&number, place, sizeof(number));
		return number;
	case OTLP_MEMBER_FLAG:
		memcpy(&flag, place, sizeof(flag));
		return flag;
	}
	return 0;
}

void otlp_member_set(const struct otlp_member *member, void *owner, uint64_t value)
{
	char *place = (char *)owner + member->offset;
	uint32_t string = (uint32_t)value;
	bool flag = value != 0;
	switch (member->type) {
	case OTLP_MEMBER_TEXT:
		memcpy(place, &string, sizeof(string));
		break;
	case OTLP_MEMBER_NUMBER:
		memcpy(place, &value, sizeof(value));
		break;
	case OTLP_MEMBER_FLAG:
		memcpy(place, &flag, sizeof(flag));
		break;
	}
}
