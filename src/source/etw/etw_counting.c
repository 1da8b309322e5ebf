// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_counting.h"

#include "base/os/clock.h"
#include "base/os/host.h"

static struct error *etw_counting_check(const struct count_plan *plan)
{
	for (size_t i = 0; i < plan->events->num_items; i++)
		if (plan->events->items[i].modifiers & EVENT_LEVELS)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "source 'etw' cannot count user or kernel code alone"),
				"leave out the modifier of '%s'",
				plan->events->items[i].event->name);
	return NULL;
}

static enum count_unit_kind etw_counting_unit_kind(const struct count_plan *plan)
{
	if (!plan->num_pids)
		return COUNT_UNIT_CORE;
	return plan->per_thread ? COUNT_UNIT_THREAD : COUNT_UNIT_PROCESS;
}

static struct error *etw_counting_add_cores(struct etw_counting *counting)
{
	const struct count_plan *plan = counting->plan;
	size_t num_cores = plan->num_cores ? plan->num_cores : host_read().cpus_online;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < num_cores; i++)
		err = etw_counts_add(&counting->counts,
				     plan->num_cores ? plan->cores[i] : (uint32_t)i);
	return err;
}

/** Processes have counts also if they never run, and cores if nothing runs there. */
struct error *etw_counting_reset(struct etw_counting *counting)
{
	const struct count_plan *plan = counting->plan;
	etw_counts_clear(&counting->counts);
	counting->counted_ns = 0;
	if (counting->counts.unit_kind == COUNT_UNIT_CORE)
		return etw_counting_add_cores(counting);
	struct error *err = NULL;
	for (size_t i = 0; !err && !plan->per_thread && i < plan->num_pids; i++)
		err = etw_counts_add(&counting->counts, plan->pids[i]);
	return err;
}

struct error *etw_counting_open(struct etw_counting *counting, const struct etw_calls *calls,
				const struct etw_sources *sources, const struct count_plan *plan,
				struct etw_notes *notes)
{
	const struct etw_events_request request = {
		.events = plan->events,
		.is_counting = true,
		.notes = notes,
	};
	*counting = (struct etw_counting){
		.calls = calls,
		.plan = plan,
		.counts = {.num_events = plan->events->num_items,
			   .unit_kind = etw_counting_unit_kind(plan)},
	};
	struct error *err = etw_counting_check(plan);
	if (!err)
		err = etw_session_check(calls);
	if (!err)
		err = etw_events_open(calls, sources, &request, &counting->events);
	if (!err)
		err = etw_counting_reset(counting);
	if (err)
		etw_counting_close(counting);
	return err;
}

struct error *etw_counting_start(struct etw_counting *counting)
{
	const struct count_plan *plan = counting->plan;
	const struct etw_targets_request targets = {
		.pids = plan->pids,
		.num_pids = plan->num_pids,
		.inherit = plan->inherit,
		.only_thread = plan->only_thread,
		.left_out_thread = plan->left_out_thread,
		.cores = plan->cores,
		.num_cores = plan->num_cores,
	};
	uint32_t counted[ETW_EVENTS_MAX];
	const struct etw_session_plan session = {
		.counted = counted,
		.num_counted = counting->events.num_items,
	};
	struct etl_events numbers = ETL_EVENTS_INIT;
	numbers.num_counters = (uint32_t)session.num_counted;
	numbers.counts_idle = counting->counts.unit_kind == COUNT_UNIT_CORE;
	for (size_t i = 0; i < session.num_counted; i++)
		counted[i] = counting->events.items[i].source;
	etw_recording_close(&counting->recording);
	etw_targets_deinit(&counting->targets);
	struct error *err = etw_targets_init(&counting->targets, &targets);
	if (!err)
		err = etw_recording_start(&counting->recording, counting->calls, &session, &numbers,
					  false);
	counting->began_ns = clock_ns(CLOCK_MONOTONIC);
	return err;
}

struct error *etw_counting_stop(struct etw_counting *counting)
{
	struct error *err = etw_recording_stop(&counting->recording);
	counting->counted_ns += clock_ns(CLOCK_MONOTONIC) - counting->began_ns;
	bool more = true;
	while (!err && more) {
		struct record record;
		err = etw_recording_next(&counting->recording, &record, &more);
		if (!err && more)
			err = etw_counts_take(&counting->counts, &counting->targets, &record);
	}
	return err;
}

struct error *etw_counting_read(struct etw_counting *counting, struct source_counts *ret)
{
	return etw_counts_read(&counting->counts, counting->counted_ns, &ret->sets[EVENT_PERF]);
}

void etw_counting_close(struct etw_counting *counting)
{
	etw_recording_close(&counting->recording);
	etw_events_close(&counting->events);
	etw_targets_deinit(&counting->targets);
	etw_counts_deinit(&counting->counts);
	*counting = (struct etw_counting)ETW_COUNTING_INIT;
}
