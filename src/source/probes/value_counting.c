// SPDX-License-Identifier: Apache-2.0

#include "source/probes/value_counting.h"

#include "base/container/array.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"
#include "source/bpf/bpf_values.h"
#include "source/bpf/bpf_walker.h"
#include "source/bpf/walker_maps.h"
#include "source/perf/perf_counting.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_probe.h"
#include "source/probes/probe_reading.h"
#include "source/probes/value_rights.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)VALUE_BUCKETS == (int)NUMBER_SUM_BUCKETS, "the same powers of two");

// Each thread or core has an event of its own for each probe, and the kernel runs the program of
// each of them for whoever passes. The cookie says whose the event is, so that a passage is summed
// up as often as it is counted: once.

static const struct probe_reading *value_counting_reading(const struct event_request *request)
{
	const struct event *event = request->event;
	return event->event_class == EVENT_PERF ? system_event_of(event)->reading : NULL;
}

/** As perf_counting.h has it: NULL after the last. */
static const struct event_request *request_of_column(const struct event_list *events, size_t column)
{
	for (size_t i = 0; i < events->num_items; i++) {
		enum event_class event_class = events->items[i].event->event_class;
		if ((event_class == EVENT_PERF || event_class == EVENT_CORE) && column-- == 0)
			return &events->items[i];
	}
	return NULL;
}

/** @fd: an event; where the program is attached the counting closes its link. */
static struct error *value_counting_link(struct value_counting *values, int fd, uint64_t cookie,
					 bool fetches)
{
	struct error *err = array_reserve(&values->fds, &values->cap_fds, values->num_fds + 1);
	if (!err)
		err = bpf_values_attach(values->values, fd, cookie, fetches,
					&values->fds[values->num_fds]);
	if (!err)
		values->num_fds++;
	return err;
}

static struct error *attach_fetcher(struct value_counting *values, const char *name,
				    const struct probe_reading *reading,
				    const struct perf_target *target, uint64_t cookie)
{
	const struct perf_probe probe = {
		.event = name,
		.is_everywhere = target->thread < 0,
		.pid = target->thread < 0 ? 0 : (uint32_t)target->thread,
		.path = reading->path,
		.offset = reading->offset,
		.counter = reading->counter,
		.is_return = reading->is_return,
	};
	int fd;
	struct error *err = array_reserve(&values->fds, &values->cap_fds, values->num_fds + 1);
	if (!err)
		err = perf_probe_open(&probe, &fd);
	if (err)
		return err;
	values->fds[values->num_fds++] = fd;
	return value_counting_link(values, fd, cookie, true);
}

static struct error *attach_target(struct value_counting *values,
				   const struct perf_counting *counting, size_t place,
				   size_t column, uint32_t number)
{
	const struct event_request *request = request_of_column(values->events, column);
	const struct perf_target *target = &counting->targets.items[place];
	int fd = counting->fds[place * counting->num_columns + column];
	uint32_t core = target->core < 0 ? VALUE_COOKIE_ANY_CORE : (uint32_t)target->core;
	uint32_t thread = target->thread < 0 ? 0 : (uint32_t)target->thread;
	uint64_t cookie = value_cookie(number) | walker_probe_cookie(core, thread);
	if (fd < 0)
		return NULL;
	struct error *err = value_counting_link(values, fd, cookie, false);
	if (err || !bpf_values_fetches(values->values, number))
		return err;
	return attach_fetcher(values, request->event->name, value_counting_reading(request), target,
			      cookie);
}

static struct error *value_counting_attach(struct value_counting *values,
					   const struct perf_counting *counting)
{
	uint32_t number = 0;
	struct error *err = NULL;
	for (size_t column = 0; !err && column < counting->num_columns; column++) {
		const struct event_request *request = request_of_column(values->events, column);
		const struct probe_reading *reading =
			request ? value_counting_reading(request) : NULL;
		if (!reading)
			continue;
		struct value_probe probe = reading->values;
		probe.is_summed = 1;
		err = bpf_values_set_probe(values->values, number, &probe);
		for (size_t i = 0; !err && i < counting->targets.num_items; i++)
			err = attach_target(values, counting, i, column, number);
		number++;
	}
	return err;
}

static bool value_counting_is_wanted(const struct event_list *events)
{
	for (size_t i = 0; i < events->num_items; i++)
		if (value_counting_reading(&events->items[i]))
			return true;
	return false;
}

