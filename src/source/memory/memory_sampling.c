// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_sampling.h"

#include "base/os/clock.h"
#include "base/os/host.h"
#include "base/os/interrupt.h"
#include "record/perf_data/event_attr.h"
#include "source/memory/memory_events.h"

#include <string.h>

// memory_sampling_next() takes samples out of the slots one by one, and makes records of each in
// three stages: those of its process, if that is new, is a copy of another, or has loaded a module;
// the name of its thread, if that is new; and the sample itself, once for each event. The thread
// waits meanwhile (if the plan wants interpreted frames) until the next record after these is asked
// for.
//
// The kernel of Linux reports processes only to perf events, which need rights. Here programs
// announce themselves; what they have mapped is read from /proc.

enum {
	LOOK_NS = 10000000, // how often the end of the target, and Ctrl-C, are looked for
	OUTPUT_EVENT = 10,  // BPF_OUTPUT: an event that the kernel does not count
	STACK_BYTES = 32768,
};

static void memory_sampling_add_event(struct memory_sampling *sampling,
				      const struct event_request *request)
{
	size_t place = sampling->num_events++;
	struct perf_data_event *event = &sampling->events[place];
	const struct event_attr_raw raw = {
		.type = EVENT_ATTR_SOFTWARE,
		.code = OUTPUT_EVENT,
		.period = sampling->period,
		.excludes_kernel = true,
		.clock = CLOCK_MONOTONIC,
	};
	sampling->measures[place] = (enum memory_measure)request->event->code;
	sampling->ids[place] = place + 1;
	event->name = request->event->name;
	event->ids = &sampling->ids[place];
	event->num_ids = 1;
	event->attr_size = event_attr_set_raw(event->attr, &raw);
}

static bool memory_sampling_has(const struct memory_sampling *sampling, enum memory_measure measure)
{
	for (size_t i = 0; i < sampling->num_events; i++)
		if (sampling->measures[i] == measure)
			return true;
	return false;
}

static struct error *memory_sampling_check_plan(const struct memory_sampling *sampling,
						const struct sample_plan *plan)
{
	if (!sampling->slots.region)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "allocations are sampled in programs, not on whole cores"),
			"start one: wperf record -e alloc -- PROGRAM [ARGS]; or attach: -p PID");
	struct error *err = memory_events_check(plan->events);
	return err ? err : memory_events_check_chain(plan->chain, "memory");
}

struct error *memory_sampling_prepare(struct memory_sampling *sampling)
{
	memory_sampling_close(sampling);
	return memory_slots_create(&sampling->slots);
}

struct error *memory_sampling_open(struct memory_sampling *sampling, const struct sample_plan *plan)
{
	struct error *err = memory_sampling_check_plan(sampling, plan);
	if (err)
		return err;
	sampling->period = plan->events->items[0].interval;
	struct host host = host_read();
	sampling->layout = user_regs_layout_find(host.machine);
	for (size_t i = 0; i < plan->events->num_items; i++)
		memory_sampling_add_event(sampling, &plan->events->items[i]);
	const struct memory_slots_config config = {
		.period = sampling->period,
		.stack_bytes = plan->chain == SAMPLE_CHAIN_NONE ? 0
			       : plan->stack_bytes              ? plan->stack_bytes
								: STACK_BYTES,
		.holds = plan->walks_frames,
		.sees_frees = memory_sampling_has(sampling, MEMORY_LIVE) ||
			      memory_sampling_has(sampling, MEMORY_PEAK),
	};
	memory_slots_configure(&sampling->slots, &config);
	return NULL;
}

void memory_sampling_close(struct memory_sampling *sampling)
{
	memory_slots_destroy(&sampling->slots);
	known_processes_deinit(&sampling->known);
	running_destroy(sampling->running);
	*sampling = (struct memory_sampling)MEMORY_SAMPLING_INIT;
}

struct error *memory_sampling_wait(struct memory_sampling *sampling, uint64_t timeout_ns, int fd)
{
	memory_slots_release(&sampling->slots);
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	struct error *err = NULL;
	while (!err && wake == INTERRUPT_WAKE_TIMEOUT &&
	       !memory_slots_look(&sampling->slots, clock_ns(CLOCK_MONOTONIC)) && timeout_ns) {
		uint64_t wait_ns = timeout_ns < LOOK_NS ? timeout_ns : LOOK_NS;
		memory_slots_sleep(&sampling->slots, wait_ns);
		err = interrupt_wait(fd, 0, &wake);
		timeout_ns -= wait_ns;
	}
	if (wake != INTERRUPT_WAKE_TIMEOUT)
		memory_slots_look(&sampling->slots, clock_ns(CLOCK_MONOTONIC));
	return err;
}

