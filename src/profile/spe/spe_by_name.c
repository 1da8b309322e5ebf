// SPDX-License-Identifier: Apache-2.0

#include "profile/spe/spe_by_name.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "record/spe/spe_source_name.h"

#include <stdlib.h>

// WindowsPerf shows SPE samples as events with names made of the operation and its events. The view
// shares all tables with the profile except events and samples, which are made from the groups:
// events in the order of the first group that has them, one sample per group.
//
// An event of the view, as WindowsPerf names it, with one sample per group:
//
//	LOAD_STORE_ATOMIC-STORE-GP/retired+level1-data-cache-access+tlb_access

/** The events of the view; key 0 is none of SPE's, as its names differ in what is above. */
struct naming {
	struct named_profile *profile;
	struct named_profile *view;
	uint32_t *keys; /* of each event of the view */
	size_t cap_keys;
	uint32_t *events; /* of each event of the profile: that of the view, or NAMED_NONE */
};

static void naming_deinit(struct naming *naming)
{
	free(naming->keys);
	free(naming->events);
}

static struct error *spe_by_name_add_event(struct naming *naming, const struct named_event *event,
					   uint32_t key, uint32_t *ret)
{
	struct error *err = named_profile_event(naming->view, event, ret);
	if (!err)
		err = array_reserve(&naming->keys, &naming->cap_keys, naming->view->num_events);
	if (!err)
		naming->keys[*ret] = key;
	return err;
}

static struct error *keep_others(struct naming *naming)
{
	const struct named_profile *profile = naming->profile;
	naming->events = calloc(profile->num_events + 1, sizeof(*naming->events));
	struct error *err = naming->events ? NULL : &error_no_memory;
	for (uint32_t i = 0; !err && i < profile->num_events; i++) {
		naming->events[i] = NAMED_NONE;
		if (!named_profile_is_of_spe(profile, i))
			err = spe_by_name_add_event(naming, &profile->events[i], 0,
						    &naming->events[i]);
	}
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		struct named_sample sample = profile->samples[i];
		sample.event = naming->events[sample.event];
		if (sample.event != NAMED_NONE)
			err = named_profile_add(naming->view, &sample);
	}
	return err;
}

/** @first: of the view's events of SPE. */
static struct error *spe_by_name_find_event(struct naming *naming, size_t first, uint32_t key,
					    uint32_t *ret)
{
	for (size_t i = first; i < naming->view->num_events; i++) {
		if (naming->keys[i] != key)
			continue;
		*ret = (uint32_t)i;
		return NULL;
	}
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	spe_source_name_append(&name, key);
	if (name.failed)
		return &error_no_memory;
	struct named_event event = {0};
	struct error *err =
		named_profile_string(naming->profile, string_builder_peek(&name), &event.name);
	if (!err)
		err = named_profile_string(naming->profile, "events", &event.unit);
	return err ? err : spe_by_name_add_event(naming, &event, key, ret);
}

// A sample's count has 32 bits.
static struct error *spe_by_name_add_group(struct naming *naming, const struct spe_group *group,
					   uint32_t event)
{
	struct error *err = NULL;
	for (uint64_t left = group->count; !err && left;) {
		uint32_t count = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
		const struct named_sample sample = {
			.weight = count,
			.count = count,
			.stack = group->stack,
			.thread = group->thread,
			.event = event,
			.cpu = NAMED_NONE,
		};
		err = named_profile_add(naming->view, &sample);
		left -= count;
	}
	return err;
}

struct error *spe_by_name_create(struct named_profile *profile, struct named_profile *ret)
{
	_cleanup_(spe_by_name_deinit) struct named_profile view = {0};
	_cleanup_(naming_deinit) struct naming naming = {.profile = profile, .view = &view};
	struct error *err = keep_others(&naming);
	size_t first_of_spe = view.num_events;
	for (size_t i = 0; !err && i < profile->spe->sums.num_groups; i++) {
		const struct spe_group *group = &profile->spe->sums.groups[i];
		uint32_t event;
		err = spe_by_name_find_event(&naming, first_of_spe, spe_group_name_key(group),
					     &event);
		if (!err)
			err = spe_by_name_add_group(&naming, group, event);
	}
	if (err)
		return err;
	// Strings that were added for names are in the profile itself. The view borrows everything
	// but events and samples, so that spe_by_name_deinit() frees only these.
	*ret = *profile;
	ret->events = take_ptr(view.events);
	ret->samples = take_ptr(view.samples);
	ret->num_events = view.num_events;
	ret->cap_events = view.cap_events;
	ret->num_samples = view.num_samples;
	ret->cap_samples = view.cap_samples;
	return NULL;
}

void spe_by_name_deinit(struct named_profile *view)
{
	free(view->events);
	free(view->samples);
	*view = (struct named_profile){0};
}
