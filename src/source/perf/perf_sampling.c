// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_sampling.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "source/bpf/bpf_walker.h"
#include "source/bpf/walk_record.h"
#include "source/perf/perf_core_ring.h"
#include "source/perf/perf_file.h"
#include "source/perf/perf_host.h"
#include "source/perf/perf_refusal.h"
#include "source/perf/perf_ring_size.h"
#include "source/perf/perf_sampled_event.h"
#include "source/perf/perf_spe_sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

// perf_sampling_open(): the size of the rings from the limits (perf_ring_size.c), an attribute for
// each event, a list of targets (threads or nothing, times cores), perf_event_open() for each
// target and event, and mmap() of one ring per core. Other events of the core are redirected into
// it by PERF_EVENT_IOC_SET_OUTPUT. An event that is inherited by new threads cannot have a ring
// unless it is bound to a core, which is the reason for one event per thread and core.
//
// Limits of locked memory cannot be known in advance, because other recordings of the user share
// them. map_rings() tries, halves all buffers and tries again. Attributes depend on the size (how
// much stack fits), so that open_fitting() opens everything once more if it became smaller.
//
// SPE has an event, ring and AUX area per core of its own (perf_spe_sampling.c).
// perf_sampling_describe_events() asks for the kernel's id of each file descriptor, by which
// records name their event.

enum { SPE_BUFFER = 256 << 10 }; // of records beside its packets

/** SPE's event comes behind the plan's. */
static struct error *perf_sampling_add_spe_event(struct perf_sampling *sampling,
						 const struct sample_plan *plan,
						 const struct perf_attr_rules *rules,
						 const struct perf_spe_pmu *spe)
{
	if (!plan->spe)
		return NULL;
	uint32_t number = (uint32_t)sampling->num_events++;
	perf_sampled_event_init_spe(&sampling->events[number], plan, rules, spe);
	return perf_spe_sampling_create(spe, number, plan, &sampling->spe);
}

/** Process events come with the first event that is not SPE's, of these with one that later threads
 *  have, too, if there is one: probes are not inherited. num_events: there is none on all cores. */
static size_t tracking_event(const struct perf_sampling *sampling)
{
	size_t first = sampling->num_events;
	for (size_t i = sampling->num_events; i-- > 0;)
		if (!sampling->events[i].spe && !sampling->events[i].is_of_some_cores &&
		    (first == sampling->num_events ||
		     sampling->events[i].counter != PERF_COUNTER_PROBE ||
		     sampling->events[first].counter == PERF_COUNTER_PROBE))
			first = i;
	return first;
}

/** One that only tells of processes: where no other is on all cores, and where others pause. */
static bool perf_sampling_add_dummy(struct perf_sampling *sampling, const struct sample_plan *plan,
				    const struct perf_attr_rules *rules)
{
	if (!plan->can_pause && tracking_event(sampling) < sampling->num_events)
		return false;
	perf_sampled_event_init_dummy(&sampling->events[sampling->num_events++], rules);
	return true;
}

static enum bpf_walker_kind walker_kind(const struct perf_sampled_event *event)
{
	if (event->counter == PERF_COUNTER_PROBE)
		return BPF_WALKER_PROBE;
	return event->attr.type == PERF_TYPE_TRACEPOINT ? BPF_WALKER_TRACEPOINT : BPF_WALKER_EVENT;
}

/** Where the BPF program copies stacks, the kernel need not. */
static struct error *share_stack_copies(struct perf_sampling *sampling,
					const struct sample_plan *plan, struct bpf_walker *walker)
{
	if (!walker)
		return NULL;
	bool copies = plan->chain == SAMPLE_CHAIN_CFI;
	for (size_t i = 0; copies && i < sampling->num_events; i++) {
		struct perf_sampled_event *event = &sampling->events[i];
		if (!perf_sampled_event_is_output(event) &&
		    bpf_walker_copies_stacks(walker, walker_kind(event)))
			perf_sampled_event_leave_stack(event);
	}
	return bpf_walker_set_stack_bytes(walker, copies ? plan->stack_bytes : 0);
}

