// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/attached_sampling.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "source/memory/memory_events.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_probe.h"
#include "source/perf/perf_round.h"

#include <stdlib.h>
#include <string.h>

// Opened in this order: the walker, the events of perf_sampling.h, which tell of processes and have
// the rings, on each core the event whose samples the BPF program makes, and last the probes. A
// sample is that of the first event. It is at the first instruction of the allocator's function,
// from where attached_sampling_leave() goes back to the call; then it is reported once for each
// event, with that event's weight.
//
// The kernel does not put probes into children: when a fork is read from a ring, the child gets
// its own, so that what it allocates until then is not sampled. It has its parent's addresses.

enum { STACK_BYTES = 32768, MAX_CHILDREN = 256 };

static struct error *refuse_measure(const char *name)
{
	bool is_touched = strcmp(name, "touched") == 0;
	return error_with_hint(error_create(ERROR_USAGE,
					    "'%s' needs a program that wperf starts: of a running "
					    "process, only what it allocates is seen",
					    name),
			       "wperf record -e %s%s -- PROGRAM; or -e %s -p PID",
			       is_touched ? "alloc," : "", name,
			       is_touched ? "page-faults" : "alloc");
}

static struct error *check_attached_plan(struct attached_sampling *attached,
					 const struct sample_plan *plan)
{
	const struct event_list *events = plan->events;
	if (!plan->num_pids || !plan->allocators)
		return error_with_hint(error_create(ERROR_USAGE,
						    "source 'memory-attach' samples running "
						    "processes"),
				       "name one with -p PID");
	struct error *err = memory_events_check(events, NULL);
	for (size_t i = 0; !err && i < events->num_items; i++) {
		const struct event *event = events->items[i].event;
		enum attached_measure measure =
			(enum attached_measure)system_event_of(event)->config1;
		if (measure == ATTACHED_NOTHING)
			return refuse_measure(event->name);
		attached->measures[attached->num_events++] = measure;
	}
	return err ? err : memory_events_check_chain(plan->chain, "memory-attach");
}

static struct error *open_outputs(struct attached_sampling *attached)
{
	struct error *err = NULL;
	for (size_t ring = 0; !err && ring < attached->sampling.num_rings; ring++) {
		int fd = -1;
		err = perf_sampling_open_output(&attached->sampling, ring, false, &fd);
		if (!err)
			err = bpf_allocations_set_output(attached->allocations,
							 attached->sampling.rings[ring].core, fd);
	}
	return err;
}

static struct error *attach_process(struct attached_sampling *attached, uint32_t pid,
				    const struct allocator_places *places)
{
	struct error *err =
		bpf_allocations_add_process(attached->allocations, pid, &places->process);
	for (size_t i = 0; !err && i < places->num_items; i++) {
		const struct allocator_place *place = &places->items[i];
		char path[ALLOCATOR_MAX_PATH];
		int fd = -1;
		allocator_file_path(place->file, pid, path);
		err = perf_probe_open("alloc", pid, path, place->offset, &fd);
		if (!err)
			err = bpf_allocations_attach(attached->allocations, fd, place->kind);
	}
	return err;
}

static struct error *refuse_cost(const struct probe_cost *cost, uint64_t max_percent)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "process %u would take about %.0f %% more CPU time: it allocates "
			     "%.0f times a second, and a probe takes %.2f us here",
			     cost->pid, cost->percent, cost->calls_a_second,
			     cost->ns_of_call / 1000),
		"the limit is %llu %%; to go on: --source memory-attach,slowdown=%.0f; a program "
		"that wperf starts is slowed down less: wperf record -e alloc -- PROGRAM",
		(unsigned long long)max_percent, 2 * cost->percent + 100);
}

