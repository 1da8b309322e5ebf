// SPDX-License-Identifier: Apache-2.0

#include "source/sampling_client.h"

#include "base/array.h"
#include "catalog/event_spec.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MAX_EVENTS = WPERF_COUNTER_MAP_SIZE };

/** What PMU_CTL_SAMPLE_SET_SRC takes. */
struct source_request {
	struct wperf_sample_source head;
	struct wperf_sample_event events[MAX_EVENTS];
};

static struct error *interval_too_short(const struct event_request *request)
{
	return error_with_hint(
		error_create(ERROR_USAGE,
			     "event '%s' cannot be sampled in the kernel every %" PRIu64 " events",
			     request->event->name, request->interval),
		"the interrupt would interrupt itself: take %d at least, or :u",
		WPERF_MIN_KERNEL_INTERVAL);
}

static struct error *find_interval(const struct event_request *request, uint32_t filter,
				   uint32_t *ret)
{
	uint64_t interval = request->interval ? request->interval : EVENT_DEFAULT_INTERVAL;
	if (interval > UINT32_MAX)
		return error_create(ERROR_USAGE, "event interval: %" PRIu64 " is out of range!",
				    interval);
	if (filter != WPERF_FILTER_EXCLUDE_EL1 && interval < WPERF_MIN_KERNEL_INTERVAL)
		return interval_too_short(request);
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

static struct error *add_event(struct sampling_client *sampling, struct placing *placing,
			       const struct event_request *request, bool kernel,
			       struct source_request *source)
{
	if (request->event->event_class != EVENT_CORE)
		return error_create(ERROR_USAGE,
				    "event '%s' is none of the cores: it cannot be sampled",
				    request->event->name);
	if (sampling->num_events == MAX_EVENTS)
		return too_many_events(&placing->cfg);
	struct sampling_event *event = &sampling->events[sampling->num_events];
	struct wperf_sample_event *set = &source->events[sampling->num_events];
	set->filter_bits = (uint32_t)driver_client_filter(request, kernel);
	struct error *err = find_interval(request, set->filter_bits, &set->interval);
	if (!err)
		err = place_event(placing, request->event, &set->event_src, &event->overflow);
	event->interval = set->interval;
	sampling->num_events++;
	return err;
}

static struct error *add_events(struct sampling_client *sampling, const struct sample_plan *plan,
				struct source_request *source)
{
	uint32_t any = 0;
	struct placing placing = {.has_cycles = false};
	struct error *err = driver_client_send(sampling->transport, WPERF_PMU_CTL_QUERY_HW_CFG,
					       "PMU_CTL_QUERY_HW_CFG", &any, sizeof(any),
					       &placing.cfg, sizeof(placing.cfg));
	for (size_t i = 0; !err && i < plan->events->num_items; i++)
		err = add_event(sampling, &placing, &plan->events->items[i], plan->kernel, source);
	return err;
}

static struct error *copy_cores(struct sampling_client *sampling, unsigned num_cores,
				const struct sample_plan *plan)
{
	sampling->num_cores = plan->num_cores ? plan->num_cores : num_cores;
	sampling->cores = calloc(sampling->num_cores, sizeof(*sampling->cores));
	sampling->events = calloc(MAX_EVENTS, sizeof(*sampling->events));
	if (!sampling->cores || !sampling->events)
		return &error_no_memory;
	for (size_t i = 0; i < sampling->num_cores; i++)
		sampling->cores[i] = plan->num_cores ? plan->cores[i] : (unsigned)i;
	return NULL;
}

static struct error *set_source(const struct sampling_client *sampling,
				struct source_request *source, unsigned core)
{
	source->head.core_idx = core;
	return driver_client_send(
		sampling->transport, WPERF_PMU_CTL_SAMPLE_SET_SRC, "PMU_CTL_SAMPLE_SET_SRC", source,
		sizeof(source->head) + sampling->num_events * sizeof(source->events[0]), NULL, 0);
}

struct error *sampling_client_open(struct sampling_client *sampling,
				   const struct driver_transport *transport, unsigned num_cores,
				   uint32_t pid, const struct sample_plan *plan)
{
	struct source_request source = {.head = {0}};
	*sampling = (struct sampling_client){
		.transport = transport,
		.pid = pid,
		.wants_chain = plan->chain != SAMPLE_CHAIN_NONE,
	};
	struct error *err = copy_cores(sampling, num_cores, plan);
	if (!err)
		err = add_events(sampling, plan, &source);
	for (size_t i = 0; !err && i < sampling->num_cores; i++)
		err = set_source(sampling, &source, sampling->cores[i]);
	if (err)
		sampling_client_close(sampling);
	return err;
}

static struct wperf_control control_of(unsigned core)
{
	return (struct wperf_control){
		.cores_count = 1,
		.cores_no = {(uint8_t)core},
		.flags = WPERF_CONTROL_CORE,
	};
}

static struct error *stop_core(const struct sampling_client *sampling, unsigned core,
			       struct wperf_sample_summary *ret)
{
	struct wperf_control control = control_of(core);
	return driver_client_send(sampling->transport, WPERF_PMU_CTL_SAMPLE_STOP,
				  "PMU_CTL_SAMPLE_STOP", &control, sizeof(control), ret,
				  sizeof(*ret));
}

void sampling_client_close(struct sampling_client *sampling)
{
	for (size_t i = 0; i < sampling->num_running; i++) {
		struct wperf_sample_summary summary;
		error_destroy(stop_core(sampling, sampling->cores[i], &summary));
	}
	free(sampling->cores);
	free(sampling->events);
	free(sampling->items);
	*sampling = (struct sampling_client)SAMPLING_CLIENT_INIT;
}

struct error *sampling_client_start(struct sampling_client *sampling)
{
	while (sampling->num_running < sampling->num_cores) {
		struct wperf_control control = control_of(sampling->cores[sampling->num_running]);
		struct error *err =
			driver_client_send(sampling->transport, WPERF_PMU_CTL_SAMPLE_START,
					   "PMU_CTL_SAMPLE_START", &control, sizeof(control), NULL,
					   0);
		if (err)
			return err;
		sampling->num_running++;
	}
	return NULL;
}

/** From the bytes of the driver: `size` is not to be trusted. */
static struct error *append_samples(struct sampling_client *sampling, unsigned core,
				    uint64_t time_ns, const struct wperf_samples *samples)
{
	if (samples->size > WPERF_MAX_SAMPLES)
		return error_create(ERROR_FAILED,
				    "PMU_CTL_SAMPLE_GET answered nonsense: %" PRIu32 " samples",
				    samples->size);
	struct error *err = array_reserve(&sampling->items, &sampling->cap_items,
					  sampling->num_items + samples->size);
	if (err)
		return err;
	for (uint32_t i = 0; i < samples->size; i++)
		sampling->items[sampling->num_items++] =
			(struct sampling_item){samples->samples[i], time_ns, core};
	return NULL;
}

static struct error *get_samples(struct sampling_client *sampling, unsigned core, uint64_t time_ns,
				 unsigned *ret_num)
{
	uint32_t core_idx = core;
	struct wperf_samples samples;
	struct error *err = driver_client_send(sampling->transport, WPERF_PMU_CTL_SAMPLE_GET,
					       "PMU_CTL_SAMPLE_GET", &core_idx, sizeof(core_idx),
					       &samples, sizeof(samples));
	if (!err)
		err = append_samples(sampling, core, time_ns, &samples);
	if (!err)
		*ret_num = samples.size;
	return err;
}

/** What has become records is not needed any more. */
static void forget_given(struct sampling_client *sampling)
{
	if (sampling->next_item < sampling->num_items)
		return;
	sampling->num_items = 0;
	sampling->next_item = 0;
}

struct error *sampling_client_poll(struct sampling_client *sampling, uint64_t time_ns,
				   unsigned *ret_most)
{
	unsigned most = 0;
	forget_given(sampling);
	for (size_t i = 0; i < sampling->num_cores; i++) {
		unsigned num = 0;
		struct error *err = get_samples(sampling, sampling->cores[i], time_ns, &num);
		if (err)
			return err;
		sampling->totals.num_generated += num;
		most = num > most ? num : most;
	}
	*ret_most = most;
	return NULL;
}

struct error *sampling_client_stop(struct sampling_client *sampling, uint64_t time_ns)
{
	struct sample_totals totals = {0};
	for (size_t i = 0; i < sampling->num_cores; i++) {
		struct wperf_sample_summary summary;
		struct error *err = stop_core(sampling, sampling->cores[i], &summary);
		if (err)
			return err;
		totals.num_generated += summary.sample_generated;
		totals.num_lost += summary.sample_dropped;
	}
	sampling->num_running = 0;
	unsigned most;
	struct error *err = sampling_client_poll(sampling, time_ns, &most);
	if (!err)
		sampling->totals = totals;
	return err;
}

// Addresses of the kernel are the upper half of all.
static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

static void fill_record(struct sampling_client *sampling, const struct sampling_item *item,
			size_t event, struct record *ret)
{
	sampling->chain[0] = item->sample.pc;
	sampling->chain[1] = item->sample.lr;
	*ret = (struct record){
		.kind = RECORD_SAMPLE,
		.mode = is_kernel(item->sample.pc) ? RECORD_MODE_KERNEL : RECORD_MODE_USER,
		.pid = sampling->pid,
		.tid = sampling->pid,
		.time_ns = item->time_ns,
		.cpu = item->core,
		.event = (uint32_t)event,
		.sample =
			{
				.ip = item->sample.pc,
				.period = sampling->events[event].interval,
				.chain = sampling->wants_chain ? sampling->chain : NULL,
				.chain_length = sampling->wants_chain ? SAMPLING_CHAIN_LENGTH : 0,
			},
	};
}

bool sampling_client_next(struct sampling_client *sampling, struct record *ret)
{
	while (sampling->next_item < sampling->num_items) {
		const struct sampling_item *item = &sampling->items[sampling->next_item];
		while (sampling->next_event < sampling->num_events) {
			size_t event = sampling->next_event++;
			if (!(item->sample.ov_flags & sampling->events[event].overflow))
				continue;
			fill_record(sampling, item, event, ret);
			return true;
		}
		sampling->next_event = 0;
		sampling->next_item++;
	}
	return false;
}
