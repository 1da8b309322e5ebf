// SPDX-License-Identifier: Apache-2.0

#include "report/calls/call_places.h"

#include "base/container/array.h"
#include "report/calls/wait_rule.h"
#include "report/calls/waiting_frame.h"

#include <stdlib.h>
#include <string.h>

// A stack of the profile, from its innermost frame: perhaps "[lock ... held by thread 12]", then
// the call (both are of the kernel, call_frames.h), then native and interpreted frames. What a
// futex is for is told by the function of the C library that uses it; of Python, by the one that
// waits for the GIL.

static const struct wait_rule file_rules[] = {
	{"(pipe)", "pipe"},     {"(socket)", "network"},   {"(file)", "disk"},
	{"(device)", "device"}, {"(other)", "other file"},
};

static const struct wait_rule call_rules[] = {
	{"nanosleep", "sleep"},
	{"clock_nanosleep", "sleep"},
	{"pause", "signal"},
	{"rt_sigtimedwait", "signal"},
	{"rt_sigsuspend", "signal"},
	{"poll", "poll"},
	{"ppoll", "poll"},
	{"select", "poll"},
	{"pselect6", "poll"},
	{"epoll_wait", "poll"},
	{"epoll_pwait", "poll"},
	{"epoll_pwait2", "poll"},
	{"wait4", "child"},
	{"waitid", "child"},
	{"vfork", "child"},
	{"io_getevents", "disk"},
	{"sync", "disk"},
	{"syncfs", "disk"},
	{"msync", "disk"},
	{"openat", "disk"},
	{"open", "disk"},
};

static const struct named_function *call_places_function(const struct named_profile *profile,
							 uint32_t stack)
{
	const struct named_frame *frame = &profile->frames[profile->stacks.nodes[stack].frame];
	return &profile->functions[frame->function];
}

static const char *call_places_kind(const struct named_profile *profile, const char *call,
				    const struct named_sample *sample, uint32_t caller)
{
	if (strcmp(call, "futex") == 0)
		return sample->gil == GIL_WAITED ? "GIL"
						 : waiting_frame_futex_kind(profile, caller);
	const char *kind = wait_rule_find(file_rules, ARRAY_SIZE(file_rules), call, true);
	if (!kind)
		kind = wait_rule_find(call_rules, ARRAY_SIZE(call_rules), call, false);
	return kind ? kind : "other";
}

static bool call_places_has(const void *owner, uint32_t index, const void *key)
{
	const struct call_places *places = owner;
	const struct call_place *a = &places->items[index], *b = key;
	return a->call == b->call && a->frame == b->frame && a->other == b->other &&
	       a->thread == b->thread && a->kind == b->kind;
}

static struct error *call_places_find(struct call_places *places, const struct call_place *like,
				      struct call_place **ret)
{
	const uint32_t words[] = {like->call, like->frame, like->other, like->thread};
	uint64_t hash = hash_bytes(words, sizeof(words));
	uint32_t index = hash_table_find(&places->index, hash, call_places_has, places, like);
	if (index != HASH_TABLE_NONE) {
		*ret = &places->items[index];
		return NULL;
	}
	struct error *err =
		array_reserve(&places->items, &places->cap_items, places->num_items + 1);
	if (!err)
		err = hash_table_insert(&places->index, hash, (uint32_t)places->num_items);
	if (err)
		return err;
	*ret = &places->items[places->num_items++];
	**ret = *like;
	return NULL;
}

/** Without a call, it is of no use: a damaged one. */
static bool call_places_read(const struct named_profile *profile, const struct named_sample *sample,
			     struct call_place *ret)
{
	uint32_t stack = sample->stack;
	*ret = (struct call_place){.call = 0};
	while (stack != STACK_NONE) {
		const struct named_function *function = call_places_function(profile, stack);
		if (function->kind != FRAME_KERNEL)
			break;
		if (named_profile_text(profile, function->name)[0] == '[')
			ret->other = function->name;
		else
			ret->call = function->name;
		stack = profile->stacks.nodes[stack].parent;
	}
	if (!ret->call)
		return false;
	ret->frame = waiting_frame_find(profile, stack);
	ret->thread = sample->event == CALL_EVENT_WAKE ? sample->thread : NAMED_NONE;
	ret->kind =
		call_places_kind(profile, named_profile_text(profile, ret->call), sample, stack);
	return true;
}

struct error *call_places_init(struct call_places *places, const struct named_profile *profile)
{
	*places = (struct call_places){.profile = profile};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < profile->num_samples; i++) {
		const struct named_sample *sample = &profile->samples[i];
		struct call_place like, *place;
		if (sample->event >= CALL_NUM_EVENTS || !call_places_read(profile, sample, &like))
			continue;
		err = call_places_find(places, &like, &place);
		if (err)
			break;
		place->weights[sample->event] += sample->weight;
		bool is_wake = sample->event == CALL_EVENT_WAKE;
		if (is_wake || sample->event == CALL_EVENT_COUNT)
			place->num_samples += sample->count;
		if (sample->event == CALL_EVENT_COUNT)
			places->num_samples += sample->count;
	}
	return err;
}

void call_places_deinit(struct call_places *places)
{
	free(places->items);
	hash_table_deinit(&places->index);
	*places = (struct call_places){0};
}

bool call_place_is_of(const struct call_places *places, const struct call_place *place,
		      const char *call)
{
	const char *name = named_profile_text(places->profile, place->call);
	size_t length = strlen(call);
	return strncmp(name, call, length) == 0 && (!name[length] || name[length] == ' ');
}
