// SPDX-License-Identifier: Apache-2.0

#include "source/memory/attached/attached_sampling.h"

#include "base/container/array.h"
#include "base/os/host.h"
#include "catalog/linux/system_event.h"
#include "process/thread/thread_activity.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_probe.h"
#include "source/perf/perf_round.h"

#include <stdlib.h>
#include <string.h>

// Opened in this order: the walker, the events of perf_sampling.h, which tell of processes and have
// the rings, on each core the event whose samples the BPF program makes, and last the probes. A
// sample is that of the first event. It is at the first instruction of the allocator's function,
// or, if blocks are followed until they are freed, where that returns to, as only then they have an
// address. From there attached_sampling_leave() goes back to the call; then it is reported once for
// each event, with that event's weight. Frees come by another event of each core, and are reported
// once for each event that follows blocks.
//
// The kernel does not put probes into children: when a fork is read from a ring, the child gets
// its own, so that what it allocates until then is not sampled. It has its parent's addresses.

enum { STACK_BYTES = 32768, MAX_CHILDREN = 256 };

static struct error *refuse_measure(const char *name, enum memory_measure measure)
{
	bool is_touched = measure == MEMORY_TOUCHED;
	return error_with_hint(error_create(ERROR_USAGE,
					    "'%s' needs a program that wperf starts: of a running "
					    "process, only what it allocates and frees is seen",
					    name),
			       "wperf record -e %s%s -- PROGRAM; or -e %s -p PID",
			       is_touched ? "alloc," : "", name,
			       is_touched ? "page-faults" : "heap");
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
		enum memory_measure measure = (enum memory_measure)system_event_of(event)->config1;
		if (measure == MEMORY_LEAKED || measure == MEMORY_TOUCHED)
			return refuse_measure(event->name, measure);
		attached->measures[attached->num_events++] = measure;
		attached->sees_frees |= memory_measure_follows_blocks(measure);
	}
	return err ? err : memory_events_check_chain(plan->chain, "memory-attach");
}

bool attached_sampling_has(const struct attached_sampling *attached, enum memory_measure measure)
{
	for (size_t i = 0; i < attached->num_events; i++)
		if (attached->measures[i] == measure)
			return true;
	return false;
}

static struct error *open_outputs(struct attached_sampling *attached)
{
	struct perf_sampling *sampling = &attached->sampling;
	struct error *err = NULL;
	for (size_t ring = 0; !err && ring < sampling->num_rings; ring++) {
		int fd = -1, freed_fd = -1;
		err = perf_sampling_open_output(sampling, ring, 0, 0, &fd);
		if (!err && attached->sees_frees)
			err = perf_sampling_open_output(sampling, ring, 0, PERF_OUTPUT_BARE,
							&freed_fd);
		if (!err)
			err = bpf_allocations_set_output(attached->allocations,
							 sampling->rings[ring].core, fd, freed_fd);
	}
	return err;
}

static struct error *attach_place(struct attached_sampling *attached, uint32_t pid,
				  const struct allocator_place *place, bool is_return)
{
	char path[ALLOCATOR_MAX_PATH];
	int fd = -1;
	allocator_file_path(place->file, pid, path);
	const struct perf_probe probe = {
		.event = "alloc",
		.pid = pid,
		.path = path,
		.offset = place->offset,
		.is_return = is_return,
	};
	struct error *err = perf_probe_open(&probe, &fd);
	return err ? err
		   : bpf_allocations_attach(attached->allocations, pid, fd, place->kind, is_return);
}

/** At the function's beginning, and where it returns. */
static size_t num_probes_at(const struct attached_sampling *attached,
			    const struct allocator_place *place)
{
	if (!attached->sees_frees)
		return place->kind == ALLOCATION_FREE ? 0 : 1;
	return allocation_kind_returns(place->kind) ? 2 : 1;
}

/** After an error, the process has no probes. */
static struct error *attach_process(struct attached_sampling *attached, uint32_t pid,
				    const struct allocator_places *places)
{
	struct error *err =
		bpf_allocations_add_process(attached->allocations, pid, &places->process);
	for (size_t i = 0; !err && i < places->num_items; i++) {
		const struct allocator_place *place = &places->items[i];
		size_t num = num_probes_at(attached, place);
		for (size_t probe = 0; !err && probe < num; probe++)
			err = attach_place(attached, pid, place, probe > 0);
	}
	// With half of them, what is freed would stay in use.
	if (err)
		bpf_allocations_detach(attached->allocations, pid);
	return err;
}