static struct error *build_events(struct perf_sampling *sampling, const struct sample_plan *plan,
				  struct bpf_walker *walker, const struct perf_spe_pmu *spe)
{
	struct perf_cpu_types cpu_types;
	perf_host_cpu_types(&cpu_types);
	struct perf_attr_rules rules = {
		.cpu_types = &cpu_types,
		.kernel = plan->kernel,
		.inherit =
			plan->inherit && plan->num_pids ? PERF_INHERIT_ALL : PERF_INHERIT_NOTHING,
	};
	sampling->num_events = plan->events->num_items;
	sampling->events = calloc(sampling->num_events + 2, sizeof(*sampling->events));
	if (!sampling->events)
		return &error_no_memory;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->num_events; i++)
		err = perf_sampled_event_init(&sampling->events[i], plan, &rules,
					      &plan->events->items[i]);
	if (!err)
		err = share_stack_copies(sampling, plan, walker);
	if (!err)
		err = perf_sampling_add_spe_event(sampling, plan, &rules, spe);
	if (err)
		return err;
	sampling->tracking_event = perf_sampling_add_dummy(sampling, plan, &rules)
					   ? sampling->num_events - 1
					   : tracking_event(sampling);
	perf_sampled_event_track(&sampling->events[sampling->tracking_event]);
	sampling->off_cpu_event = plan->off_cpu_event;
	if (plan->off_cpu)
		perf_sampled_event_track_switches(&sampling->events[sampling->off_cpu_event]);
	return NULL;
}

/** Each core has a ring of its own, so a process is opened on each core by itself. */
static struct error *list_targets(struct perf_sampling *sampling, const struct sample_plan *plan)
{
	_cleanup_free_ unsigned *cores = calloc(perf_host_num_cores(), sizeof(*cores));
	if (!cores)
		return &error_no_memory;
	struct count_plan targets = {
		.cores = plan->cores,
		.num_cores = plan->num_cores,
		.pids = plan->pids,
		.num_pids = plan->num_pids,
		.only_thread = plan->only_thread,
		.left_out_thread = plan->left_out_thread,
		.enable_on_exec = plan->enable_on_exec,
	};
	if (targets.num_cores == 0) {
		targets.cores = cores;
		for (unsigned core = 0; core < perf_host_num_cores(); core++)
			if (perf_host_core_is_online(core))
				cores[targets.num_cores++] = core;
	}
	return perf_targets_list(&sampling->targets, &targets);
}

static struct error *perf_sampling_allocate(struct perf_sampling *sampling)
{
	size_t num_targets = sampling->targets.num_items;
	if (__builtin_mul_overflow(num_targets, sampling->num_events, &sampling->num_fds))
		return &error_no_memory;
	size_t num_fds = sampling->num_fds;
	sampling->fds = calloc(num_fds + 1, sizeof(*sampling->fds));
	// One for samples and one for SPE on each core.
	sampling->rings = calloc(2 * (size_t)perf_host_num_cores(), sizeof(*sampling->rings));
	sampling->ids = calloc(num_fds + 1, sizeof(*sampling->ids));
	sampling->format_ids = calloc(num_fds + 1, sizeof(*sampling->format_ids));
	sampling->formats = calloc(sampling->num_events + 1, sizeof(*sampling->formats));
	sampling->file_events = calloc(sampling->num_events + 1, sizeof(*sampling->file_events));
	if (!sampling->fds || !sampling->rings || !sampling->ids || !sampling->format_ids ||
	    !sampling->formats || !sampling->file_events)
		return &error_no_memory;
	for (size_t i = 0; i < num_fds; i++)
		sampling->fds[i] = -1;
	return NULL;
}

static struct error *perf_sampling_open_target(struct perf_sampling *sampling, size_t place,
					       int *fds, bool *ret_vanished)
{
	const struct perf_target *target = &sampling->targets.items[place];
	for (size_t i = 0; i < sampling->num_events; i++) {
		struct perf_sampled_event *event = &sampling->events[i];
		if (!perf_sampled_event_fits(event, target))
			continue;
		fds[i] = perf_sampled_event_open(event, target);
		if (fds[i] >= 0)
			continue;
		struct perf_refusal refusal = {
			.errnum = -fds[i],
			.event = event->name,
			.attr = &event->attr,
			.counter = event->counter,
			.target = target,
			.num_files = sampling->num_fds + PERF_FILES_BESIDES,
		};
		fds[i] = -1;
		perf_file_close_all(fds, i);
		*ret_vanished = refusal.errnum == ESRCH && target->thread >= 0;
		return *ret_vanished ? NULL : perf_refusal_error(&refusal);
	}
	return NULL;
}

