// SPDX-License-Identifier: Apache-2.0

#include "session/counting.h"

#include "base/os/clock.h"
#include "session/control/control_channel.h"

#include <stdlib.h>

// counting_begin(), counting_wait() until over, counting_finish(): once per interval or repetition.
// A source that can be read while it counts goes on between two counts of the same run
// (`counts_on`), so that nothing is missed; keep_new() then subtracts what all counts before had.
// Otherwise the source is stopped, read and reset.
//
// Events are switched on and off for three reasons: at the ends of a count; after a delay; and by
// commands of another program (--control). `is_counting` is the first, `is_off` the other two:
// events are on if a count runs that is not off. A count goes on, with its time, while it is off.
//
// Simulated machines have no clock of their own. If the run has an end, its time passes at once
// (is_instant()); an endless one follows the wall clock in steps of at most 100 ms, so that Ctrl-C
// works as usual.

enum { CATCH_UP_NS = 100000000 }; // how far simulated time may be behind

struct counting {
	struct source *source;
	struct count_plan plan;
	struct target target;
	uint64_t simulated_ns; /* time of a source that passes it at our word */
	bool is_endless;
	uint64_t passed_ns; /* of an endless run: the real time up to which it was passed */
	uint64_t duration_ns;
	uint64_t began_ns, began_epoch_ns, ended_ns;
	enum target_end end;
	uint64_t delay_ns;               /* before the first count; then 0 */
	struct control_channel *control; /* or NULL */
	bool (*list_events)(void *context, const struct control_command *command);
	void *list_context;
	bool has_switched_groups; /* single ones: they may be off while others are on */
	bool counts_on, is_counting;
	bool is_off;
	bool was_on;                 /* during this count, if only for a moment */
	struct source_counts before; /* with counts_on: all that was counted before this count */
};

void counting_result_deinit(struct counting_result *result)
{
	source_counts_deinit(&result->counts);
}

static bool counting_is_simulated(const struct counting *counting)
{
	return counting->source->ops->traits.is_simulated;
}

/** Simulated time passes at once where a run has an end, as real time does where it has none. */
static bool is_instant(const struct counting *counting)
{
	return counting_is_simulated(counting) && !counting->is_endless;
}

static uint64_t counting_now_ns(const struct counting *counting)
{
	return counting_is_simulated(counting) ? counting->simulated_ns : clock_ns(CLOCK_MONOTONIC);
}

/** The command waits before its first instruction until the first count begins. */
static struct error *counting_prepare_command(struct counting *counting,
					      const struct counting_config *config)
{
	struct count_plan *plan = &counting->plan;
	struct target *target = &counting->target;
	const struct target_command command = {
		.words = config->command,
		.sysroot = config->sysroot,
		.source = counting->source,
		.cores = plan->cores,
		.num_cores = config->is_clock ? 0 : plan->num_cores,
		.output = config->command_output,
		.is_clock = config->is_clock,
	};
	struct error *err = target_spawn(target, &command);
	if (err || config->is_clock)
		return err;
	// It stays on the cores it was bound to, so counting the process is counting there.
	if (!config->counts_cores)
		plan->num_cores = 0;
	plan->pids = &target->child.pid;
	plan->num_pids = 1;
	plan->enable_on_exec = !config->delay_ns;
	return NULL;
}

struct error *counting_create(struct source *source, const struct counting_config *config,
			      struct counting **ret)
{
	if (!source->ops->count)
		return error_with_hint(error_create(ERROR_FAILED, "source '%s' cannot count events",
						    source->ops->traits.name),
				       "use --source perf");
	_cleanup_(counting_destroyp) struct counting *counting = calloc(1, sizeof(*counting));
	if (!counting)
		return &error_no_memory;
	counting->source = source;
	counting->plan = config->plan;
	counting->is_endless = config->is_endless;
	counting->delay_ns = config->delay_ns;
	counting->is_off = config->delay_ns != 0;
	counting->control = config->control;
	counting->list_events = config->list_events;
	counting->list_context = config->list_context;
	counting->counts_on = config->counts_on && source->ops->count->reads_while_counting;
	counting->target = (struct target)TARGET_INIT;
	counting->target.stop = config->stop;
	counting->target.control = config->control;
	struct error *err = NULL;
	if (!config->command || config->is_clock)
		err = target_watch(&counting->target, counting->plan.pids, counting->plan.num_pids);
	if (!err && config->command)
		err = counting_prepare_command(counting, config);
	if (!err)
		err = source->ops->count->open(source, &counting->plan);
	if (err)
		return err;
	*ret = take_ptr(counting);
	return NULL;
}

