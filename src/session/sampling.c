// SPDX-License-Identifier: Apache-2.0

#include "session/sampling.h"

#include "base/os/clock.h"
#include "process/system/process_list.h"
#include "process/thread/running.h"
#include "process/thread/thread_activity.h"
#include "session/process_events.h"

#include <stdlib.h>

// sampling_begin() starts: delay, what runs already, the source, the command. The order matters: a
// command is released last, so that nothing of it is missed; the lists of running processes come
// after the source was started, so that a process that begins in between is reported by one of
// both, except for sources that sample whole cores, whose small buffers would overflow meanwhile.
//
// sampling_round() is one turn: wait for the source (or the end of the target), read the stacks of
// samples that are new (take_wakeups()), before their threads run on; then changes of processes,
// then the records. Rounds are at most 4 ms apart for a second after a program began
// (`alert_until_ns`), as its interpreter must be known to the source before it runs much, and with
// off-CPU samples, which do not wake wperf. Otherwise the source's wakeups decide.

// A program that has just begun is looked at more often, so that its interpreter is known to the
// source before it has done much.
enum {
	ALERT_NS = 1000000000,
	ALERT_ROUND_NS = 4000000,
	POLL_NS = 4000000,
	// Between two looks at what has been loaded.
	ALERT_LOOK_NS = 2000000,
	LOOK_NS = 10000000,
	LOOK_AT_ALL_NS = 500000000,
	// Between two looks at what interpreters call their threads, which end some time.
	NAMES_NS = 20000000,
};

struct sampling {
	struct source *source;
	struct sample_plan plan;
	struct profile_builder *builder;
	struct recording_file *file; /* or NULL */
	struct recorder *recorder;   /* likewise */
	struct target target;
	struct process_events events; // empty: the source tells of all
	bool lists_first;   // what runs, before it samples: the source has room for little
	bool picks_samples; // of the target, out of those of all
	bool *is_off;       // each event, which is switched off; NULL: none was so far
	uint64_t delay_ns, duration_ns;
	uint64_t alert_until_ns, polled_ns;
	uint64_t began_ns, ended_ns, simulated_ns, drain_ns;
	enum target_end end;
};

static bool sampling_is_simulated(const struct sampling *sampling)
{
	return sampling->source->ops->traits.is_simulated;
}

static uint64_t sampling_now_ns(const struct sampling *sampling)
{
	return sampling_is_simulated(sampling) ? sampling->simulated_ns : clock_ns(CLOCK_MONOTONIC);
}

static struct error *sampling_prepare_command(struct sampling *sampling,
					      const struct sampling_config *config)
{
	struct sample_plan *plan = &sampling->plan;
	struct target *target = &sampling->target;
	const struct target_command command = {
		.words = config->command,
		.sysroot = config->sysroot,
		.source = sampling->source,
		.cores = plan->cores,
		.num_cores = config->is_clock ? 0 : plan->num_cores,
		.output = config->command_output,
		.is_clock = config->is_clock,
	};
	struct error *err = target_spawn(target, &command);
	if (err || config->is_clock)
		return err;
	if (!config->samples_cores)
		plan->num_cores = 0; // it stays on the cores that it was bound to
	plan->pids = &target->child.pid;
	plan->num_pids = 1;
	// With a delay, exec comes too early to begin: sampling_begin() does, after the delay.
	plan->enable_on_exec = sampling->delay_ns == 0;
	return NULL;
}