/** The highest cost is what the user is told. */
static struct error *check_costs(struct attached_sampling *attached, double ns_of_call,
				 uint64_t max_percent)
{
	_cleanup_free_ struct probe_cost *costs = calloc(attached->num_places, sizeof(*costs));
	if (!costs)
		return &error_no_memory;
	for (size_t i = 0; i < attached->num_places; i++)
		costs[i].pid = attached->places[i].pid;
	struct error *err =
		probe_cost_measure(attached->allocations, ns_of_call, costs, attached->num_places);
	for (size_t i = 0; !err && i < attached->num_places; i++) {
		if (i > 0 && costs[i].percent <= attached->cost.percent)
			continue;
		attached->cost = costs[i];
		attached->costly_allocator = attached->places[i].allocator;
	}
	if (!err && attached->cost.percent > (double)max_percent)
		err = refuse_cost(&attached->cost, max_percent);
	return err;
}

static struct error *attach_processes(struct attached_sampling *attached, uint64_t max_percent)
{
	double ns_of_call = 0;
	struct error *err = probe_cost_calibrate(attached->allocations, &ns_of_call);
	for (size_t i = 0; !err && i < attached->num_places; i++)
		err = attach_process(attached, attached->places[i].pid, &attached->places[i]);
	return err ? err : check_costs(attached, ns_of_call, max_percent);
}

struct error *attached_sampling_open(struct attached_sampling *attached,
				     const struct sample_plan *plan, uint64_t max_percent)
{
	struct error *err = check_attached_plan(attached, plan);
	if (err)
		return err;
	struct host host = host_read();
	attached->layout = user_regs_layout_find(host.machine);
	attached->period = plan->events->items[0].interval;
	attached->places = plan->allocators;
	attached->num_places = plan->num_pids;
	attached->follows_children = plan->inherit;
	attached->next_event = attached->num_events;
	struct sample_plan samples = *plan;
	if (!samples.stack_bytes)
		samples.stack_bytes = STACK_BYTES;
	if (!attached->walker)
		err = bpf_walker_create(&bpf_walker_without_frames, BPF_WALKER_AT_ALLOCATIONS,
					&attached->walker);
	if (!err)
		err = bpf_allocations_create(attached->walker, attached->period,
					     &attached->allocations);
	if (!err)
		err = perf_sampling_open(&attached->sampling, &samples, attached->walker, NULL);
	if (!err)
		err = open_outputs(attached);
	return err ? err : attach_processes(attached, max_percent);
}

void attached_sampling_close(struct attached_sampling *attached)
{
	bpf_allocations_destroy(attached->allocations);
	perf_sampling_close(&attached->sampling);
	bpf_walker_destroy(attached->walker);
	free(attached->children);
	*attached = (struct attached_sampling)ATTACHED_SAMPLING_INIT;
}

struct error *attached_sampling_start(struct attached_sampling *attached)
{
	struct error *err = perf_sampling_start(&attached->sampling);
	return err ? err : bpf_allocations_switch(attached->allocations, true);
}

struct error *attached_sampling_stop(struct attached_sampling *attached)
{
	struct error *err = bpf_allocations_switch(attached->allocations, false);
	// Processes are as fast as before, before the rest is read.
	bpf_allocations_detach(attached->allocations, 0);
	return err ? err : perf_sampling_stop(&attached->sampling);
}

/** From the allocator's function, which has done nothing yet, back to where it was called. */
static void attached_sampling_leave(struct attached_sampling *attached,
				    struct record_sample *sample)
{
	struct user_regs regs;
	if (!attached->layout || !user_regs_of(attached->layout, sample, &regs))
		return;
	bool has_link = attached->layout->link >= 0;
	uint64_t return_address = regs.link;
	if (!has_link) {
		if (sample->stack_size < sizeof(return_address))
			return;
		memcpy(&return_address, sample->stack, sizeof(return_address));
		sample->stack += sizeof(return_address);
		sample->stack_size -= sizeof(return_address);
		regs.sp += sizeof(return_address);
	}
	sample->ip = regs.ip = memory_call_of(has_link, return_address);
	user_regs_put(attached->layout, &regs, attached->regs);
	sample->regs_mask = user_regs_mask(attached->layout);
	sample->regs = attached->regs;
}