static struct record memory_sampling_record(struct memory_sampling *sampling, enum record_kind kind)
{
	return (struct record){
		.kind = kind,
		.mode = RECORD_MODE_USER,
		.pid = sampling->sample.head.pid,
		.tid = sampling->sample.head.tid,
		.time_ns = sampling->last_time_ns,
		.cpu = UINT32_MAX,
	};
}

static void memory_sampling_tell_name(struct memory_sampling *sampling, uint32_t tid, bool is_exec,
				      struct record *ret)
{
	running_thread_name(sampling->sample.head.pid, tid, sampling->name, sizeof(sampling->name));
	*ret = memory_sampling_record(sampling, RECORD_COMM);
	ret->tid = tid;
	ret->comm = (struct record_comm){.name = sampling->name, .is_exec = is_exec};
}

/** The next record of the process that is described; the kernel was described at the beginning. */
static struct error *memory_sampling_next_running(struct memory_sampling *sampling,
						  struct record *ret, bool *ret_more)
{
	struct error *err;
	do {
		err = running_next(sampling->running, ret, ret_more);
	} while (!err && *ret_more && ret->mode == RECORD_MODE_KERNEL);
	ret->time_ns = sampling->last_time_ns;
	if (err || *ret_more)
		return err;
	running_destroy(sampling->running);
	sampling->running = NULL;
	return NULL;
}

/** What has to be known of its process before the sample. @ret_more: there is a record. */
static struct error *memory_sampling_tell_process(struct memory_sampling *sampling,
						  struct record *ret, bool *ret_more)
{
	const struct memory_head *head = &sampling->sample.head;
	bool is_known = known_processes_has(&sampling->known, head->pid);
	struct error *err = NULL;
	if (head->kind == MEMORY_FORK && known_processes_has(&sampling->known, head->parent)) {
		*ret = memory_sampling_record(sampling, RECORD_FORK);
		ret->task = (struct record_task){head->parent, head->parent};
		*ret_more = true;
		err = known_processes_add(&sampling->known, head->pid);
	} else if (head->kind != MEMORY_ALLOCATION || !is_known) {
		memory_sampling_tell_name(sampling, head->pid, true, ret);
		*ret_more = true;
		err = known_processes_add(&sampling->known, head->pid);
		if (!err)
			err = running_open(&head->pid, 1, &sampling->running);
		known_processes_have_loaded(&sampling->known, head->pid, head->loader);
	} else if (known_processes_have_loaded(&sampling->known, head->pid, head->loader)) {
		err = running_open(&head->pid, 1, &sampling->running);
	}
	return err;
}

static struct error *memory_sampling_tell_thread(struct memory_sampling *sampling,
						 struct record *ret, bool *ret_more)
{
	const struct memory_head *head = &sampling->sample.head;
	struct error *err =
		known_processes_add_thread(&sampling->known, head->pid, head->tid, ret_more);
	if (!err && *ret_more)
		memory_sampling_tell_name(sampling, head->tid, false, ret);
	return err;
}

/** Unique among all processes: pids have 22 bits (PID_MAX_LIMIT of Linux). */
static uint64_t memory_sampling_block(const struct memory_head *head, enum memory_measure measure)
{
	enum { PID_SHIFT = 40 };
	uint64_t block = (uint64_t)head->pid << PID_SHIFT ^ head->block;
	return measure == MEMORY_PEAK ? block | RECORD_BLOCK_OF_PEAK
				      : block & ~RECORD_BLOCK_OF_PEAK;
}

/** A record for each event that wants to know. @ret_more: there is one. */
static void memory_sampling_tell_free(struct memory_sampling *sampling, struct record *ret,
				      bool *ret_more)
{
	while (sampling->next_event < sampling->num_events && !*ret_more) {
		enum memory_measure measure = sampling->measures[sampling->next_event++];
		if (measure != MEMORY_LIVE && measure != MEMORY_PEAK)
			continue;
		*ret = memory_sampling_record(sampling, RECORD_FREE);
		ret->block = memory_sampling_block(&sampling->sample.head, measure);
		*ret_more = true;
	}
	sampling->has_sample = *ret_more;
}

