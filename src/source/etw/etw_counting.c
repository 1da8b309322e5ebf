// SPDX-License-Identifier: Apache-2.0

#include "source/etw/etw_counting.h"

#include "base/os/clock.h"

static struct error *etw_counting_check(const struct count_plan *plan)
{
	if (!plan->num_pids)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'etw' counts processes only"),
				       "give a command, or processes with -p");
	if (plan->num_cores)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'etw' cannot count single cores"),
				       "leave out -c");
	if (!plan->kernel)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'etw' counts user and kernel code "
						    "together"),
				       "add -k");
	for (size_t i = 0; i < plan->events->num_items; i++)
		if (plan->events->items[i].modifiers & EVENT_LEVELS)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "source 'etw' cannot count user or kernel code alone"),
				"leave out the modifier of '%s'",
				plan->events->items[i].event->name);
	return NULL;
}

/** Processes have counts also if they never run. */
struct error *etw_counting_reset(struct etw_counting *counting)
{
	const struct count_plan *plan = counting->plan;
	struct error *err = NULL;
	etw_counts_clear(&counting->counts);
	counting->counted_ns = 0;
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
		.counts = {.num_events = plan->events->num_items, .per_thread = plan->per_thread},
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
	};
	uint32_t counted[ETW_EVENTS_MAX];
	const struct etw_session_plan session = {
		.counted = counted,
		.num_counted = counting->events.num_items,
	};
	struct etl_events numbers = ETL_EVENTS_INIT;
	numbers.num_counters = (uint32_t)session.num_counted;
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