/** For the probes of all processes, and of as many children as are followed at once. */
static void raise_file_limit(const struct attached_sampling *attached)
{
	// A probe is an event and its link; a ring gets allocations and frees.
	enum { FILES_OF_PROBE = 2, FILES_OF_RING = 2 };
	const struct perf_sampling *sampling = &attached->sampling;
	size_t num = sampling->num_fds + sampling->num_rings * FILES_OF_RING, most = 0;
	for (size_t i = 0; i < attached->num_places; i++) {
		const struct allocator_places *places = &attached->places[i];
		size_t num_of_process = 0;
		for (size_t j = 0; j < places->num_items; j++)
			num_of_process +=
				num_probes_at(attached, &places->items[j]) * FILES_OF_PROBE;
		num += num_of_process;
		most = num_of_process > most ? num_of_process : most;
	}
	perf_file_raise_limit(num + (attached->follows_children ? most * MAX_CHILDREN : 0));
}

static struct error *refuse_cost(const struct probe_cost *cost, uint64_t max_percent)
{
	return error_with_hint(
		error_create(ERROR_FAILED,
			     "process %u would take about %.0f %% more CPU time: it calls its "
			     "allocator %.0f times a second, and probes take %.2f us for each "
			     "call here",
			     cost->pid, cost->percent, cost->calls_a_second,
			     cost->ns_of_call / 1000),
		"the limit is %llu %%; to go on: --source memory-attach,slowdown=%.0f; a program "
		"that wperf starts is slowed down less: wperf record -e alloc -- PROGRAM",
		(unsigned long long)max_percent, 2 * cost->percent + 100);
}

/** The highest cost is what the user is told. */
static struct error *check_costs(struct attached_sampling *attached,
				 const struct probe_prices *prices, uint64_t max_percent)
{
	_cleanup_free_ struct probe_cost *costs = calloc(attached->num_places, sizeof(*costs));
	if (!costs)
		return &error_no_memory;
	for (size_t i = 0; i < attached->num_places; i++)
		costs[i].pid = attached->places[i].pid;
	struct error *err =
		probe_cost_measure(attached->allocations, prices, costs, attached->num_places);
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
	struct probe_prices prices = {0};
	struct error *err =
		probe_cost_calibrate(attached->allocations, attached->sees_frees, &prices);
	for (size_t i = 0; !err && i < attached->num_places; i++)
		err = attach_process(attached, attached->places[i].pid, &attached->places[i]);
	return err ? err : check_costs(attached, &prices, max_percent);
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
	const struct bpf_allocations_config config = {
		.period = attached->period,
		.sees_frees = attached->sees_frees,
		.counts_threads = attached_sampling_has(attached, MEMORY_TEMPORARY),
	};
	if (!err)
		err = bpf_allocations_create(attached->walker, &config, &attached->allocations);
	if (!err)
		err = perf_sampling_open(&attached->sampling, &samples, attached->walker, NULL);
	if (!err && plan->raises_limits)
		raise_file_limit(attached);
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
	bpf_allocations_detach_all(attached->allocations);
	return err ? err : perf_sampling_stop(&attached->sampling);
}

/** Where the allocator returns to. False: that is not known. */
static bool attached_sampling_return_address(const struct attached_sampling *attached,
					     struct record_sample *sample, struct user_regs *regs,
					     uint64_t *ret)
{
	bool has_link = attached->layout->link >= 0;
	*ret = attached->sees_frees ? regs->ip : regs->link;
	if (attached->sees_frees || has_link)
		return true;
	if (sample->stack_size < sizeof(*ret))
		return false;
	memcpy(ret, sample->stack, sizeof(*ret));
	sample->stack += sizeof(*ret);
	sample->stack_size -= sizeof(*ret);
	regs->sp += sizeof(*ret);
	return true;
}

/** From the allocator's function, which has done nothing yet or has just returned, to where it was
 *  called. */
static void attached_sampling_leave(struct attached_sampling *attached,
				    struct record_sample *sample)
{
	struct user_regs regs;
	uint64_t return_address;
	if (!attached->layout || !user_regs_of(attached->layout, sample, &regs) ||
	    !attached_sampling_return_address(attached, sample, &regs, &return_address))
		return;
	sample->ip = regs.ip = memory_call_of(attached->layout->link >= 0, return_address);
	user_regs_put(attached->layout, &regs, attached->regs);
	sample->regs_mask = user_regs_mask(attached->layout);
	sample->regs = attached->regs;
}

static void attached_sampling_give_event(const struct attached_sampling *attached, size_t event,
					 struct record *ret)
{
	enum memory_measure measure = attached->measures[event];
	*ret = attached->last;
	ret->event = (uint32_t)event;
	if (ret->kind == RECORD_FREE) {
		ret->freed =
			memory_free_of(ret->pid, attached->number, measure, attached->freed_since);
		return;
	}
	ret->sample.period =
		memory_measure_is_number(measure) ? attached->weight.count : attached->weight.bytes;
	if (memory_measure_follows_blocks(measure))
		ret->sample.block = memory_block_of(ret->pid, attached->number, measure);
}