void counting_destroy(struct counting *counting)
{
	if (!counting)
		return;
	counting->source->ops->count->close(counting->source);
	source_counts_deinit(&counting->before);
	target_deinit(&counting->target);
	free(counting);
}

static void note_begin(struct counting *counting)
{
	counting->began_ns = counting->ended_ns = counting_now_ns(counting);
	counting->began_epoch_ns = is_instant(counting) ? 0 : clock_ns(CLOCK_REALTIME);
	if (counting_is_simulated(counting))
		counting->passed_ns = clock_ns(CLOCK_MONOTONIC);
}

/** From now on, also if no count runs: the next one begins so. */
static struct error *counting_switch(struct counting *counting, bool is_off)
{
	const struct count_ops *ops = counting->source->ops->count;
	bool changes = is_off != counting->is_off && counting->is_counting;
	counting->is_off = is_off;
	counting->was_on |= !is_off;
	if (!changes)
		return NULL;
	return is_off ? ops->stop(counting->source) : ops->start(counting->source);
}

/** All groups; with a @name only those that an event of this name leads. */
static struct error *counting_enable_groups(struct counting *counting, const char *name)
{
	const struct count_ops *ops = counting->source->ops->count;
	const struct event_list *events = counting->plan.events;
	struct error *err = NULL;
	for (size_t i = 0; !err && ops->switch_group && i < events->num_items;
	     i += event_list_group_size(events, i))
		err = ops->switch_group(counting->source, i,
					!name || event_request_is_called(&events->items[i], name));
	return err;
}

/** The next group that an event of this name leads, @first or behind it; num_items: none. */
static size_t counting_find_group(const struct event_list *events, size_t first, const char *name)
{
	size_t place = event_list_find(events, first, name);
	while (place < events->num_items && event_list_leader(events, place) != place)
		place = event_list_find(events, place + 1, name);
	return place;
}

/** @ret_refusal: why it cannot be done; or NULL. */
static struct error *counting_switch_named(struct counting *counting,
					   const struct control_command *command,
					   const char **ret_refusal)
{
	const struct count_ops *ops = counting->source->ops->count;
	const struct event_list *events = counting->plan.events;
	const char *name = control_command_argument(command);
	size_t place = counting_find_group(events, 0, name);
	bool is_on = command->verb == CONTROL_ENABLE;
	*ret_refusal = NULL;
	if (!ops->switch_group)
		*ret_refusal = "this source switches all events together";
	else if (event_list_find(events, 0, name) == events->num_items)
		*ret_refusal = "no such event; evlist prints their names";
	else if (place == events->num_items)
		*ret_refusal = "the event is in a group: name its first event";
	if (*ret_refusal)
		return NULL;
	counting->has_switched_groups = true;
	struct error *err = NULL;
	for (; !err && !counting->is_off && place < events->num_items;
	     place = counting_find_group(events, place + 1, name))
		err = ops->switch_group(counting->source, place, is_on);
	if (err || !counting->is_off || !is_on)
		return err;
	// While all are off, `enable EVENT` means that one alone.
	err = counting_enable_groups(counting, name);
	return err ? err : counting_switch(counting, false);
}

static struct error *counting_obey(struct counting *counting, const struct control_command *command)
{
	bool has_argument = *control_command_argument(command);
	const char *refusal = NULL;
	struct error *err = NULL;
	switch (command->verb) {
	case CONTROL_ENABLE:
	case CONTROL_DISABLE:
		if (has_argument) {
			err = counting_switch_named(counting, command, &refusal);
			break;
		}
		// Groups that nobody enabled must not count for the moment between the two.
		if (command->verb == CONTROL_ENABLE)
			err = counting_enable_groups(counting, NULL);
		if (!err)
			err = counting_switch(counting, command->verb == CONTROL_DISABLE);
		break;
	case CONTROL_EVLIST:
		if (!counting->list_events ||
		    !counting->list_events(counting->list_context, command))
			refusal = "evlist takes -v, -g or -F, or nothing";
		break;
	case CONTROL_PING:
		break;
	case CONTROL_STOP:
		counting->end = TARGET_INTERRUPTED;
		break;
	default:
		refusal = "stat knows enable, disable, evlist, ping and stop";
		break;
	}
	if (refusal)
		control_channel_refuse(counting->control, command, refusal);
	else if (!err)
		control_channel_ack(counting->control);
	return err;
}

