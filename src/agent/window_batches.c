// SPDX-License-Identifier: Apache-2.0
// Samples are sorted by the number of their service (counting sort), so that each batch has a part
// of one array. A batch's profile is a shallow copy of the window's with that part of the samples,
// as in fleet/recording_windows.c; that of the agent has an array of samples and events of its own.

#include "agent/window_batches.h"

#include "base/container/array.h"
#include "base/text/string_builder.h"
#include "base/thread/thread.h"
#include "profile/stored/own_cost.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_COST_EVENTS = 2 };

void window_batches_deinit(struct window_batches *batches)
{
	for (size_t i = 0; i < batches->num_batches; i++) {
		batches->batches[i].profile = (struct named_profile){0}; // not its own
		fleet_batch_deinit(&batches->batches[i]);
	}
	free(batches->batches);
	free(batches->samples);
	free(batches->events);
	free(batches->own);
	*batches = (struct window_batches){0};
}

/** @first: by service and one more: where its samples begin. */
static void window_batches_sort(struct window_batches *batches, const struct named_profile *profile,
				const struct services *services, size_t *first)
{
	size_t num_services = services_count(services);
	for (size_t i = 0; i < profile->num_samples; i++)
		first[services_of(services, profile->samples[i].thread) + 1]++;
	for (size_t i = 0; i < num_services; i++)
		first[i + 1] += first[i];
	// Backwards, so that first[] is moved to the beginning of each, and order stays.
	for (size_t i = profile->num_samples; i > 0; i--) {
		const struct named_sample *sample = &profile->samples[i - 1];
		uint32_t service = services_of(services, sample->thread);
		batches->samples[--first[service + 1]] = *sample;
	}
	for (size_t i = 0; i < num_services; i++)
		first[i] = first[i + 1];
	first[num_services] = profile->num_samples;
}

static struct error *window_batches_describe(const struct window_request *request,
					     const struct service *service, size_t number,
					     struct fleet_batch *batch)
{
	const struct fleet_label own[] = {
		{(char *)"service.name", service->name},
		{(char *)"container.id", service->container},
		{(char *)"k8s.pod.uid", service->pod},
	};
	_cleanup_(string_builder_deinit) struct string_builder id = STRING_BUILDER_INIT;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < request->num_labels; i++)
		err = fleet_batch_set_label(batch, request->labels[i].key,
					    request->labels[i].value);
	for (size_t i = 0; !err && i < ARRAY_SIZE(own); i++)
		if (*own[i].value)
			err = fleet_batch_set_label(batch, own[i].key, own[i].value);
	string_builder_appendf(&id, "%s-%zu", request->id, number);
	if (err || id.failed)
		return err ? err : &error_no_memory;
	return fleet_batch_set_id(batch, string_builder_peek(&id));
}

/** @ret: in the list, also on failure: its owner is clear. */
static struct error *window_batches_append(struct window_batches *batches,
					   const struct window_request *request,
					   const struct named_profile *profile,
					   const struct service *service)
{
	struct error *err =
		array_reserve(&batches->batches, &batches->cap_batches, batches->num_batches + 1);
	if (err)
		return err;
	struct fleet_batch *batch = &batches->batches[batches->num_batches];
	*batch = (struct fleet_batch){
		.start_ns = request->start_ns,
		.length_ns = request->length_ns,
		.profile = *profile,
	};
	batch->profile.num_lost = 0;
	return window_batches_describe(request, service, batches->num_batches++, batch);
}

static uint64_t window_batches_count(const struct named_sample *samples, size_t num)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < num; i++)
		sum += samples[i].count;
	return sum;
}

/** @samples: of one service. */
static struct error *window_batches_thin(const struct window_request *request,
					 const struct service *service,
					 struct named_sample *samples, size_t *num)
{
	double keep;
	struct error *err = sample_budgets_take(request->budgets, service->name,
						window_batches_count(samples, *num),
						request->steady_ns, request->length_ns, &keep);
	if (err)
		return err;
	if (keep < 1)
		*num = sample_thinning_apply(request->dice, samples, *num, keep);
	if (request->factor > 1)
		sample_thinning_scale(samples, *num, request->factor);
	return NULL;
}

static struct error *window_batches_add(struct window_batches *batches,
					const struct window_request *request,
					const struct named_profile *profile,
					const struct service *service, struct named_sample *samples,
					size_t num)
{
	struct error *err = window_batches_thin(request, service, samples, &num);
	if (!err)
		err = window_batches_append(batches, request, profile, service);
	if (err)
		return err;
	struct fleet_batch *batch = &batches->batches[batches->num_batches - 1];
	batch->profile.samples = samples;
	batch->profile.num_samples = num;
	return NULL;
}