static void memory_sampling_tell_sample(struct memory_sampling *sampling, struct record *ret)
{
	const struct memory_head *head = &sampling->sample.head;
	size_t event = sampling->next_event++;
	*ret = memory_sampling_record(sampling, RECORD_SAMPLE);
	ret->event = (uint32_t)event;
	struct record_sample *sample = &ret->sample;
	bool has_link = sampling->layout && sampling->layout->link >= 0;
	sample->ip = memory_call_of(has_link, head->ip);
	sample->period = sampling->measures[event] == MEMORY_COUNT ? sampling->weight.count
								   : sampling->weight.bytes;
	if (sampling->measures[event] == MEMORY_LIVE || sampling->measures[event] == MEMORY_PEAK)
		sample->block = memory_sampling_block(head, sampling->measures[event]);
	sample->address = head->address;
	sample->has_gone_on = !sampling->sample.is_held;
	if (!sampling->layout)
		return;
	const struct user_regs regs = {sample->ip, head->sp, head->frame, head->ip};
	sample->regs_abi = USER_REGS_ABI_64;
	sample->regs_mask = user_regs_mask(sampling->layout);
	user_regs_put(sampling->layout, &regs, sampling->regs);
	sample->regs = sampling->regs;
	sample->stack = sampling->sample.stack;
	sample->stack_size = head->stack_size;
}

/** Times of several threads come a little out of order when one of them fills its slot late. */
static bool memory_sampling_take(struct memory_sampling *sampling)
{
	sampling->has_sample = memory_slots_take(&sampling->slots, &sampling->sample);
	if (!sampling->has_sample)
		return false;
	const struct memory_head *head = &sampling->sample.head;
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t time_ns = head->time_ns < now_ns ? head->time_ns : now_ns;
	if (sampling->last_time_ns < time_ns)
		sampling->last_time_ns = time_ns;
	sampling->stage = MEMORY_STAGE_PROCESS;
	sampling->next_event = 0;
	if (head->kind != MEMORY_ALLOCATION)
		return true;
	sampling->weight = memory_weight_of(head->size, sampling->period, &sampling->carry);
	sampling->num_generated += sampling->num_events;
	return true;
}

/** @ret_more: there is a record at this stage; else it is the next stage's turn. */
static struct error *memory_sampling_go_on(struct memory_sampling *sampling, struct record *ret,
					   bool *ret_more)
{
	bool is_allocation = sampling->sample.head.kind == MEMORY_ALLOCATION;
	if (sampling->sample.head.kind == MEMORY_FREED) {
		memory_sampling_tell_free(sampling, ret, ret_more);
		return NULL;
	}
	switch (sampling->stage) {
	case MEMORY_STAGE_PROCESS:
		sampling->stage = MEMORY_STAGE_THREAD;
		return memory_sampling_tell_process(sampling, ret, ret_more);
	case MEMORY_STAGE_THREAD:
		sampling->stage = MEMORY_STAGE_EVENTS;
		return is_allocation ? memory_sampling_tell_thread(sampling, ret, ret_more) : NULL;
	case MEMORY_STAGE_EVENTS:
		*ret_more = is_allocation && sampling->next_event < sampling->num_events;
		if (*ret_more)
			memory_sampling_tell_sample(sampling, ret);
		else
			sampling->has_sample = false;
	}
	return NULL;
}

struct error *memory_sampling_next(struct memory_sampling *sampling, struct record *ret,
				   bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	while (!err && !*ret_more) {
		if (sampling->running)
			err = memory_sampling_next_running(sampling, ret, ret_more);
		else if (sampling->has_sample || memory_sampling_take(sampling))
			err = memory_sampling_go_on(sampling, ret, ret_more);
		else
			break;
	}
	return err;
}

struct sample_totals memory_sampling_totals(const struct memory_sampling *sampling)
{
	const struct memory_region *region = sampling->slots.region;
	uint64_t num_lost = region ? region->num_lost * sampling->num_events : 0;
	return (struct sample_totals){
		.num_generated = sampling->num_generated + num_lost,
		.num_lost = num_lost,
	};
}