struct error *sampling_create(struct source *source, const struct sampling_config *config,
			      struct profile_builder *builder, struct sampling **ret)
{
	if (!source->ops->sample)
		return error_create(ERROR_FAILED, "source '%s' cannot sample",
				    source->ops->traits.name);
	_cleanup_(sampling_destroyp) struct sampling *sampling = calloc(1, sizeof(*sampling));
	if (!sampling)
		return &error_no_memory;
	sampling->source = source;
	sampling->plan = config->plan;
	sampling->builder = builder;
	sampling->delay_ns = config->delay_ns;
	sampling->lists_first = config->samples_cores;
	sampling->picks_samples = config->picks_samples;
	sampling->target = (struct target)TARGET_INIT;
	struct error *err = NULL;
	if (!config->command || config->is_clock)
		err = target_watch(&sampling->target, sampling->plan.pids, sampling->plan.num_pids);
	if (!err && config->command)
		err = sampling_prepare_command(sampling, config);
	if (!err)
		err = source->ops->sample->open(source, &sampling->plan);
	if (err)
		return err;
	interpreted_frames_set_source(profile_builder_interpreted(builder), source);
	*ret = take_ptr(sampling);
	return NULL;
}

void sampling_save(struct sampling *sampling, struct recording_file *file)
{
	sampling->file = file;
}

void sampling_record(struct sampling *sampling, struct recorder *recorder)
{
	sampling->recorder = recorder;
}

uint32_t sampling_command_pid(const struct sampling *sampling)
{
	const struct target *target = &sampling->target;
	return target->has_command && !target->is_clock ? target->child.pid : 0;
}

void sampling_destroy(struct sampling *sampling)
{
	if (!sampling)
		return;
	sampling->source->ops->sample->close(sampling->source);
	target_deinit(&sampling->target);
	process_events_deinit(&sampling->events);
	free(sampling->is_off);
	free(sampling);
}

/** Into what is recorded, if anything is. */
static struct error *sampling_keep(struct sampling *sampling, const struct record *record,
				   struct profile_builder_chain chain)
{
	struct error *err =
		sampling->file ? recording_file_add(sampling->file, record, chain) : NULL;
	return err || !sampling->recorder ? err : recorder_add(sampling->recorder, record, chain);
}

static struct error *sampling_map_places(struct sampling *sampling, const struct record *record)
{
	struct error *err =
		sampling->file ? recording_file_map_places(sampling->file, record) : NULL;
	return err || !sampling->recorder ? err : recorder_map_places(sampling->recorder, record);
}

static struct error *sampling_end_round(struct sampling *sampling)
{
	struct error *err =
		sampling->file ? recording_file_round(sampling->file, sampling->builder) : NULL;
	return err || !sampling->recorder ? err
					  : recorder_round(sampling->recorder, sampling->builder,
							   sampling_now_ns(sampling));
}

/** The profile comes before the file, as the file gets the chain that was made for the profile. A
 *  record that shows an interpreter is followed by the map of its places: from the next sample on,
 *  chains may have their addresses. */
static struct error *take_record(struct sampling *sampling, const struct record *record)
{
	struct error *err = profile_builder_add(sampling->builder, record);
	const struct interpreter_change change =
		interpreted_frames_change(profile_builder_interpreted(sampling->builder));
	if (sampling->plan.walks_frames && record->kind == RECORD_COMM && record->comm.is_exec)
		sampling->alert_until_ns = sampling_now_ns(sampling) + ALERT_NS;
	if (!err)
		err = interpreter_change_tell(&change, sampling->source);
	if (err || profile_builder_has_left_out(sampling->builder))
		return err;
	err = sampling_keep(sampling, record, profile_builder_last_chain(sampling->builder));
	if (!err && change.is_changed && change.process)
		err = sampling_map_places(sampling, record);
	return err;
}

/** Names and maps of a process that is no part of the target, but wakes it: in front of the first
 *  sample of it. What it maps later is not known. */
static struct error *sampling_introduce(struct sampling *sampling, const struct record *record)
{
	bool is_wake = sampling->plan.wakers && record->kind == RECORD_SAMPLE &&
		       record->event == sampling->plan.wake_event;
	if (!is_wake || !record->sample.regs_abi || !sampling->plan.num_pids ||
	    process_table_has(profile_builder_processes(sampling->builder), record->pid))
		return NULL;
	_cleanup_(running_destroyp) struct running *running = NULL;
	struct error *err = running_open(&record->pid, 1, &running);
	for (bool more = true; !err && more;) {
		struct record news;
		err = running_next(running, &news, &more);
		news.time_ns = record->time_ns;
		if (!err && more)
			err = take_record(sampling, &news);
	}
	return err;
}

