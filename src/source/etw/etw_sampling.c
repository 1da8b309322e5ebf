// SPDX-License-Identifier: Apache-2.0
// A session records the whole machine, and etw_filter_take() takes what is wanted. What is dropped
// was recorded all the same: that is the price of a session.

#include "source/etw/etw_sampling.h"

#include "base/os/clock.h"
#include "base/os/interrupt.h"

#include <inttypes.h>

// Twice in the time that the follower waits for stacks and for buffers of other CPUs. Each look has
// Windows write all buffers, filled or not.
enum { LOOK_NS = 250000000 };

struct error *etw_sampling_open(struct etw_sampling *sampling, const struct etw_calls *calls,
				const struct etw_sources *sources, const struct sample_plan *plan,
				struct etw_notes *notes)
{
	const struct etw_events_request events = {
		.events = plan->events,
		.kernel = plan->kernel,
		.frequency_hz = plan->frequency_hz,
		.notes = notes,
	};
	const struct etw_targets_request targets = {
		.pids = plan->pids,
		.num_pids = plan->num_pids,
		.inherit = plan->inherit,
		.only_thread = plan->only_thread,
		.left_out_thread = plan->left_out_thread,
		.cores = plan->cores,
		.num_cores = plan->num_cores,
	};
	*sampling = (struct etw_sampling){
		.calls = calls,
		.has_callers = plan->chain != SAMPLE_CHAIN_NONE,
		.kernel = plan->kernel,
		.is_live = plan->is_live,
	};
	if (plan->chain == SAMPLE_CHAIN_LBR)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'etw' cannot record calls by LBR"),
				       "leave out --call-graph: Windows finds callers by itself");
	struct error *err = etw_session_check(calls);
	if (!err)
		err = etw_targets_init(&sampling->targets, &targets);
	if (!err)
		err = etw_events_open(calls, sources, &events, &sampling->events);
	if (err)
		etw_sampling_close(sampling);
	return err;
}

/** The plan's numbers of events. */
static struct etl_events etw_sampling_number(const struct etw_events *events)
{
	struct etl_events ret = ETL_EVENTS_INIT;
	for (size_t i = 0; i < events->num_items; i++) {
		const struct etw_event *event = &events->items[i];
		if (event->is_absences)
			ret.off_cpu = (uint32_t)i;
		else if (event->source == ETW_SOURCE_TIMER)
			ret.clock = (uint32_t)i;
		else
			ret.sources[ret.num_sources++] = (struct etl_source_event){
				.source = event->source,
				.event = (uint32_t)i,
			};
	}
	return ret;
}

struct error *etw_sampling_start(struct etw_sampling *sampling)
{
	const struct etw_events *events = &sampling->events;
	struct etw_sampled sampled[ETW_EVENTS_MAX];
	struct etw_session_plan plan = {
		.sampled = sampled,
		.has_switches = events->has_absences,
		.has_stacks = sampling->has_callers,
	};
	for (size_t i = 0; i < events->num_items; i++)
		if (!events->items[i].is_absences)
			sampled[plan.num_sampled++] = (struct etw_sampled){
				.source = events->items[i].source,
				.interval = events->items[i].interval,
			};
	const struct etl_events numbers = etw_sampling_number(events);
	struct error *err = etw_recording_start(&sampling->recording, sampling->calls, &plan,
						&numbers, sampling->is_live);
	sampling->is_running = !err;
	return err;
}

struct error *etw_sampling_stop(struct etw_sampling *sampling)
{
	sampling->is_running = false;
	struct error *err = etw_recording_stop(&sampling->recording);
	if (!err)
		err = etw_events_unregister(&sampling->events);
	if (err || !sampling->recording.follow)
		return err;
	const struct etl_reader_notes notes = etl_follow_notes(sampling->recording.follow);
	return notes.num_late
		       ? etw_notes_add(sampling->events.notes,
				       "events that Windows wrote late, so that their times are "
				       "those of later ones: %" PRIu64,
				       notes.num_late)
		       : NULL;
}

/** The time until the file is read again, if that is earlier. */
static uint64_t etw_sampling_until_look(const struct etw_sampling *sampling, uint64_t timeout_ns)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t left_ns = sampling->next_look_ns > now_ns ? sampling->next_look_ns - now_ns : 0;
	return left_ns < timeout_ns ? left_ns : timeout_ns;
}

struct error *etw_sampling_wait(struct etw_sampling *sampling, uint64_t timeout_ns, int fd)
{
	enum interrupt_wake wake;
	if (!sampling->is_running || !timeout_ns)
		return NULL;
	if (!sampling->is_live)
		return interrupt_wait(fd, timeout_ns, &wake);
	uint64_t wait_ns = etw_sampling_until_look(sampling, timeout_ns);
	struct error *err = wait_ns ? interrupt_wait(fd, wait_ns, &wake) : NULL;
	if (err || etw_sampling_until_look(sampling, UINT64_MAX))
		return err;
	sampling->next_look_ns = clock_ns(CLOCK_MONOTONIC) + LOOK_NS;
	return etw_recording_take(&sampling->recording);
}

struct error *etw_sampling_next(struct etw_sampling *sampling, struct record *ret, bool *ret_more)
{
	const struct etw_filter filter = {
		.targets = &sampling->targets,
		.events = sampling->events.wanted,
		.num_events = sampling->events.num_items,
		.has_callers = sampling->has_callers,
		.kernel = sampling->kernel,
	};
	for (;;) {
		bool is_wanted;
		struct error *err = etw_recording_next(&sampling->recording, ret, ret_more);
		if (err || !*ret_more)
			return err;
		err = etw_filter_take(&filter, ret, &is_wanted);
		if (err)
			return err;
		if (!is_wanted)
			continue;
		sampling->num_samples += ret->kind == RECORD_SAMPLE;
		return NULL;
	}
}

/** Windows counts lost events of all kinds and processes: more than lost samples. */
struct sample_totals etw_sampling_totals(const struct etw_sampling *sampling)
{
	uint64_t num_lost = etw_recording_num_lost(&sampling->recording);
	return (struct sample_totals){
		.num_generated = sampling->num_samples + num_lost,
		.num_lost = num_lost,
		.has_all_modes = sampling->kernel,
	};
}

void etw_sampling_close(struct etw_sampling *sampling)
{
	etw_recording_close(&sampling->recording);
	etw_events_close(&sampling->events);
	etw_targets_deinit(&sampling->targets);
	*sampling = (struct etw_sampling)ETW_SAMPLING_INIT;
}