/** A wait that carries out what it was woken for; `end` says what else ended it. */
static struct error *counting_wait_target(struct counting *counting, uint64_t timeout_ns)
{
	struct error *err = target_wait(&counting->target, timeout_ns, &counting->end);
	if (err || counting->end != TARGET_COMMANDED)
		return err;
	counting->end = TARGET_TIME_UP;
	bool more = true;
	while (!err && more && counting->end == TARGET_TIME_UP) {
		struct control_command command;
		err = control_channel_next(counting->control, &command, &more);
		if (!err && more)
			err = counting_obey(counting, &command);
	}
	return err;
}

/** The target runs, and nothing is counted yet. A command may end the delay before its time. */
static struct error *counting_run_delay(struct counting *counting)
{
	uint64_t delay_ns = counting->delay_ns;
	counting->delay_ns = 0;
	struct error *err = target_release(&counting->target);
	if (err || delay_ns == COUNTING_DISABLED)
		return err;
	if (is_instant(counting))
		err = counting->source->ops->pass_time(counting->source, delay_ns);
	uint64_t began_ns = clock_ns(CLOCK_MONOTONIC), passed_ns = 0;
	while (!err && !is_instant(counting) && passed_ns < delay_ns && counting->is_off &&
	       counting->end == TARGET_TIME_UP) {
		err = counting_wait_target(counting, delay_ns - passed_ns);
		passed_ns = clock_ns(CLOCK_MONOTONIC) - began_ns;
	}
	// What was ended before its delay was over is not counted.
	counting->is_off = counting->is_off && counting->end != TARGET_TIME_UP;
	return err;
}

struct error *counting_begin(struct counting *counting, uint64_t duration_ns)
{
	const struct source_ops *ops = counting->source->ops;
	bool starts_command = counting->target.has_command && !counting->target.is_released;
	counting->duration_ns = duration_ns;
	counting->end = TARGET_TIME_UP;
	if (counting->is_counting) {
		// Right behind the count before, so that the times of all counts add up.
		counting->began_epoch_ns += counting->ended_ns - counting->began_ns;
		counting->began_ns = counting->ended_ns;
		counting->was_on = !counting->is_off;
		return NULL;
	}
	struct error *err = NULL;
	if (counting->delay_ns) {
		err = counting_run_delay(counting);
		starts_command = false;
	}
	counting->is_counting = true;
	counting->was_on = !counting->is_off;
	// The events of a command were opened just now and begin with its exec (enable_on_exec):
	// they are still 0.
	if (!err && !starts_command)
		err = ops->count->reset(counting->source);
	if (!err && !counting->is_off)
		err = ops->count->start(counting->source);
	note_begin(counting);
	return err ? err : target_release(&counting->target);
}

static uint64_t counting_time_left(const struct counting *counting)
{
	if (counting->duration_ns == COUNTING_FOREVER)
		return UINT64_MAX;
	uint64_t elapsed = counting_now_ns(counting) - counting->began_ns;
	return elapsed < counting->duration_ns ? counting->duration_ns - elapsed : 0;
}

static struct error *counting_pass_time(struct counting *counting, uint64_t duration_ns)
{
	counting->simulated_ns += duration_ns;
	return counting->source->ops->pass_time(counting->source, duration_ns);
}

/** Let the simulated machine catch up with the clock on the wall. */
static struct error *catch_up(struct counting *counting)
{
	if (!counting_is_simulated(counting) || is_instant(counting))
		return NULL;
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	uint64_t behind = now - counting->passed_ns, left = counting_time_left(counting);
	counting->passed_ns = now;
	return counting_pass_time(counting, behind < left ? behind : left);
}

struct error *counting_wait(struct counting *counting, uint64_t at_most_ns, bool *ret_over)
{
	*ret_over = is_instant(counting);
	if (is_instant(counting)) {
		// The caller may have asked before.
		struct error *err = counting->target.stop
					    ? target_poll(&counting->target, &counting->end)
					    : NULL;
		return err || counting->end == TARGET_INTERRUPTED
			       ? err
			       : counting_pass_time(counting, counting_time_left(counting));
	}
	// A command may have said so during the delay.
	if (counting->end == TARGET_INTERRUPTED) {
		*ret_over = true;
		return NULL;
	}
	uint64_t step_ns = counting_time_left(counting);
	if (counting_is_simulated(counting) && step_ns > CATCH_UP_NS)
		step_ns = CATCH_UP_NS;
	if (step_ns > at_most_ns)
		step_ns = at_most_ns;
	struct error *err = counting_wait_target(counting, step_ns);
	if (!err)
		err = catch_up(counting);
	*ret_over = counting->end != TARGET_TIME_UP || counting_time_left(counting) == 0;
	return err;
}