/** The last sample or free, for the next event that it is of. False: that was all. */
static bool attached_sampling_give(struct attached_sampling *attached, struct record *ret)
{
	while (attached->next_event < attached->num_events) {
		size_t event = attached->next_event++;
		if (attached->last.kind == RECORD_FREE &&
		    !memory_measure_follows_blocks(attached->measures[event]))
			continue;
		attached_sampling_give_event(attached, event, ret);
		return true;
	}
	return false;
}

static void attached_sampling_take_sample(struct attached_sampling *attached,
					  const struct allocation_output *output)
{
	attached->last.mode = RECORD_MODE_USER;
	attached->number = output->number;
	attached->weight = memory_weight_of(output->size, attached->period, &attached->carry);
	attached_sampling_leave(attached, &attached->last.sample);
}

static void attached_sampling_take_free(struct attached_sampling *attached,
					const struct allocation_freed *freed)
{
	attached->last.kind = RECORD_FREE;
	attached->number = freed->number;
	attached->freed_since = freed->since;
	attached->num_frees++;
}

/** One that is too short, as only damaged ones are, is of no event. */
static void attached_sampling_take(struct attached_sampling *attached, const struct record *record)
{
	struct allocation_output output;
	struct allocation_freed freed;
	const uint8_t *bytes = record->sample.payload;
	size_t size = record->sample.payload_size;
	bool is_free = record->event == attached->sampling.num_events;
	attached->last = *record;
	attached->last.raw = NULL; // it has another event's number and no weight
	attached->next_event = 0;
	if (is_free && size >= sizeof(freed)) {
		memcpy(&freed, bytes, sizeof(freed));
		attached_sampling_take_free(attached, &freed);
	} else if (!is_free && size >= sizeof(output)) {
		memcpy(&output, bytes, sizeof(output));
		attached_sampling_take_sample(attached, &output);
	} else {
		attached->next_event = attached->num_events;
	}
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

/** Those that have ended have no probes any more, but their places in the list. */
static void drop_ended_children(struct attached_sampling *attached)
{
	size_t num_left = 0;
	for (size_t i = 0; i < attached->num_children; i++) {
		const struct attached_child child = attached->children[i];
		if (thread_activity_read(child.pid, child.pid).state == THREAD_UNKNOWN)
			bpf_allocations_detach(attached->allocations, child.pid);
		else
			attached->children[num_left++] = child;
	}
	attached->num_children = num_left;
}

static void attached_sampling_follow(struct attached_sampling *attached,
				     const struct record *record)
{
	uint32_t parent = record->task.parent_pid;
	if (!attached->follows_children || record->pid == parent)
		return;
	const struct allocator_places *places = places_of(attached, parent);
	if (attached->num_children == MAX_CHILDREN)
		drop_ended_children(attached);
	bool has_room = attached->num_children < MAX_CHILDREN;
	// It may have ended already.
	struct error *err = places && has_room ? add_child(attached, record->pid, places) : NULL;
	attached->num_not_followed += err || !places || !has_room;
	error_destroy(err);
}

struct error *attached_sampling_next(struct attached_sampling *attached, struct record *ret,
				     bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = true;
	while (!err && *ret_more && !attached_sampling_give(attached, ret)) {
		err = perf_round_next(&attached->sampling, ret, ret_more);
		if (err || !*ret_more)
			break;
		if (ret->kind == RECORD_FORK)
			attached_sampling_follow(attached, ret);
		if (ret->kind != RECORD_SAMPLE)
			break;
		attached_sampling_take(attached, ret);
	}
	return err;
}

struct sample_totals attached_sampling_totals(const struct attached_sampling *attached)
{
	struct sample_totals totals = perf_sampling_totals(&attached->sampling);
	struct bpf_allocations_losses losses = {0};
	if (attached->allocations)
		losses = bpf_allocations_losses(attached->allocations);
	// The events are reported by a program, whose samples are not counts of the kernel's.
	totals.follows_processes = false;
	// To the kernel, frees are samples as well.
	uint64_t lost_frees =
		losses.num_frees < totals.num_lost ? losses.num_frees : totals.num_lost;
	totals.num_lost -= lost_frees;
	totals.num_generated -= lost_frees + attached->num_frees;
	if (totals.num_lost < losses.num_samples) {
		totals.num_generated += losses.num_samples - totals.num_lost;
		totals.num_lost = losses.num_samples;
	}
	totals.num_generated *= attached->num_events;
	totals.num_lost *= attached->num_events;
	return totals;
}