static struct error *take_events(struct sampling *sampling)
{
	struct error *err = NULL;
	for (bool more = true; !err && more;) {
		struct record record;
		err = process_events_next(&sampling->events, &record, &more);
		if (!err && more)
			err = take_record(sampling, &record);
	}
	return err;
}

/** Must process events be found by queries? The kernel reports them on Linux, simulated machines
 *  report their own, and the timer reads them together with the threads. */
static bool needs_events(const struct sampling *sampling)
{
	const struct source_traits *traits = &sampling->source->ops->traits;
	return running_reports_changes && !sampling_is_simulated(sampling) &&
	       !traits->looks_by_time && !traits->tells_processes;
}

/** Names and maps from before the first record, which simulated machines and some sources tell. */
static struct error *open_events(struct sampling *sampling)
{
	if (sampling_is_simulated(sampling) || sampling->source->ops->traits.tells_processes)
		return NULL;
	struct error *err =
		process_events_open(&sampling->events, &sampling->target, sampling->plan.pids,
				    sampling->plan.num_pids, needs_events(sampling));
	return err ? err : take_events(sampling);
}

bool sampling_is_renewable(const struct sampling *sampling)
{
	const struct source_traits *traits = &sampling->source->ops->traits;
	return !sampling_is_simulated(sampling) && !traits->looks_by_time &&
	       !traits->tells_processes && !needs_events(sampling);
}

struct error *sampling_renew(struct sampling *sampling, struct profile_builder *builder)
{
	sampling->builder = builder;
	interpreted_frames_set_source(profile_builder_interpreted(builder), sampling->source);
	process_events_deinit(&sampling->events);
	// All that runs: of the children of a target only the old builder knew.
	struct error *err =
		process_events_open(&sampling->events, &sampling->target, NULL, 0, false);
	return err ? err : take_events(sampling);
}

static bool is_alert(const struct sampling *sampling)
{
	return sampling_now_ns(sampling) < sampling->alert_until_ns;
}

/** Processes, names and maps since then, where nobody else tells: before the samples of these. */
static struct error *look_for_events(struct sampling *sampling)
{
	if (!sampling->events.is_watched)
		return NULL;
	uint64_t pause_ns = !sampling->plan.num_pids ? LOOK_AT_ALL_NS
			    : is_alert(sampling)     ? ALERT_LOOK_NS
						     : LOOK_NS;
	bool has_begun;
	struct error *err = process_events_look(&sampling->events, pause_ns, &has_begun);
	if (!err && has_begun)
		sampling->alert_until_ns = sampling_now_ns(sampling) + ALERT_NS;
	return err ? err : take_events(sampling);
}

/** Neither a sample nor a switch was recorded when it fell asleep. Both are made up here, so that
 *  its time counts from now on. The stack can be read at leisure (`is_asleep`). */
static struct error *take_sleeper(struct sampling *sampling, uint32_t pid, uint32_t tid)
{
	struct record record = {
		.kind = RECORD_SAMPLE,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = tid,
		.time_ns = sampling_now_ns(sampling),
		.cpu = UINT32_MAX,
		.event = (uint32_t)sampling->plan.events->num_items - 1,
		.sample = {.period = 1, .is_asleep = true},
	};
	struct error *err = take_record(sampling, &record);
	if (err)
		return err;
	record.kind = RECORD_SWITCH;
	record.change = (struct record_switch){.is_out = true};
	return take_record(sampling, &record);
}

static bool sampling_wants_thread(const struct sampling *sampling, uint32_t tid)
{
	const struct sample_plan *plan = &sampling->plan;
	return plan->only_thread ? tid == plan->only_thread : tid != plan->left_out_thread;
}