/** The next event of the last sample. */
static void attached_sampling_give(struct attached_sampling *attached, struct record *ret)
{
	size_t event = attached->next_event++;
	*ret = attached->sample;
	ret->event = (uint32_t)event;
	ret->sample.period = attached->measures[event] == ATTACHED_COUNT ? attached->weight.count
									 : attached->weight.bytes;
}

/** False: it has no size, as only damaged ones have none. */
static bool attached_sampling_take(struct attached_sampling *attached, const struct record *record)
{
	struct allocation_output output;
	if (record->sample.payload_size < sizeof(output))
		return false;
	memcpy(&output, record->sample.payload, sizeof(output));
	attached->sample = *record;
	attached->sample.raw = NULL; // it has another event's number and no weight
	attached->sample.mode = RECORD_MODE_USER;
	attached->weight = memory_weight_of(output.size, attached->period, &attached->carry);
	attached_sampling_leave(attached, &attached->sample.sample);
	attached->next_event = 0;
	return true;
}

/** NULL: none of ours. */
static const struct allocator_places *places_of(const struct attached_sampling *attached,
						uint32_t pid)
{
	for (size_t i = 0; i < attached->num_places; i++)
		if (attached->places[i].pid == pid)
			return &attached->places[i];
	for (size_t i = 0; i < attached->num_children; i++)
		if (attached->children[i].pid == pid)
			return attached->children[i].places;
	return NULL;
}

static struct error *add_child(struct attached_sampling *attached, uint32_t pid,
			       const struct allocator_places *places)
{
	struct error *err = array_reserve(&attached->children, &attached->cap_children,
					  attached->num_children + 1);
	if (!err)
		err = attach_process(attached, pid, places);
	if (!err)
		attached->children[attached->num_children++] = (struct attached_child){pid, places};
	return err;
}

static void attached_sampling_follow(struct attached_sampling *attached,
				     const struct record *record)
{
	uint32_t parent = record->task.parent_pid;
	if (!attached->follows_children || record->pid == parent)
		return;
	const struct allocator_places *places = places_of(attached, parent);
	bool has_room = attached->num_children < MAX_CHILDREN;
	// It may have ended already.
	struct error *err = places && has_room ? add_child(attached, record->pid, places) : NULL;
	attached->num_not_followed += err || !places || !has_room;
	error_destroy(err);
}

struct error *attached_sampling_next(struct attached_sampling *attached, struct record *ret,
				     bool *ret_more)
{
	*ret_more = attached->next_event < attached->num_events;
	if (*ret_more) {
		attached_sampling_give(attached, ret);
		return NULL;
	}
	struct error *err = NULL;
	do {
		err = perf_round_next(&attached->sampling, ret, ret_more);
	} while (!err && *ret_more && ret->kind == RECORD_SAMPLE &&
		 !attached_sampling_take(attached, ret));
	if (err || !*ret_more)
		return err;
	if (ret->kind == RECORD_SAMPLE)
		attached_sampling_give(attached, ret);
	else if (ret->kind == RECORD_FORK)
		attached_sampling_follow(attached, ret);
	return NULL;
}

struct sample_totals attached_sampling_totals(const struct attached_sampling *attached)
{
	struct sample_totals totals = perf_sampling_totals(&attached->sampling);
	// The events are reported by a program, whose samples are not counts of the kernel's.
	totals.follows_processes = false;
	uint64_t lost = attached->allocations ? bpf_allocations_num_lost(attached->allocations) : 0;
	if (totals.num_lost < lost) {
		totals.num_generated += lost - totals.num_lost;
		totals.num_lost = lost;
	}
	totals.num_generated *= attached->num_events;
	totals.num_lost *= attached->num_events;
	return totals;
}