static struct error *perf_sampling_open_targets(struct perf_sampling *sampling)
{
	struct perf_targets *targets = &sampling->targets;
	size_t num_open = 0;
	for (size_t i = 0; i < targets->num_items; i++) {
		bool vanished = false;
		struct error *err = perf_targets_check_interrupt(targets);
		if (!err)
			err = perf_sampling_open_target(
				sampling, i, &sampling->fds[num_open * sampling->num_events],
				&vanished);
		if (err)
			return err;
		if (!vanished)
			targets->items[num_open++] = targets->items[i];
	}
	if (targets->num_items && !num_open)
		return error_with_hint(error_create(ERROR_FAILED,
						    "cannot sample process %d: it has ended",
						    (int)targets->items[0].process),
				       "all its threads ended before their events were open");
	targets->num_items = num_open;
	sampling->num_fds = num_open * sampling->num_events;
	return NULL;
}

static struct perf_core_ring *find_ring(const struct perf_sampling *sampling, int core, bool is_spe)
{
	for (size_t i = 0; i < sampling->num_rings; i++)
		if (sampling->rings[i].core == core && sampling->rings[i].is_spe == is_spe)
			return &sampling->rings[i];
	return NULL;
}

static struct error *cannot_map(const struct perf_sampling *sampling, const char *what, int core)
{
	return error_with_hint(
		error_create_errno(sampling->ring_errnum, "cannot map the %s of core %d", what,
				   core),
		"'ulimit -l' and kernel.perf_event_mlock_kb limit the memory of all buffers of a "
		"user, also of other recordings");
}

static struct error *map_ring(struct perf_sampling *sampling, int core, int fd, bool is_spe)
{
	struct perf_core_ring *ring = &sampling->rings[sampling->num_rings];
	size_t bytes = sampling->ring_bytes;
	if (is_spe && bytes > SPE_BUFFER)
		bytes = SPE_BUFFER;
	sampling->ring_errnum = perf_ring_map(&ring->ring, fd, bytes);
	if (sampling->ring_errnum)
		return cannot_map(sampling, "buffer", core);
	ring->core = core;
	ring->fd = fd;
	ring->is_spe = is_spe;
	sampling->num_rings++;
	if (is_spe) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);
		sampling->ring_errnum = perf_spe_sampling_map(sampling->spe, (unsigned)core, fd,
							      ring->ring.page, page + bytes);
		if (sampling->ring_errnum)
			return cannot_map(sampling, "SPE buffer", core);
	}
	// Edges: a ring that is not empty must not wake us again and again.
	struct epoll_event edge = {.events = EPOLLIN | EPOLLET};
	if (epoll_ctl(sampling->epoll_fd, EPOLL_CTL_ADD, fd, &edge))
		return error_create_errno(errno, "cannot watch the buffer of core %d", core);
	return NULL;
}

/** The first event of a core has the ring, the others write to it. */
static struct error *map_all_rings(struct perf_sampling *sampling)
{
	sampling->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (sampling->epoll_fd < 0)
		return error_create_errno(errno, "cannot watch the kernel's buffers");
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->num_fds; i++) {
		int fd = sampling->fds[i];
		if (fd < 0)
			continue;
		int core = sampling->targets.items[i / sampling->num_events].core;
		bool is_spe = sampling->events[i % sampling->num_events].spe;
		const struct perf_core_ring *ring = find_ring(sampling, core, is_spe);
		if (!ring)
			err = map_ring(sampling, core, fd, is_spe);
		else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd))
			err = error_create_errno(errno, "cannot share the buffer of core %d", core);
	}
	return err;
}

static void unmap_rings(struct perf_sampling *sampling)
{
	if (sampling->spe)
		perf_spe_sampling_unmap(sampling->spe);
	for (size_t i = 0; i < sampling->num_rings; i++) {
		perf_ring_unmap(&sampling->rings[i].ring);
		free(take_ptr(sampling->rings[i].walk));
	}
	sampling->num_rings = 0;
	close_fd(&sampling->epoll_fd);
}