struct error *value_counting_open(struct value_counting *values, const struct count_plan *plan,
				  const struct perf_counting *counting)
{
	if (!value_counting_is_wanted(plan->events))
		return NULL;
	if (plan->num_cgroups)
		return error_with_hint(error_create(ERROR_USAGE, "values of probes are not read of "
								 "control groups"),
				       "leave out the values, or the control groups");
	values->events = plan->events;
	const struct value_setting setting = {.sees_all = !plan->num_pids};
	struct error *err =
		value_rights_check(plan->events, plan->pids, plan->num_pids, plan->enable_on_exec);
	if (!err)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_VALUES,
					&values->walker);
	if (!err)
		err = bpf_values_create(values->walker, &setting, &values->values);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = bpf_values_add_process(values->values, plan->pids[i],
					     plan->enable_on_exec && i == 0);
	return err ? err : value_counting_attach(values, counting);
}

void value_counting_close(struct value_counting *values)
{
	bpf_values_destroy(values->values);
	perf_file_close_all(values->fds, values->num_fds);
	free(values->fds);
	bpf_walker_destroy(values->walker);
	*values = (struct value_counting)VALUE_COUNTING_INIT;
}

struct error *value_counting_switch(struct value_counting *values, bool is_on)
{
	return values->values ? bpf_values_switch(values->values, is_on) : NULL;
}

struct error *value_counting_switch_group(struct value_counting *values, size_t leader, bool is_on)
{
	if (!values->values)
		return NULL;
	const struct event_list *events = values->events;
	size_t first = (size_t)(request_of_column(events, leader) - events->items);
	size_t end = first + event_list_group_size(events, first);
	uint32_t number = 0;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < end; i++) {
		if (!value_counting_reading(&events->items[i]))
			continue;
		if (i >= first)
			err = bpf_values_switch_probe(values->values, number, is_on);
		number++;
	}
	return err;
}

struct error *value_counting_reset(struct value_counting *values)
{
	return values->values ? bpf_values_reset(values->values) : NULL;
}

static void take_sum(const struct value_sum *sum, bool is_unsigned, struct value_count *count)
{
	count->num_passages = sum->count;
	count->num_unread = sum->num_unread;
	count->sum = (struct number_sum){
		.count = sum->count - sum->num_unread,
		.is_unsigned = is_unsigned,
		.sum_low = sum->sum_low,
		.sum_high = sum->sum_high,
		.least = sum->least,
		.greatest = sum->greatest,
		.num_negative = sum->num_negative,
	};
	memcpy(count->sum.buckets, sum->buckets, sizeof(sum->buckets));
}

static struct error *take_texts(const struct value_counting *values, uint32_t place,
				struct value_count *count)
{
	struct value_string key;
	struct error *err = NULL;
	uint64_t times;
	for (bool is_first = true;
	     !err && bpf_values_next_string(values->values, is_first, &key, &times);
	     is_first = false)
		if (key.place == place)
			err = value_count_add_text(count, key.text, times);
	return err;
}

static struct error *read_probe(const struct value_counting *values, const char *name,
				const struct probe_reading *reading,
				const struct probe_values *words, uint32_t number,
				struct value_counts *counts)
{
	struct error *err = NULL;
	for (uint32_t i = 0; !err && i < reading->values.num_values; i++) {
		struct value_count *count = NULL;
		struct value_sum sum;
		err = value_counts_add(counts, name, words->items[i].label, &count);
		if (!err)
			err = bpf_values_read_sum(values->values, number, i, &sum);
		if (err)
			return err;
		take_sum(&sum, reading->values.is_unsigned >> i & 1, count);
		count->is_string = reading->values.strings >> i & 1;
		if (count->is_string)
			err = take_texts(values, number * PROBE_MAX_VALUES + i, count);
	}
	return err;
}

struct error *value_counting_read(const struct value_counting *values, struct value_counts *ret)
{
	uint32_t number = 0;
	struct error *err = NULL;
	for (size_t i = 0; values->values && !err && i < values->events->num_items; i++) {
		const struct event_request *request = &values->events->items[i];
		const struct probe_reading *reading = value_counting_reading(request);
		if (reading)
			err = read_probe(values, request->event->name, reading,
					 system_event_probe(request->event)->values, number++, ret);
	}
	if (err || !values->values)
		return err;
	ret->num_busy = bpf_values_num_lost(values->values, VALUE_LOST_BUSY);
	ret->num_without = bpf_values_num_lost(values->values, VALUE_LOST_STRINGS);
	ret->num_undecided = bpf_values_num_lost(values->values, VALUE_LOST_CONDITIONS);
	value_counts_sort(ret);
	return NULL;
}
