// SPDX-License-Identifier: Apache-2.0

#include "source/probes/value_sampling.h"

#include "base/container/array.h"
#include "catalog/linux/system_event.h"
#include "source/bpf/bpf_values.h"
#include "source/bpf/walker_maps.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_probe.h"
#include "source/perf/perf_sampling.h"
#include "source/probes/probe_reading.h"
#include "source/probes/value_rights.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The plan's events of such probes are opened by perf_sampling.c as events that nothing but a BPF
// program gives samples to (PERF_COUNT_SW_BPF_OUTPUT); so they name the event in a recording, and
// tell of processes. Here each core gets one more of them, into which the program writes whatever
// it sees on that core, and each process gets the probes: one event for each place, at which the
// program runs for all of the process's threads. Probes in the kernel are there once.
//
// The kernel does not put probes into children. The program knows them all the same, as it follows
// forks; where a fork is read from a ring, the child gets its probes. What it has passed until then
// is not seen, but an exec keeps them.

static const struct probe_reading *reading_of(const struct event_request *request)
{
	const struct event *event = request->event;
	return event->event_class == EVENT_PERF ? system_event_of(event)->reading : NULL;
}

/** num_items: there is none. */
static size_t first_reading(const struct event_list *events)
{
	size_t i = 0;
	while (i < events->num_items && !reading_of(&events->items[i]))
		i++;
	return i;
}

bool value_sampling_is_wanted(const struct sample_plan *plan)
{
	return plan->events && first_reading(plan->events) < plan->events->num_items;
}

static struct error *open_value_outputs(struct value_sampling *sampling, struct perf_sampling *perf)
{
	struct error *err = NULL;
	unsigned event = (unsigned)first_reading(sampling->events);
	for (size_t ring = 0; !err && ring < perf->num_rings; ring++) {
		int fd = -1;
		if (perf->rings[ring].is_spe)
			continue;
		err = perf_sampling_open_output(perf, ring, event, 0, &fd);
		if (!err)
			err = bpf_values_set_output(sampling->values, perf->rings[ring].core, fd);
	}
	return err;
}

static void value_target_close(struct value_target *target)
{
	perf_file_close_all(target->fds, target->num_fds);
	free(target->fds);
	*target = (struct value_target){0};
}

/** One event and its link. */
static struct error *value_target_open(struct value_target *target, struct bpf_values *values,
				       const struct perf_probe *probe, uint64_t cookie,
				       bool fetches)
{
	struct error *err = array_reserve(&target->fds, &target->cap_fds, target->num_fds + 2);
	if (!err)
		err = perf_probe_open(probe, &target->fds[target->num_fds]);
	if (err)
		return err;
	int fd = target->fds[target->num_fds++];
	err = bpf_values_attach(values, fd, cookie, fetches, &target->fds[target->num_fds]);
	if (!err)
		target->num_fds++;
	return err;
}

static struct error *probe_place(const struct value_sampling *sampling, uint32_t number,
				 const char *name, const struct probe_reading *reading,
				 struct value_target *target)
{
	const struct perf_probe probe = {
		.event = name,
		.is_everywhere = !target->pid,
		.pid = target->pid,
		.is_kernel = reading->is_kernel,
		.path = reading->path,
		.offset = reading->offset,
		.counter = reading->counter,
		.is_return = reading->is_return,
	};
	const uint64_t cookie =
		value_cookie(number) | walker_probe_cookie(VALUE_COOKIE_ANY_CORE, target->pid);
	struct error *err = value_target_open(target, sampling->values, &probe, cookie, false);
	if (err || !bpf_values_fetches(sampling->values, number))
		return err;
	return value_target_open(target, sampling->values, &probe, cookie, true);
}

