// SPDX-License-Identifier: Apache-2.0

#include "source/sampled_events.h"

#include "catalog/event_spec.h"
#include "record/perf_data/event_attr.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

// What sampling needs from both drivers alike (sampling_client.c, ring_client.c): the events of a
// plan on counters, as PMU_CTL_SAMPLE_SET_SRC takes them, and their description for recordings. The
// free counters are those of QUERY_HW_CFG. Each event keeps the bit of its counter, by which the
// overflow flags of a sample name the event.

enum { MAX_EVENTS = WPERF_COUNTER_MAP_SIZE };

/** What PMU_CTL_SAMPLE_SET_SRC takes. */
struct source_request {
	struct wperf_sample_source head;
	struct wperf_sample_event events[MAX_EVENTS];
};

static struct error *find_interval(const struct event_request *request, uint32_t filter,
				   uint32_t *ret)
{
	uint64_t interval = request->interval ? request->interval : EVENT_DEFAULT_INTERVAL;
	if (interval > UINT32_MAX)
		return error_create(ERROR_USAGE, "event interval: %" PRIu64 " is out of range!",
				    interval);
	// Kernel code is sampled: the driver refuses short intervals there.
	if (filter != WPERF_FILTER_EXCLUDE_EL1 && interval < WPERF_MIN_KERNEL_INTERVAL)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "cannot sample '%s' in the kernel every %" PRIu64 " events",
				     request->event->name, request->interval),
			"the end of an interrupt could make the next one: use a period of at least "
			"%d, or :u",
			WPERF_MIN_KERNEL_INTERVAL);
	*ret = (uint32_t)interval;
	return NULL;
}

/** Counters that are given away, event by event. */
struct placing {
	struct wperf_hw_cfg cfg;
	bool has_cycles;
	unsigned num_on_counters;
};

static struct error *too_many_events(const struct wperf_hw_cfg *cfg)
{
	return error_create(ERROR_USAGE,
			    "number of events requested exceeds the number of free hardware PMU "
			    "counters(%u) out of a total of (%u)",
			    cfg->gpc_num, cfg->total_gpc_num);
}

/** The first cycles have the fixed counter, others the free ones in their order. */
static struct error *place_event(struct placing *placing, const struct event *event,
				 uint32_t *ret_source, uint64_t *ret_overflow)
{
	const struct wperf_hw_cfg *cfg = &placing->cfg;
	// A second one (cycles:u beside cycles:k) takes a counter as others do.
	if (event_is_cycles(event) && !placing->has_cycles) {
		placing->has_cycles = true;
		*ret_source = WPERF_CYCLE_EVENT;
		*ret_overflow = UINT64_C(1) << WPERF_CYCLE_COUNTER;
		return NULL;
	}
	unsigned n = placing->num_on_counters++;
	if (n >= cfg->gpc_num || n >= WPERF_COUNTER_MAP_SIZE ||
	    cfg->counter_idx_map[n] >= WPERF_CYCLE_COUNTER)
		return too_many_events(cfg);
	*ret_source = (uint32_t)event->code;
	*ret_overflow = UINT64_C(1) << cfg->counter_idx_map[n];
	return NULL;
}

static void sampled_events_describe_event(struct sampled_events *sampled, size_t n,
					  const struct event *event,
					  const struct wperf_sample_event *set)
{
	const struct event_attr_raw raw = {
		.code = event->code,
		.period = set->interval,
		.excludes_user = set->filter_bits & WPERF_FILTER_EXCLUDE_EL0,
		.excludes_kernel = set->filter_bits & WPERF_FILTER_EXCLUDE_EL1,
		.clock = CLOCK_MONOTONIC,
	};
	struct perf_data_event *described = &sampled->described[n];
	// Ids of recordings: 0 would be none.
	sampled->ids[n] = n + 1;
	described->name = event->name;
	described->ids = &sampled->ids[n];
	described->num_ids = 1;
	described->attr_size = event_attr_set_raw(described->attr, &raw);
}

static struct error *sampled_events_add(struct sampled_events *sampled,
					const struct sample_plan *plan,
					struct source_request *source)
{
	struct placing placing = {.has_cycles = false};
	struct error *err = driver_client_hardware(sampled->transport, &placing.cfg);
	for (size_t i = 0; !err && i < plan->events->num_items; i++) {
		const struct event_request *request = &plan->events->items[i];
		if (request->event->event_class != EVENT_CORE)
			return error_create(ERROR_USAGE,
					    "cannot sample '%s': it is not an event of a core",
					    request->event->name);
		if (i == MAX_EVENTS)
			return too_many_events(&placing.cfg);
		struct sampled_event *event = &sampled->items[i];
		struct wperf_sample_event *set = &source->events[i];
		set->filter_bits = (uint32_t)driver_client_filter(request, plan->kernel);
		err = find_interval(request, set->filter_bits, &set->interval);
		if (!err)
			err = place_event(&placing, request->event, &set->event_src,
					  &event->overflow);
		event->interval = set->interval;
		sampled_events_describe_event(sampled, i, request->event, set);
		sampled->num_items++;
	}
	return err;
}

struct error *sampled_events_open(struct sampled_events *sampled,
				  const struct driver_transport *transport, unsigned num_cores,
				  const struct sample_plan *plan)
{
	struct source_request source = {.head = {0}};
	*sampled = (struct sampled_events){.transport = transport};
	sampled->num_cores = plan->num_cores ? plan->num_cores : num_cores;
	sampled->cores = calloc(sampled->num_cores, sizeof(*sampled->cores));
	sampled->items = calloc(MAX_EVENTS, sizeof(*sampled->items));
	sampled->described = calloc(MAX_EVENTS, sizeof(*sampled->described));
	sampled->ids = calloc(MAX_EVENTS, sizeof(*sampled->ids));
	struct error *err = NULL;
	if (!sampled->cores || !sampled->items || !sampled->described || !sampled->ids)
		err = &error_no_memory;
	for (size_t i = 0; !err && i < sampled->num_cores; i++)
		sampled->cores[i] = plan->num_cores ? plan->cores[i] : (unsigned)i;
	if (!err)
		err = sampled_events_add(sampled, plan, &source);
	size_t size = sizeof(source.head) + sampled->num_items * sizeof(source.events[0]);
	for (size_t i = 0; !err && i < sampled->num_cores; i++) {
		source.head.core_idx = sampled->cores[i];
		err = driver_client_send(transport, WPERF_PMU_CTL_SAMPLE_SET_SRC,
					 "PMU_CTL_SAMPLE_SET_SRC", &source, size, NULL, 0);
	}
	if (err)
		sampled_events_close(sampled);
	return err;
}

void sampled_events_close(struct sampled_events *sampled)
{
	free(sampled->cores);
	free(sampled->items);
	free(sampled->described);
	free(sampled->ids);
	*sampled = (struct sampled_events)SAMPLED_EVENTS_INIT;
}