/**
 * The limits may be tighter than those that can be read, because of other recordings or in a
 * container. All buffers become smaller, as the first ones would take what the others then lack.
 */
static struct error *map_rings(struct perf_sampling *sampling)
{
	struct perf_spe_sampling *spe = sampling->spe;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (;;) {
		struct error *err = map_all_rings(sampling);
		// EPERM: more than the user may lock. ENOMEM: more than there is.
		bool has_room = sampling->ring_errnum != EPERM && sampling->ring_errnum != ENOMEM;
		size_t ring_bytes = sampling->ring_bytes, no_area = 0;
		if (!err || has_room ||
		    !perf_ring_halve(&sampling->ring_bytes, spe ? &spe->area_bytes : &no_area,
				     page))
			return err;
		if (sampling->ring_bytes < ring_bytes)
			sampling->are_rings_reduced = true;
		else if (spe)
			spe->are_areas_reduced = true;
		error_destroy(err);
		unmap_rings(sampling);
	}
}

/** Walks come into the rings of the samples. */
static struct error *attach_walker(struct perf_sampling *sampling, struct bpf_walker *walker)
{
	sampling->walker = walker;
	uint64_t sample_type = sampling->events[0].attr.sample_type;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->num_rings; i++) {
		struct perf_core_ring *ring = &sampling->rings[i];
		if (ring->is_spe)
			continue;
		ring->walk = calloc(1, sizeof(*ring->walk));
		if (!ring->walk)
			return &error_no_memory;
		err = bpf_walker_join_ring(walker, ring->core, ring->fd, sample_type,
					   &ring->walk->id);
	}
	// Programs at allocations have probes of their own.
	bool is_at_events = bpf_walker_is_at_events(walker);
	for (size_t i = 0; !err && is_at_events && i < sampling->num_fds; i++) {
		const struct perf_sampled_event *event =
			&sampling->events[i % sampling->num_events];
		// What BPF programs give has its walk from them.
		if (event->spe || perf_sampled_event_is_dummy(event) ||
		    perf_sampled_event_is_output(event) || sampling->fds[i] < 0)
			continue;
		const struct perf_target *target =
			&sampling->targets.items[i / sampling->num_events];
		bool is_first = i < sampling->num_events;
		bool is_thread = target->thread > 0;
		const struct bpf_walker_event walked = {
			.fd = sampling->fds[i],
			.kind = walker_kind(event),
			.is_first = is_first,
			.core = (uint32_t)target->core,
			.thread = is_thread ? (uint32_t)target->thread : 0,
		};
		err = bpf_walker_attach(walker, &walked);
	}
	return err;
}

// By id: perf_format_decode() looks an id up for each record, by bisection.
static int perf_sampling_compare_ids(const void *a, const void *b)
{
	const struct perf_format_id *left = a, *right = b;
	return (left->id > right->id) - (left->id < right->id);
}

static void perf_sampling_describe_event(struct perf_sampling *sampling, size_t place,
					 size_t num_targets)
{
	const struct perf_sampled_event *event = &sampling->events[place];
	sampling->formats[place] = (struct perf_format){
		.sample_type = event->attr.sample_type,
		.branch_sample_type = event->attr.branch_sample_type,
		.regs_user = event->attr.sample_regs_user,
		.period = event->attr.freq ? 0 : event->attr.sample_period,
		.sample_id_all = true,
	};
	struct perf_data_event *described = &sampling->file_events[place];
	described->name = event->name;
	described->has_values = event->has_values;
	described->attr_size = event->spe ? event->spe_attr.attr.size : sizeof(event->attr);
	memcpy(described->attr, event->spe ? event->spe_attr.bytes : (const void *)&event->attr,
	       described->attr_size);
	// A pointer into our memory, which means nothing to others.
	if (event->counter == PERF_COUNTER_PROBE)
		memset(described->attr + offsetof(struct perf_event_attr, config1), 0,
		       sizeof(event->attr.config1));
	described->ids = &sampling->ids[place * num_targets];
	described->num_ids = num_targets;
}