/** Threads that have left their core before the first record. */
static struct error *take_sleepers(struct sampling *sampling, uint32_t pid)
{
	_cleanup_free_ uint32_t *tids = NULL;
	size_t num_tids = 0;
	struct error *err = process_list_threads(pid, &tids, &num_tids);
	if (err && err->code != ERROR_NO_MEMORY) { // it is over
		error_destroy(err);
		return NULL;
	}
	for (size_t i = 0; !err && i < num_tids; i++) {
		if (!sampling_wants_thread(sampling, tids[i]))
			continue;
		enum thread_state state = thread_activity_read(pid, tids[i]).state;
		if (state == THREAD_SLEEPS || state == THREAD_WAITS_FOR_DISK)
			err = take_sleeper(sampling, pid, tids[i]);
	}
	return err;
}

/** Before all else, as their threads go on running. */
static struct error *take_wakeups(struct sampling *sampling)
{
	const struct source_ops *ops = sampling->source->ops;
	struct sample_wakeup wakeup;
	struct error *err = NULL;
	for (size_t i = 0; !err && ops->sample->wakeup(sampling->source, i, &wakeup); i++)
		err = interpreted_frames_wakeup(profile_builder_interpreted(sampling->builder),
						&wakeup);
	interpreted_frames_end_wakeups(profile_builder_interpreted(sampling->builder));
	return err;
}

/** After the samples, which must not wait for it. */
static struct error *take_names(struct sampling *sampling)
{
	struct error *err = NULL;
	for (bool more = true; !err && more;) {
		struct record record;
		err = profile_builder_next_name(sampling->builder, sampling_now_ns(sampling),
						&record, &more);
		if (!err && more)
			err = take_record(sampling, &record);
	}
	return err;
}

/** Behind the events of the plan is that of SPE, if there is one. */
static size_t num_planned(const struct sampling *sampling)
{
	return sampling->plan.events->num_items + (sampling->plan.spe != NULL);
}

static bool sampling_is_wanted(const struct sampling *sampling, const struct record *record)
{
	bool is_of_plan = record->event < num_planned(sampling);
	if (record->kind == RECORD_SAMPLE && sampling->is_off && is_of_plan &&
	    sampling->is_off[record->event])
		return false;
	return !sampling->picks_samples || record->kind != RECORD_SAMPLE ||
	       process_events_is_ours(&sampling->events, record->pid, record->time_ns);
}

static struct error *take_round(struct sampling *sampling)
{
	const struct source_ops *ops = sampling->source->ops;
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC);
	struct error *err = NULL;
	bool more = true;
	while (!err && more) {
		struct record record;
		err = ops->sample->next(sampling->source, &record, &more);
		if (!err && more && sampling_is_wanted(sampling, &record))
			err = sampling_introduce(sampling, &record);
		if (!err && more && sampling_is_wanted(sampling, &record))
			err = take_record(sampling, &record);
	}
	if (!err)
		err = sampling_end_round(sampling);
	sampling->drain_ns += clock_ns(CLOCK_MONOTONIC) - began_ns;
	return err;
}

struct error *sampling_begin(struct sampling *sampling, uint64_t duration_ns)
{
	const struct source_ops *ops = sampling->source->ops;
	if (sampling_is_simulated(sampling) && duration_ns == SAMPLING_FOREVER)
		return error_with_hint(error_create(ERROR_USAGE,
						    "sampling on a simulated machine needs an end"),
				       "set the duration with --timeout");
	sampling->duration_ns = duration_ns;
	sampling->end = TARGET_TIME_UP;
	struct error *err = NULL;
	// The command runs during the delay, and nothing is sampled yet.
	if (sampling->delay_ns)
		err = target_release(&sampling->target);
	if (!err && sampling->delay_ns)
		err = target_wait(&sampling->target, sampling->delay_ns, &sampling->end);
	if (!err && sampling->lists_first)
		err = open_events(sampling);
	if (!err)
		err = ops->sample->start(sampling->source);
	sampling->began_ns = sampling_now_ns(sampling);
	if (sampling->plan.walks_frames || needs_events(sampling))
		sampling->alert_until_ns = sampling->began_ns + ALERT_NS;
	if (!err && !sampling->lists_first)
		err = open_events(sampling);
	// With enable_on_exec the only process is a command that has not begun.
	const struct sample_plan *plan = &sampling->plan;
	bool may_sleep = plan->off_cpu && ops->sample->tells_switches && !plan->enable_on_exec;
	for (size_t i = 0; !err && may_sleep && i < plan->num_pids; i++)
		err = take_sleepers(sampling, plan->pids[i]);
	return err ? err : target_release(&sampling->target);
}