/** @wants_kernel: only the probes in the kernel, or only those in files. */
static struct error *probe_places(const struct value_sampling *sampling,
				  struct value_target *target, bool wants_kernel)
{
	uint32_t number = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->events->num_items; i++) {
		const struct event_request *request = &sampling->events->items[i];
		const struct probe_reading *reading = reading_of(request);
		if (!reading)
			continue;
		if (reading->is_kernel == wants_kernel)
			err = probe_place(sampling, number, request->event->name, reading, target);
		number++;
	}
	return err;
}

static struct error *set_probes(struct value_sampling *sampling)
{
	uint32_t number = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->events->num_items; i++) {
		const struct event_request *request = &sampling->events->items[i];
		const struct probe_reading *reading = reading_of(request);
		if (!reading)
			continue;
		struct value_probe probe = reading->values;
		probe.event = (uint16_t)i;
		probe.period = (uint32_t)request->interval;
		err = bpf_values_set_probe(sampling->values, number++, &probe);
	}
	return err;
}

static struct error *value_sampling_add_target(struct value_sampling *sampling, uint32_t pid,
					       bool wants_kernel)
{
	struct value_target target = {.pid = pid};
	struct error *err = array_reserve(&sampling->targets, &sampling->cap_targets,
					  sampling->num_targets + 1);
	// First, as a passage that is missed is better than one that comes twice.
	if (!err && pid)
		err = bpf_values_set_probed(sampling->values, pid, true);
	if (!err)
		err = probe_places(sampling, &target, wants_kernel);
	if (err) {
		error_destroy(bpf_values_set_probed(sampling->values, pid, false));
		value_target_close(&target);
	} else {
		sampling->targets[sampling->num_targets++] = target;
	}
	return err;
}

static struct error *value_sampling_add_targets(struct value_sampling *sampling,
						const struct sample_plan *plan)
{
	struct error *err = value_sampling_add_target(sampling, 0, true);
	if (!err && !plan->num_pids)
		return value_sampling_add_target(sampling, 0, false);
	for (size_t i = 0; !err && i < plan->num_pids; i++) {
		err = bpf_values_add_process(sampling->values, plan->pids[i],
					     plan->enable_on_exec && i == 0);
		if (!err)
			err = value_sampling_add_target(sampling, plan->pids[i], false);
	}
	return err;
}

struct error *value_sampling_open(struct value_sampling *sampling, const struct sample_plan *plan,
				  struct bpf_walker *walker, struct perf_sampling *perf)
{
	sampling->events = plan->events;
	sampling->follows_children = plan->inherit && plan->num_pids;
	const struct value_setting setting = {
		.sees_all = !plan->num_pids,
		.inherits = sampling->follows_children,
		.only_thread = plan->only_thread,
		.left_out_thread = plan->left_out_thread,
	};
	struct error *err =
		value_rights_check(plan->events, plan->pids, plan->num_pids, plan->enable_on_exec);
	if (!err)
		err = bpf_values_create(walker, &setting, &sampling->values);
	if (!err)
		err = set_probes(sampling);
	if (!err)
		err = open_value_outputs(sampling, perf);
	if (!err && plan->raises_limits)
		// A probe is an event and its link, and the same once more to fetch memory.
		perf_file_raise_limit(perf->num_fds + perf->num_outputs +
				      4 * plan->events->num_items * (plan->num_pids + 1) +
				      PERF_FILES_BESIDES);
	return err ? err : value_sampling_add_targets(sampling, plan);
}

void value_sampling_close(struct value_sampling *sampling)
{
	bpf_values_destroy(sampling->values);
	for (size_t i = 0; i < sampling->num_targets; i++)
		value_target_close(&sampling->targets[i]);
	slow_closing_deinit(&sampling->closing);
	free(sampling->targets);
	*sampling = (struct value_sampling)VALUE_SAMPLING_INIT;
}

struct error *value_sampling_start(struct value_sampling *sampling)
{
	return sampling->values ? bpf_values_switch(sampling->values, true) : NULL;
}

struct error *value_sampling_stop(struct value_sampling *sampling)
{
	return sampling->values ? bpf_values_switch(sampling->values, false) : NULL;
}