static struct error *perf_sampling_describe_events(struct perf_sampling *sampling)
{
	size_t num_targets = sampling->targets.num_items;
	for (size_t i = 0; i < sampling->num_fds; i++) {
		uint64_t id = 0; // no event has it
		if (sampling->fds[i] >= 0 && ioctl(sampling->fds[i], PERF_EVENT_IOC_ID, &id))
			return error_create_errno(errno, "cannot identify the event of samples");
		uint32_t event = (uint32_t)(i % sampling->num_events);
		sampling->ids[event * num_targets + i / sampling->num_events] = id;
		sampling->format_ids[i] = (struct perf_format_id){id, event};
	}
	qsort(sampling->format_ids, sampling->num_fds, sizeof(*sampling->format_ids),
	      perf_sampling_compare_ids);
	for (size_t i = 0; i < sampling->num_events; i++)
		perf_sampling_describe_event(sampling, i, num_targets);
	sampling->decoding = (struct perf_formats){
		.events = sampling->formats,
		.num_events = sampling->num_events,
		.ids = sampling->format_ids,
		.num_ids = sampling->num_fds,
	};
	return NULL;
}

// kernel.perf_event_max_sample_rate. The kernel lowers it by itself when interrupts take too long.
static struct error *check_frequency(const struct sample_plan *plan)
{
	uint32_t limit = perf_host_max_frequency();
	uint32_t highest = 0;
	for (size_t i = 0; i < plan->events->num_items; i++) {
		const struct event_request *request = &plan->events->items[i];
		uint32_t frequency = request->frequency ? request->frequency : plan->frequency_hz;
		if (!request->interval && frequency > highest)
			highest = frequency;
	}
	if (highest <= limit)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "the kernel cannot sample %u times per second", highest),
		"it is at most %u now (-F max); as root: sysctl "
		"kernel.perf_event_max_sample_rate=%u",
		limit, highest);
}

/** With rings; their sizes are known only now. */
static struct error *open_events(struct perf_sampling *sampling, const struct sample_plan *plan,
				 struct bpf_walker *walker, const struct perf_spe_pmu *spe)
{
	// The limits are per user and for all rings together.
	size_t num_cores = plan->num_cores ? plan->num_cores : perf_host_num_cores();
	const struct perf_ring_limits limits = perf_ring_limits_read(num_cores);
	sampling->ring_bytes = perf_ring_size(plan, &limits);
	struct sample_plan sized = *plan;
	sized.stack_bytes = perf_ring_stack_bytes(plan, sampling->ring_bytes);
	sized.buffer_bytes = sampling->ring_bytes;
	struct error *err = check_frequency(plan);
	if (!err)
		err = build_events(sampling, &sized, walker, spe);
	if (!err)
		err = list_targets(sampling, plan);
	if (!err)
		err = perf_sampling_allocate(sampling);
	if (err)
		return err;
	// One file descriptor per event and target: with many threads and cores more than the usual
	// limit of 1,024.
	if (plan->raises_limits)
		perf_file_raise_limit(sampling->num_fds);
	err = perf_sampling_open_targets(sampling);
	return err ? err : map_rings(sampling);
}

/** Samples that were planned for larger rings may not fit: their events are opened once more. */
static struct error *open_fitting(struct perf_sampling *sampling, const struct sample_plan *plan,
				  struct bpf_walker *walker, const struct perf_spe_pmu *spe)
{
	struct error *err = open_events(sampling, plan, walker, spe);
	if (err || !sampling->are_rings_reduced || plan->chain != SAMPLE_CHAIN_CFI)
		return err;
	struct sample_plan reduced = *plan;
	reduced.buffer_bytes = sampling->ring_bytes;
	perf_sampling_close(sampling);
	err = open_events(sampling, &reduced, walker, spe);
	sampling->are_rings_reduced = true;
	return err;
}