/** Has it ended? Where samples wake us there are thousands of rounds a second. */
static struct error *poll_target(struct sampling *sampling)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	if (sampling->end != TARGET_TIME_UP || sampling_is_simulated(sampling) ||
	    (sampling->plan.wakes && now - sampling->polled_ns < POLL_NS))
		return NULL;
	sampling->polled_ns = now;
	return target_poll(&sampling->target, &sampling->end);
}

static uint64_t sampling_time_left(const struct sampling *sampling)
{
	if (sampling->duration_ns == SAMPLING_FOREVER)
		return UINT64_MAX;
	uint64_t elapsed = sampling_now_ns(sampling) - sampling->began_ns;
	return elapsed < sampling->duration_ns ? sampling->duration_ns - elapsed : 0;
}

/** So that what begins, loads or leaves its core is seen before it is over. */
static uint64_t longest_wait(const struct sampling *sampling)
{
	const struct sample_plan *plan = &sampling->plan;
	// Threads that leave their core wake nobody, as that would have others leave theirs.
	if ((plan->off_cpu && plan->wakes) || is_alert(sampling))
		return ALERT_ROUND_NS;
	if (needs_events(sampling) && plan->num_pids)
		return LOOK_NS;
	return profile_builder_interpreted(sampling->builder) ? NAMES_NS : UINT64_MAX;
}

struct error *sampling_round(struct sampling *sampling, uint64_t at_most_ns, bool *ret_over)
{
	uint64_t left = sampling_time_left(sampling), longest_ns = longest_wait(sampling);
	uint64_t wait_ns = left < at_most_ns ? left : at_most_ns;
	if (wait_ns > longest_ns)
		wait_ns = longest_ns;
	struct error *err =
		sampling->source->ops->sample->wait(sampling->source, wait_ns, sampling->target.fd);
	// Simulated time passes as fast as it is asked for; the real clock is not read then.
	sampling->simulated_ns += wait_ns;
	if (!err && sampling->plan.wakes)
		err = take_wakeups(sampling);
	if (!err)
		err = look_for_events(sampling);
	if (!err)
		err = take_round(sampling);
	if (!err)
		err = take_names(sampling);
	if (!err)
		err = poll_target(sampling);
	*ret_over = sampling->end != TARGET_TIME_UP || sampling_time_left(sampling) == 0;
	return err;
}

/** @event: of the plan, or SAMPLING_ALL_EVENTS. */
static struct error *sampling_tell(struct sampling *sampling, size_t event, bool is_on)
{
	const struct sample_ops *ops = sampling->source->ops->sample;
	struct error *err = NULL;
	for (size_t i = 0; !err && ops->switch_event && i < num_planned(sampling); i++)
		if (event == SAMPLING_ALL_EVENTS || event == i)
			err = ops->switch_event(sampling->source, i, is_on);
	return err;
}

struct error *sampling_pause(struct sampling *sampling, bool is_paused)
{
	return sampling_tell(sampling, SAMPLING_ALL_EVENTS, !is_paused);
}

struct error *sampling_switch(struct sampling *sampling, size_t event, bool is_on)
{
	size_t num_events = num_planned(sampling);
	if (!sampling->is_off)
		sampling->is_off = calloc(num_events + 1, sizeof(*sampling->is_off));
	if (!sampling->is_off)
		return &error_no_memory;
	// What was sampled before this moment, as it was wanted then.
	struct error *err = is_on ? NULL : sampling_tell(sampling, event, false);
	if (!err)
		err = sampling->source->ops->sample->wait(sampling->source, 0, -1);
	if (!err)
		err = take_round(sampling);
	for (size_t i = 0; i < num_events; i++)
		if (event == SAMPLING_ALL_EVENTS || event == i)
			sampling->is_off[i] = !is_on;
	return err || !is_on ? err : sampling_tell(sampling, event, true);
}