/** Of all that was counted so far, what this count adds. */
static struct error *keep_new(struct counting *counting, struct source_counts *all)
{
	for (size_t i = 0; i < NUM_EVENT_CLASSES; i++) {
		struct count_set *set = &all->sets[i], *before = &counting->before.sets[i];
		_cleanup_(count_set_deinit) struct count_set copy = COUNT_SET_INIT;
		struct error *err = count_set_copy(set, &copy);
		if (err)
			return err;
		count_set_subtract(set, before);
		count_set_deinit(before);
		*before = copy;
		copy = (struct count_set)COUNT_SET_INIT;
	}
	return NULL;
}

struct error *counting_stop(struct counting *counting)
{
	if (!counting->is_counting)
		return NULL;
	struct error *err =
		counting->is_off ? NULL : counting->source->ops->count->stop(counting->source);
	counting->ended_ns = counting_now_ns(counting);
	counting->is_counting = err != NULL;
	return err;
}

static bool has_time(const struct count_set *set, size_t column)
{
	bool has_time = false;
	for (size_t unit = 0; unit < set->num_units; unit++)
		has_time = has_time || count_set_at(set, unit, column)->total;
	return has_time;
}

/** What nobody switched on had no counter all the time, and did not count 0. */
static void mark_uncounted(const struct counting *counting, struct source_counts *counts)
{
	uint64_t elapsed_ns = counting_elapsed_ns(counting);
	for (size_t i = 0; i < NUM_EVENT_CLASSES; i++) {
		struct count_set *set = &counts->sets[i];
		for (size_t column = 0; column < set->num_columns; column++) {
			if (has_time(set, column))
				continue;
			for (size_t unit = 0; unit < set->num_units; unit++)
				count_set_at(set, unit, column)->total =
					elapsed_ns ? elapsed_ns : 1;
		}
	}
}

struct error *counting_read(struct counting *counting, struct counting_result *ret)
{
	if (counting->is_counting)
		counting->ended_ns = counting_now_ns(counting);
	ret->elapsed_ns = counting->ended_ns - counting->began_ns;
	ret->started_ns = counting->began_epoch_ns;
	ret->began_ns = counting->began_ns;
	ret->end = counting->end;
	struct error *err = counting->source->ops->count->read(counting->source, &ret->counts);
	if (!err && counting->counts_on)
		err = keep_new(counting, &ret->counts);
	if (!err && (!counting->was_on || counting->has_switched_groups))
		mark_uncounted(counting, &ret->counts);
	return err;
}

uint64_t counting_elapsed_ns(const struct counting *counting)
{
	return counting->ended_ns - counting->began_ns;
}

struct error *counting_resume(struct counting *counting)
{
	if (counting->is_counting)
		return NULL;
	counting->is_counting = true;
	// The pause is none of the elapsed time.
	counting->began_ns += counting_now_ns(counting) - counting->ended_ns;
	return counting->is_off ? NULL : counting->source->ops->count->start(counting->source);
}

struct error *counting_finish(struct counting *counting, struct counting_result *ret)
{
	struct error *err = NULL;
	if (counting->end == TARGET_ENDED)
		err = target_collect(&counting->target);
	// After the last count there is no other one to count on for.
	if (!err && !(counting->counts_on && counting->end == TARGET_TIME_UP))
		err = counting_stop(counting);
	return err ? err : counting_read(counting, ret);
}

void counting_limit(struct counting *counting, uint64_t duration_ns)
{
	counting->is_endless = duration_ns == COUNTING_FOREVER;
	counting->duration_ns = COUNTING_FOREVER;
	if (duration_ns)
		counting->duration_ns =
			counting_now_ns(counting) - counting->began_ns + duration_ns;
	counting->passed_ns = clock_ns(CLOCK_MONOTONIC);
	counting->end = TARGET_TIME_UP;
}

enum target_end counting_end(const struct counting *counting)
{
	return counting->end;
}

struct error *counting_pause(struct counting *counting, uint64_t duration_ns, enum target_end *ret)
{
	*ret = TARGET_TIME_UP;
	if (is_instant(counting))
		return counting_pass_time(counting, duration_ns);
	counting->duration_ns = duration_ns ? duration_ns : 1; // 0 would be for ever
	note_begin(counting);
	bool is_over = false;
	struct error *err = NULL;
	while (!err && !is_over)
		err = counting_wait(counting, UINT64_MAX, &is_over);
	*ret = counting->end;
	return err;
}

struct error *counting_collect(struct counting *counting)
{
	return target_collect(&counting->target);
}

struct target_command_end counting_command_end(const struct counting *counting)
{
	return target_command_end(&counting->target);
}