struct error *perf_sampling_open(struct perf_sampling *sampling, const struct sample_plan *plan,
				 struct bpf_walker *walker, const struct perf_spe_pmu *spe)
{
	_cleanup_(perf_sampling_close) struct perf_sampling opened = PERF_SAMPLING_INIT;
	struct error *err = open_fitting(&opened, plan, walker, spe);
	if (!err && walker && opened.num_fds)
		err = attach_walker(&opened, walker);
	if (!err)
		err = perf_sampling_describe_events(&opened);
	if (err)
		return err;
	opened.awaits_exec = plan->enable_on_exec;
	opened.wakes = plan->wakes;
	opened.makes_switch_samples =
		plan->off_cpu && perf_sampled_event_is_blind(&opened.events[opened.off_cpu_event]);
	if (opened.are_rings_reduced || perf_ring_is_small(plan, opened.ring_bytes))
		opened.totals.small_buffer = opened.ring_bytes;
	if (opened.spe && opened.spe->are_areas_reduced)
		opened.totals.small_spe_buffer = opened.spe->area_bytes;
	*sampling = opened;
	opened = (struct perf_sampling)PERF_SAMPLING_INIT;
	return NULL;
}

/** @event: whose format the records with this id have. */
static struct error *add_format_id(struct perf_sampling *sampling, uint64_t id, uint32_t event)
{
	size_t num = sampling->decoding.num_ids;
	struct perf_format_id *ids =
		realloc(sampling->format_ids, (num + 1) * sizeof(*sampling->format_ids));
	if (!ids)
		return &error_no_memory;
	ids[num] = (struct perf_format_id){.id = id, .event = event};
	qsort(ids, num + 1, sizeof(*ids), perf_sampling_compare_ids);
	sampling->format_ids = ids;
	sampling->decoding.ids = ids;
	sampling->decoding.num_ids = num + 1;
	return NULL;
}

/** Where the id and the time are is the same for all records in a ring. */
static void perf_sampling_strip(struct perf_sampling *sampling, struct perf_event_attr *attr)
{
	attr->sample_type &= PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW;
	attr->sample_regs_user = attr->sample_stack_user = 0;
	sampling->formats[sampling->num_events] = (struct perf_format){
		.sample_type = attr->sample_type,
		.sample_id_all = true,
	};
	sampling->decoding.num_events = sampling->num_events + 1;
}

struct error *perf_sampling_open_output(struct perf_sampling *sampling, size_t ring, uint32_t like,
					unsigned traits, int *ret_fd)
{
	const struct perf_core_ring *into = &sampling->rings[ring];
	const struct perf_target target = {.thread = -1, .core = into->core, .process = -1};
	// Process events come with the first event already.
	struct perf_sampled_event event = sampling->events[like];
	event.attr.inherit = event.attr.inherit_thread = event.attr.disabled = 0;
	event.attr.mmap = event.attr.mmap2 = event.attr.comm = event.attr.comm_exec = 0;
	event.attr.task = event.attr.context_switch = 0;
	if (traits & PERF_OUTPUT_BARE)
		perf_sampling_strip(sampling, &event.attr);
	if (traits & PERF_OUTPUT_WAKES) {
		event.attr.watermark = 0;
		event.attr.wakeup_events = 1;
	}
	struct error *err = array_reserve(&sampling->outputs, &sampling->cap_outputs,
					  sampling->num_outputs + 1);
	if (err)
		return err;
	int fd = perf_sampled_event_open(&event, &target);
	if (fd < 0) {
		const struct perf_refusal refusal = {
			.errnum = -fd,
			.event = event.name,
			.attr = &event.attr,
			.counter = event.counter,
			.target = &target,
			.num_files = sampling->num_fds + PERF_FILES_BESIDES,
		};
		return perf_refusal_error(&refusal);
	}
	sampling->outputs[sampling->num_outputs++] = fd;
	uint64_t id;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, into->fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id))
		return error_create_errno(errno, "cannot share the buffer of core %d", into->core);
	err = add_format_id(sampling, id,
			    traits & PERF_OUTPUT_BARE ? (uint32_t)sampling->num_events : like);
	if (!err)
		*ret_fd = fd;
	return err;
}

void perf_sampling_close(struct perf_sampling *sampling)
{
	prompt_thread_end(&sampling->prompt);
	perf_file_close_all(sampling->outputs, sampling->num_outputs);
	free(sampling->outputs);
	unmap_rings(sampling);
	perf_spe_sampling_destroy(sampling->spe);
	perf_file_close_all(sampling->fds, sampling->num_fds);
	perf_targets_deinit(&sampling->targets);
	free(sampling->events);
	free(sampling->fds);
	free(sampling->rings);
	free(sampling->ids);
	free(sampling->format_ids);
	free(sampling->formats);
	free(sampling->file_events);
	*sampling = (struct perf_sampling)PERF_SAMPLING_INIT;
}