const struct event_list *sampling_events(const struct sampling *sampling)
{
	return sampling->plan.events;
}

const struct perf_data_event *sampling_file_events(const struct sampling *sampling)
{
	const struct sample_ops *ops = sampling->source->ops->sample;
	size_t num_events;
	return ops->events ? ops->events(sampling->source, &num_events) : NULL;
}

struct error *sampling_mark_moment(struct sampling *sampling)
{
	const struct record moment = {.kind = RECORD_MOMENT, .time_ns = sampling_now_ns(sampling)};
	struct error *err = sampling->source->ops->sample->mark_moment(sampling->source);
	if (!err)
		err = take_round(sampling);
	return err ? err : profile_builder_add(sampling->builder, &moment);
}

/** What the profile has counted only now, once it is certain that it was not freed. */
static struct error *sampling_save_live(struct sampling *sampling)
{
	const struct live_sample *live;
	struct error *err = NULL;
	for (size_t i = 0;
	     !err && sampling->file && (live = profile_builder_next_live(sampling->builder, &i));) {
		const struct record record = {
			.kind = RECORD_SAMPLE,
			.mode = RECORD_MODE_USER,
			.pid = live->pid,
			.tid = live->tid,
			.time_ns = sampling->ended_ns,
			.cpu = UINT32_MAX,
			.event = live->sample.event,
			.sample = {.ip = live->ip, .period = live->sample.weight},
		};
		const struct profile_builder_chain chain = {
			.words = live->words,
			.length = live->num_words,
			.is_interpreted = live->is_interpreted,
			.gil = live->sample.gil,
		};
		err = recording_file_add(sampling->file, &record, chain);
	}
	return err;
}

struct error *sampling_finish(struct sampling *sampling)
{
	const struct source_ops *ops = sampling->source->ops;
	interpreted_frames_end_wakeups(profile_builder_interpreted(sampling->builder));
	struct error *err =
		sampling->end == TARGET_ENDED ? target_collect(&sampling->target) : NULL;
	sampling->ended_ns = sampling_now_ns(sampling);
	if (!err)
		err = ops->sample->stop(sampling->source);
	// A last round without waiting, for what the buffers still have.
	if (!err)
		err = ops->sample->wait(sampling->source, 0, -1);
	if (!err)
		err = look_for_events(sampling);
	if (!err)
		err = take_round(sampling);
	interpreted_frames_end_names(profile_builder_interpreted(sampling->builder));
	if (!err)
		err = take_names(sampling);
	if (!err)
		err = sampling_save_live(sampling);
	if (!err && sampling->recorder)
		err = recorder_finish(sampling->recorder, sampling->builder, sampling->ended_ns);
	return err ? err : profile_builder_end(sampling->builder, sampling->ended_ns);
}

struct sampling_state sampling_state(const struct sampling *sampling)
{
	uint64_t until_ns = sampling->ended_ns ? sampling->ended_ns : sampling_now_ns(sampling);
	const struct target_command_end command = target_command_end(&sampling->target);
	struct sample_totals totals = sampling->source->ops->sample->totals(sampling->source);
	// Clocks include what is excluded from samples. The command's user time is known at its
	// end.
	bool is_known = command.has_ended && !sampling->target.is_clock && !sampling->delay_ns;
	if (totals.is_time && totals.is_user_code && is_known)
		totals.num_counted = command.user_ns;
	return (struct sampling_state){
		.elapsed_ns = until_ns - sampling->began_ns,
		.drain_ns = sampling->drain_ns,
		.totals = totals,
		.end = sampling->end,
		.command = command,
	};
}
