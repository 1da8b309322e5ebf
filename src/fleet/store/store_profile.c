// SPDX-License-Identifier: Apache-2.0

#include "fleet/store/store_profile.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

void store_profile_deinit(struct store_profile *work)
{
	string_table_deinit(&work->strings);
	free(work->frames);
	free(work->stacks);
	free(work->stack_frames);
	free(work->events);
	free(work->sums);
	*work = (struct store_profile)STORE_PROFILE_INIT;
}

struct error *store_profile_string(struct store_profile *work, const void *text, size_t size,
				   uint32_t *ret)
{
	return string_table_intern_n(&work->strings, size ? text : "", size, ret);
}

struct error *store_profile_frame(struct store_profile *work, const struct store_frame *frame,
				  uint32_t *ret)
{
	struct error *err = array_reserve(&work->frames, &work->cap_frames, work->num_frames + 1);
	if (err)
		return err;
	work->frames[work->num_frames] = *frame;
	*ret = (uint32_t)work->num_frames++;
	return NULL;
}

struct error *store_profile_stack(struct store_profile *work, uint32_t service,
				  struct store_traits traits, const uint32_t *frames, size_t depth,
				  uint32_t *ret)
{
	struct error *err = array_reserve(&work->stacks, &work->cap_stacks, work->num_stacks + 1);
	if (!err)
		err = array_reserve(&work->stack_frames, &work->cap_stack_frames,
				    work->num_stack_frames + depth + 1);
	if (err)
		return err;
	work->stacks[work->num_stacks] =
		(struct store_stack){service, traits, work->num_stack_frames, depth};
	for (size_t i = 0; i < depth; i++)
		work->stack_frames[work->num_stack_frames++] = frames[i];
	*ret = (uint32_t)work->num_stacks++;
	return NULL;
}

struct error *store_profile_event(struct store_profile *work, const struct store_event *event,
				  uint32_t *ret)
{
	for (uint32_t i = 0; i < work->num_events; i++) {
		struct store_event *known = &work->events[i];
		if (known->name != event->name || known->unit != event->unit ||
		    known->model != event->model || known->flags != event->flags)
			continue;
		if (known->period != event->period)
			known->period = 0;
		if (known->frequency != event->frequency)
			known->frequency = 0;
		*ret = i;
		return NULL;
	}
	struct error *err = array_reserve(&work->events, &work->cap_events, work->num_events + 1);
	if (err)
		return err;
	work->events[work->num_events] = *event;
	*ret = (uint32_t)work->num_events++;
	return NULL;
}

struct error *store_profile_sum(struct store_profile *work, const struct store_sum *sum)
{
	struct error *err = array_reserve(&work->sums, &work->cap_sums, work->num_sums + 1);
	if (!err)
		work->sums[work->num_sums++] = *sum;
	return err;
}

void store_profile_language(struct store_profile *work, uint32_t string)
{
	const char *name = string_table_get(&work->strings, string);
	if (language_is_name(name) && strcmp(name, language_unknown.name) != 0 &&
	    (!work->language || strcmp(name, work->language) < 0))
		work->language = name;
}

void store_profile_extend(struct store_profile *work, uint64_t start_ns, uint64_t end_ns)
{
	if (start_ns < work->start_ns)
		work->start_ns = start_ns;
	if (end_ns > work->end_ns)
		work->end_ns = end_ns;
}

struct store_traits store_profile_traits(const struct named_profile *profile,
					 const struct named_sample *sample)
{
	struct store_traits traits = {.gil = sample->gil};
	if (sample->thread < profile->num_threads) {
		const struct named_thread *thread = &profile->threads[sample->thread];
		const char *name = named_profile_text(profile, thread->name);
		// As profile_builder.c names it; numbers alone may only be not known.
		traits.is_idle_task = !thread->pid && !thread->tid &&
				      strncmp(name, "swapper", strlen("swapper")) == 0;
	}
	return traits;
}

uint32_t store_profile_event_flags(const struct named_event *event)
{
	return (event->is_whole ? STORE_EVENT_WHOLE : 0) | (event->is_wait ? STORE_EVENT_WAIT : 0) |
	       (event->is_ahead ? STORE_EVENT_AHEAD : 0) |
	       (event->excludes_idle ? STORE_EVENT_EXCLUDES_IDLE : 0);
}