static struct error *perf_sampling_tell(const struct perf_sampling *sampling, size_t i,
					unsigned long request)
{
	bool awaits_exec = sampling->awaits_exec &&
			   sampling->targets.items[i / sampling->num_events].awaits_exec;
	// What awaits its exec is switched on by the kernel there (enable_on_exec).
	if (!awaits_exec && sampling->fds[i] >= 0 && ioctl(sampling->fds[i], request, 0))
		return error_create_errno(errno, "cannot switch sampling %s",
					  request == PERF_EVENT_IOC_ENABLE ? "on" : "off");
	return NULL;
}

static struct error *tell_all(const struct perf_sampling *sampling, unsigned long request)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->num_fds; i++)
		err = perf_sampling_tell(sampling, i, request);
	return err;
}

/** That of switches goes on, too: of a thread that left before a pause and comes back after it, it
 *  tells whether it was away all the time. */
struct error *perf_sampling_switch(struct perf_sampling *sampling, size_t event, bool is_on)
{
	unsigned long request = is_on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	const struct perf_sampled_event *switched = &sampling->events[event];
	bool is_of_switches = switched->attr.context_switch && !switched->spe;
	// The command runs: its exec has been, or comes at once.
	sampling->awaits_exec = false;
	struct error *err = NULL;
	for (size_t i = event; !err && !is_of_switches && i < sampling->num_fds;
	     i += sampling->num_events)
		err = perf_sampling_tell(sampling, i, request);
	return err;
}

struct error *perf_sampling_start(struct perf_sampling *sampling)
{
	if (sampling->wakes)
		prompt_thread_begin(&sampling->prompt);
	return tell_all(sampling, PERF_EVENT_IOC_ENABLE);
}

struct error *perf_sampling_stop(struct perf_sampling *sampling)
{
	sampling->awaits_exec = false;
	sampling->has_stopped = true;
	prompt_thread_end(&sampling->prompt);
	struct error *err = tell_all(sampling, PERF_EVENT_IOC_DISABLE);
	const struct perf_sampled_event *event = &sampling->events[0];
	if (err || !event->attr.inherit || event->spe)
		return err;
	// Processes that end too soon for a sample are counted all the same.
	sampling->totals.follows_processes = true;
	sampling->totals.is_time = perf_attr_is_clock(&event->attr);
	sampling->totals.has_all_modes = !event->attr.exclude_user && !event->attr.exclude_kernel &&
					 !event->attr.exclude_idle;
	sampling->totals.is_user_code = event->attr.exclude_kernel && !event->attr.exclude_user;
	for (size_t i = 0; i < sampling->num_fds; i += sampling->num_events)
		sampling->totals.num_counted +=
			perf_sampled_event_read(event, sampling->fds[i]).value;
	return NULL;
}

uint64_t perf_sampling_num_lost(const struct perf_sampling *sampling)
{
	uint64_t sum = sampling->walker ? bpf_walker_num_lost(sampling->walker) : 0;
	for (size_t i = 0; i < sampling->num_fds; i++) {
		const struct perf_sampled_event *event =
			&sampling->events[i % sampling->num_events];
		sum += perf_sampled_event_read(event, sampling->fds[i]).num_lost;
	}
	return sum;
}

struct sample_totals perf_sampling_totals(const struct perf_sampling *sampling)
{
	struct sample_totals totals = sampling->totals;
	totals.has_blind_switches = sampling->makes_switch_samples;
	if (sampling->spe)
		totals.spe_trace = perf_spe_sampling_totals(sampling->spe);
	if (!sampling->walker)
		return totals;
	// The kernel counts a walk that found no room as a sample. It tells us later than the
	// walker.
	uint64_t lost = bpf_walker_num_lost(sampling->walker);
	totals.num_walks_lost = lost < totals.num_lost ? lost : totals.num_lost;
	totals.num_lost -= totals.num_walks_lost;
	totals.num_generated -= totals.num_walks_lost;
	totals.walks_ns = bpf_walker_time_ns(sampling->walker);
	return totals;
}