struct error *value_sampling_switch_event(struct value_sampling *sampling, size_t event, bool is_on)
{
	uint32_t number = 0;
	if (!sampling->values || event >= sampling->events->num_items ||
	    !reading_of(&sampling->events->items[event]))
		return NULL;
	for (size_t i = 0; i < event; i++)
		number += reading_of(&sampling->events->items[i]) != NULL;
	return bpf_values_switch_probe(sampling->values, number, is_on);
}

static struct value_target *value_sampling_find(const struct value_sampling *sampling, uint32_t pid)
{
	for (size_t i = 0; i < sampling->num_targets; i++)
		if (sampling->targets[i].pid == pid)
			return &sampling->targets[i];
	return NULL;
}

static struct error *follow_child(struct value_sampling *sampling, const struct record *record)
{
	if (!sampling->follows_children || record->pid == record->task.parent_pid ||
	    !value_sampling_find(sampling, record->task.parent_pid) ||
	    value_sampling_find(sampling, record->pid))
		return NULL;
	slow_closing_go_on(&sampling->closing);
	struct error *err = value_rights_check_process(record->pid);
	if (!err)
		err = value_sampling_add_target(sampling, record->pid, false);
	if (!err || err == &error_no_memory)
		return err;
	// It has ended, or is another user's now, or there are too many: the run goes on without
	// it.
	sampling->num_unprobed++;
	error_destroy(err);
	return NULL;
}

/** The probe of a process that has ended is closed by nobody else; its number may come again. */
static void forget_child(struct value_sampling *sampling, const struct record *record)
{
	struct value_target *target = value_sampling_find(sampling, record->pid);
	if (record->pid != record->tid || !record->pid || !target)
		return;
	slow_closing_add(&sampling->closing, target->fds, target->num_fds);
	free(target->fds);
	*target = sampling->targets[--sampling->num_targets];
}

static void take_passage(const struct value_sampling *sampling, struct record *record)
{
	struct probe_payload payload;
	if (record->sample.payload_size < sizeof(payload))
		return;
	memcpy(&payload, record->sample.payload, sizeof(payload));
	if (payload.magic != PROBE_PAYLOAD_MAGIC || payload.event >= sampling->events->num_items)
		return;
	const struct event_request *request = &sampling->events->items[payload.event];
	if (!reading_of(request))
		return;
	record->event = payload.event;
	record->sample.period = request->interval;
	record->sample.has_values = true;
	record->raw = NULL; // it has another event's number
}

struct error *value_sampling_take(struct value_sampling *sampling, struct record *record)
{
	if (!sampling->values)
		return NULL;
	if (record->kind == RECORD_SAMPLE && record->event < sampling->events->num_items &&
	    reading_of(&sampling->events->items[record->event]))
		take_passage(sampling, record);
	if (record->kind == RECORD_FORK)
		return follow_child(sampling, record);
	if (record->kind == RECORD_EXIT)
		forget_child(sampling, record);
	return NULL;
}

uint64_t value_sampling_num_lost(const struct value_sampling *sampling)
{
	return sampling->values ? bpf_values_num_lost(sampling->values, VALUE_LOST_BUSY) : 0;
}

const char *value_sampling_note(struct value_sampling *sampling, size_t n)
{
	uint64_t num_undecided =
		sampling->values ? bpf_values_num_lost(sampling->values, VALUE_LOST_CONDITIONS) : 0;
	const struct {
		uint64_t num;
		const char *text;
	} notes[] = {
		{num_undecided,
		 "passages were not sampled: a value of their condition could not be read"},
		{sampling->num_unprobed, "child processes were not probed: they had ended, or are "
					 "not yours, or too many files were open (ulimit -n)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (notes[i].num && n-- == 0) {
			snprintf(sampling->note, sizeof(sampling->note), "%" PRIu64 " %s",
				 notes[i].num, notes[i].text);
			return sampling->note;
		}
	return NULL;
}