/** A thread and a stack in the profile, for samples that are no samples. */
static struct error *window_batches_mark(struct named_profile *profile, struct named_sample *ret)
{
	struct named_thread thread = {.pid = thread_own_process(), .tid = thread_own_process()};
	uint32_t frame = 0;
	*ret = (struct named_sample){.count = 1, .cpu = NAMED_NONE};
	struct error *err = named_profile_string(profile, SERVICES_AGENT, &thread.name);
	thread.process_name = thread.name;
	if (!err)
		err = named_profile_thread(profile, &thread, &ret->thread);
	if (!err)
		err = named_profile_marker(profile, "[" SERVICES_AGENT "]", &frame);
	return err ? err : stack_table_push(&profile->stacks, STACK_NONE, frame, &ret->stack);
}

/** Strings and frames have to be there before the batches become copies of the profile. */
static struct error *window_batches_prepare_own(struct window_batches *batches,
						const struct window_request *request,
						struct named_profile *profile)
{
	const struct {
		const char *name, *unit;
		uint64_t value;
	} rows[NUM_COST_EVENTS] = {
		{OWN_COST_CPU, "nanoseconds", request->cost.cpu_ns},
		{OWN_COST_MEMORY, "bytes", request->cost.resident_bytes},
	};
	struct named_sample sample;
	batches->events = calloc(profile->num_events + NUM_COST_EVENTS, sizeof(*batches->events));
	batches->own = calloc(profile->num_samples + NUM_COST_EVENTS, sizeof(*batches->own));
	if (!batches->events || !batches->own)
		return &error_no_memory;
	if (profile->num_events)
		memcpy(batches->events, profile->events,
		       profile->num_events * sizeof(*batches->events));
	struct error *err = window_batches_mark(profile, &sample);
	for (size_t i = 0; !err && i < NUM_COST_EVENTS; i++) {
		struct named_event *event = &batches->events[profile->num_events + i];
		*event = (struct named_event){.is_whole = true};
		err = named_profile_string(profile, rows[i].name, &event->name);
		if (!err)
			err = named_profile_string(profile, rows[i].unit, &event->unit);
		sample.event = (uint32_t)(profile->num_events + i);
		sample.weight = rows[i].value;
		batches->own[i] = sample;
	}
	return err;
}

/** @samples: of the agent's own threads. */
static struct error *window_batches_add_own(struct window_batches *batches,
					    const struct window_request *request,
					    const struct named_profile *profile,
					    const struct named_sample *samples, size_t num)
{
	static const struct service own = {(char *)SERVICES_AGENT, (char *)"", (char *)""};
	if (num)
		memcpy(batches->own + NUM_COST_EVENTS, samples, num * sizeof(*samples));
	struct error *err = window_batches_add(batches, request, profile, &own,
					       batches->own + NUM_COST_EVENTS, num);
	if (err)
		return err;
	struct fleet_batch *batch = &batches->batches[batches->num_batches - 1];
	batch->num_dropped = request->num_dropped;
	batch->profile.num_lost = request->num_lost;
	batch->profile.events = batches->events;
	batch->profile.num_events += NUM_COST_EVENTS;
	batch->profile.samples = batches->own;
	batch->profile.num_samples += NUM_COST_EVENTS;
	return NULL;
}

static struct error *window_batches_fill(struct window_batches *batches,
					 const struct window_request *request,
					 struct named_profile *profile, struct services *services)
{
	uint32_t own;
	struct error *err = services_own(services, &own);
	if (!err)
		err = window_batches_prepare_own(batches, request, profile);
	if (err)
		return err;
	size_t num_services = services_count(services);
	_cleanup_free_ size_t *first = calloc(num_services + 1, sizeof(*first));
	batches->samples = calloc(profile->num_samples + 1, sizeof(*batches->samples));
	if (!first || !batches->samples)
		return &error_no_memory;
	window_batches_sort(batches, profile, services, first);
	for (uint32_t i = 0; !err && i < num_services; i++) {
		struct named_sample *samples = batches->samples + first[i];
		size_t num = first[i + 1] - first[i];
		if (i == own)
			err = window_batches_add_own(batches, request, profile, samples, num);
		else if (num)
			err = window_batches_add(batches, request, profile,
						 services_get(services, i), samples, num);
	}
	return err;
}

struct error *window_batches_create(const struct window_request *request,
				    struct named_profile *profile, struct services *services,
				    struct window_batches *ret)
{
	_cleanup_(window_batches_deinit) struct window_batches batches = {0};
	struct error *err = window_batches_fill(&batches, request, profile, services);
	if (err)
		return err;
	*ret = batches;
	batches = (struct window_batches){0};
	return NULL;
}
