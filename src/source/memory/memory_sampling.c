// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_sampling.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/os/host.h"
#include "base/os/interrupt.h"
#include "record/perf_data/event_attr.h"
#include "source/memory/leaks/leak_search.h"

#include <signal.h>
#include <stdlib.h>
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
	LOOK_AT_KERNEL_NS = 1000000,
	OUTPUT_EVENT = 10, // BPF_OUTPUT: an event that the kernel does not count
	STACK_BYTES = 32768,
	// Samples a second, beyond which the period becomes longer; the second, if blocks are
	// followed until they are freed.
	MEMORY_MOST_SAMPLES = 500,
	MEMORY_MOST_FOLLOWED = 1000,
};

/** @frequency: in Hz; 0: by the period of the request. */
static void memory_sampling_add_event(struct memory_sampling *sampling,
				      const struct event_request *request, uint64_t frequency)
{
	size_t place = sampling->num_events++;
	struct perf_data_event *event = &sampling->events[place];
	const struct event_attr_raw raw = {
		.type = EVENT_ATTR_SOFTWARE,
		.code = OUTPUT_EVENT,
		.period = request->interval,
		.frequency = frequency,
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

bool memory_sampling_has(const struct memory_sampling *sampling, enum memory_measure measure)
{
	for (size_t i = 0; i < sampling->num_events; i++)
		if (sampling->measures[i] == measure)
			return true;
	return false;
}

/** What becomes of blocks is wanted. */
static bool memory_sampling_sees_frees(const struct event_list *events)
{
	for (size_t i = 0; i < events->num_items; i++)
		if (memory_measure_follows_blocks(
			    (enum memory_measure)events->items[i].event->code))
			return true;
	return false;
}

static struct error *memory_sampling_check_plan(const struct memory_sampling *sampling,
						const struct sample_plan *plan)
{
	if (!sampling->slots.region)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "source 'memory' samples only in programs that wperf starts"),
			"start one: wperf record -e alloc -- PROGRAM [ARGS]; or attach to one: "
			"-p PID, without --source");
	const struct event_list *events = plan->events;
	bool has_allocations = false;
	for (size_t i = 0; i < events->num_items; i++)
		has_allocations |= events->items[i].event->code != MEMORY_TOUCHED;
	if (!has_allocations)
		return error_with_hint(error_create(ERROR_USAGE,
						    "'touched' is sampled beside other "
						    "events of memory"),
				       "add one, as in -e alloc,touched, or use -e page-faults");
	struct error *err = memory_events_check(plan->events, "touched");
	return err ? err : memory_events_check_chain(plan->chain, "memory");
}

struct error *memory_sampling_prepare(struct memory_sampling *sampling)
{
	memory_sampling_close(sampling);
	return memory_slots_create(&sampling->slots);
}

struct error *memory_sampling_open(struct memory_sampling *sampling, const struct sample_plan *plan,
				   const struct kernel_walk_program *walk, bool may_adapt)
{
	struct error *err = memory_sampling_check_plan(sampling, plan);
	if (err)
		return err;
	struct host host = host_read();
	sampling->layout = user_regs_layout_find(host.machine);
	const bool sees_frees = memory_sampling_sees_frees(plan->events);
	sampling->adapts = may_adapt;
	// Where memory in use is wanted, what is rare among all allocations may be most of it: then
	// there are more samples of a fast program, and no shorter period for a slow one.
	sampling->rate.most = sees_frees ? MEMORY_MOST_FOLLOWED : MEMORY_MOST_SAMPLES;
	const uint64_t first = sees_frees ? MEMORY_DEFAULT_PERIOD : MEMORY_LEAST_PERIOD;
	for (size_t i = 0; !err && i < plan->events->num_items; i++) {
		struct event_request request = plan->events->items[i];
		if (request.event->code != MEMORY_TOUCHED) {
			sampling->period = sampling->adapts ? first : request.interval;
		} else {
			sampling->touched_event = (uint32_t)i;
			err = touched_pages_open(&sampling->touched, plan, request.interval, walk);
			request.interval = sampling->touched.period;
		}
		bool is_adaptive = sampling->adapts && request.event->code != MEMORY_TOUCHED;
		memory_sampling_add_event(sampling, &request,
					  is_adaptive ? sampling->rate.most : 0);
	}
	if (err)
		return err;
	sampling->rate.least = sampling->rate.period = sampling->period;
	const struct memory_slots_config config = {
		.period = sampling->period,
		.stack_bytes = plan->chain == SAMPLE_CHAIN_NONE ? 0
			       : plan->stack_bytes              ? plan->stack_bytes
								: STACK_BYTES,
		.holds = plan->walks_frames,
		.sees_frees = sees_frees,
		.seeks_leaks = memory_sampling_has(sampling, MEMORY_LEAKED),
	};
	memory_slots_configure(&sampling->slots, &config);
	return NULL;
}

void memory_sampling_close(struct memory_sampling *sampling)
{
	memory_slots_destroy(&sampling->slots);
	touched_pages_close(&sampling->touched);
	known_processes_deinit(&sampling->known);
	running_destroy(sampling->running);
	thread_hold_deinit(&sampling->late);
	free(sampling->leaks);
	error_destroy(sampling->search_error);
	error_destroy(sampling->missed_error);
	*sampling = (struct memory_sampling)MEMORY_SAMPLING_INIT;
}

struct error *memory_sampling_wait(struct memory_sampling *sampling, uint64_t timeout_ns, int fd)
{
	memory_slots_release(&sampling->slots);
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	struct error *err = NULL;
	// Nothing here waits for the kernel's buffers: they are emptied so often that copies of
	// stacks do not fill them, however long no allocation comes.
	uint64_t look_ns = sampling->touched.kernel ? LOOK_AT_KERNEL_NS : LOOK_NS;
	if (sampling->touched.kernel && timeout_ns > look_ns)
		timeout_ns = look_ns;
	while (!err && wake == INTERRUPT_WAKE_TIMEOUT &&
	       !memory_slots_look(&sampling->slots, clock_ns(CLOCK_MONOTONIC)) && timeout_ns) {
		uint64_t wait_ns = timeout_ns < look_ns ? timeout_ns : look_ns;
		thread_hold_release_late(&sampling->late);
		memory_slots_sleep(&sampling->slots, wait_ns);
		err = interrupt_wait(fd, 0, &wake);
		timeout_ns -= wait_ns;
	}
	if (wake != INTERRUPT_WAKE_TIMEOUT)
		memory_slots_look(&sampling->slots, clock_ns(CLOCK_MONOTONIC));
	return err ? err : touched_pages_look(&sampling->touched);
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

static struct error *memory_sampling_add_process(struct memory_sampling *sampling,
						 const struct memory_head *head)
{
	struct known_process *process;
	struct error *err = known_processes_add(&sampling->known, head->pid, &process);
	if (err)
		return err;
	process->table = head->kind == MEMORY_ALLOCATION ? 0 : head->address;
	process->last_block = head->block;
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
		err = memory_sampling_add_process(sampling, head);
	} else if (head->kind != MEMORY_ALLOCATION || !is_known) {
		memory_sampling_tell_name(sampling, head->pid, true, ret);
		*ret_more = true;
		err = memory_sampling_add_process(sampling, head);
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

static struct error *memory_sampling_add_leaks(struct memory_sampling *sampling, uint32_t pid,
					       const uint64_t *blocks, size_t num)
{
	struct error *err = array_reserve(&sampling->leaks, &sampling->cap_leaks,
					  sampling->num_leaks + num + 1);
	for (size_t i = 0; !err && i < num; i++)
		sampling->leaks[sampling->num_leaks++] = (struct memory_leak){pid, blocks[i]};
	return err;
}

/** Its own failures are told at the end, and end nothing. @is_last: the process is over. */
static struct error *memory_sampling_search(struct memory_sampling *sampling,
					    struct known_process *process, bool is_last)
{
	const struct leak_search_process searched = {
		.pid = process->pid,
		.table = process->table,
		.last_id = process->last_block,
		.region = sampling->slots.fd,
		.late = &sampling->late,
	};
	uint64_t *blocks;
	size_t num;
	struct error *err = leak_search_run(&searched, &blocks, &num);
	if (err) {
		struct error **first = is_last ? &sampling->search_error : &sampling->missed_error;
		sampling->num_missed += !is_last;
		if (*first)
			error_destroy(err);
		else
			*first = err;
		return NULL;
	}
	process->is_searched = is_last;
	err = memory_sampling_add_leaks(sampling, process->pid, blocks, num);
	free(blocks);
	return err;
}

/** All that have not ended. */
static struct error *memory_sampling_search_all(struct memory_sampling *sampling, bool is_last)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sampling->known.num_processes; i++) {
		struct known_process *process = &sampling->known.processes[i];
		if (!process->is_searched && process->table && kill((pid_t)process->pid, 0) == 0)
			err = memory_sampling_search(sampling, process, is_last);
	}
	return err;
}

struct error *memory_sampling_mark_moment(struct memory_sampling *sampling)
{
	sampling->num_moments++;
	// What was allocated before the moment is read before it.
	if (sampling->slots.region)
		memory_slots_look(&sampling->slots, clock_ns(CLOCK_MONOTONIC));
	// They go on, and are searched again at their end.
	return memory_sampling_has(sampling, MEMORY_LEAKED)
		       ? memory_sampling_search_all(sampling, false)
		       : NULL;
}

struct error *memory_sampling_stop(struct memory_sampling *sampling)
{
	bool seeks_leaks = memory_sampling_has(sampling, MEMORY_LEAKED);
	struct error *err = seeks_leaks ? memory_sampling_search_all(sampling, true) : NULL;
	for (size_t i = 0; seeks_leaks && i < sampling->known.num_processes; i++)
		sampling->num_unsearched += !sampling->known.processes[i].is_searched;
	memory_slots_close(&sampling->slots);
	return err;
}

/** @ret_more: a block is lost. */
static void memory_sampling_tell_leak(struct memory_sampling *sampling, struct record *ret,
				      bool *ret_more)
{
	if (sampling->next_leak == sampling->num_leaks) {
		sampling->next_leak = sampling->num_leaks = 0;
		return;
	}
	const struct memory_leak *leak = &sampling->leaks[sampling->next_leak++];
	*ret = memory_sampling_record(sampling, RECORD_FREE);
	ret->pid = ret->tid = leak->pid;
	ret->freed = (struct record_free){
		.block = memory_block_of(leak->pid, leak->block, MEMORY_LEAKED),
		.counts = true,
	};
	*ret_more = true;
}

/** A record for each event that wants to know. @ret_more: there is one. */
static void memory_sampling_tell_free(struct memory_sampling *sampling, struct record *ret,
				      bool *ret_more)
{
	while (sampling->next_event < sampling->num_events && !*ret_more) {
		enum memory_measure measure = sampling->measures[sampling->next_event++];
		if (!memory_measure_follows_blocks(measure))
			continue;
		const struct memory_head *head = &sampling->sample.head;
		*ret = memory_sampling_record(sampling, RECORD_FREE);
		ret->freed = memory_free_of(head->pid, head->block, measure, head->size);
		*ret_more = true;
	}
	sampling->has_sample = *ret_more;
}

/** The kernel samples one of the events. */
static size_t memory_sampling_num_own(const struct memory_sampling *sampling)
{
	return sampling->num_events - (sampling->touched.kernel != NULL);
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
	sample->period = memory_measure_is_number(sampling->measures[event])
				 ? sampling->weight.count
				 : sampling->weight.bytes;
	if (memory_measure_follows_blocks(sampling->measures[event]))
		sample->block = memory_block_of(head->pid, head->block, sampling->measures[event]);
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
	sampling->weight = memory_weight_of(head->size, head->period, &sampling->carry);
	if (sampling->adapts)
		memory_slots_set_period(&sampling->slots,
					memory_rate_note(&sampling->rate, sampling->last_time_ns,
							 head->period));
	sampling->num_generated += memory_sampling_num_own(sampling);
	return true;
}

/** It may have been searched while it waited, when sampling stopped. */
static struct error *memory_sampling_end_process(struct memory_sampling *sampling)
{
	struct known_process *process =
		known_processes_get(&sampling->known, sampling->sample.head.pid);
	sampling->has_sample = false;
	return process && !process->is_searched ? memory_sampling_search(sampling, process, true)
						: NULL;
}

/** @ret_more: there is a record at this stage; else it is the next stage's turn. */
static struct error *memory_sampling_go_on(struct memory_sampling *sampling, struct record *ret,
					   bool *ret_more)
{
	bool is_allocation = sampling->sample.head.kind == MEMORY_ALLOCATION;
	if (sampling->sample.head.kind == MEMORY_ENDING)
		return memory_sampling_end_process(sampling);
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
		sampling->next_event +=
			sampling->touched.kernel && sampling->next_event == sampling->touched_event;
		*ret_more = is_allocation && sampling->next_event < sampling->num_events;
		if (*ret_more)
			memory_sampling_tell_sample(sampling, ret);
		else
			sampling->has_sample = false;
	}
	return NULL;
}

/** Samples of the kernel come late, and get the time of what came before them. */
static struct error *memory_sampling_next_touched(struct memory_sampling *sampling,
						  struct record *ret, bool *ret_more)
{
	struct error *err = touched_pages_next(&sampling->touched, ret, ret_more);
	if (err || !*ret_more)
		return err;
	ret->event = sampling->touched_event;
	if (ret->time_ns < sampling->last_time_ns)
		ret->time_ns = sampling->last_time_ns;
	sampling->last_time_ns = ret->time_ns;
	return NULL;
}

/** Into the recording, which has to say what it lacks. @ret_more: more were lost. */
static void memory_sampling_tell_losses(struct memory_sampling *sampling, struct record *ret,
					bool *ret_more)
{
	uint64_t num_lost = sampling->slots.region ? sampling->slots.region->num_lost : 0;
	*ret_more = num_lost > sampling->num_lost;
	if (!*ret_more)
		return;
	*ret = (struct record){
		.kind = RECORD_LOST,
		.time_ns = sampling->last_time_ns,
		.num_lost = (num_lost - sampling->num_lost) * memory_sampling_num_own(sampling),
	};
	sampling->num_lost = num_lost;
}

struct error *memory_sampling_next(struct memory_sampling *sampling, struct record *ret,
				   bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	while (!err && !*ret_more) {
		if (sampling->running)
			err = memory_sampling_next_running(sampling, ret, ret_more);
		else if (sampling->num_leaks)
			memory_sampling_tell_leak(sampling, ret, ret_more);
		else if (sampling->has_sample || memory_sampling_take(sampling))
			err = memory_sampling_go_on(sampling, ret, ret_more);
		else
			break;
	}
	if (!err && !*ret_more)
		memory_sampling_tell_losses(sampling, ret, ret_more);
	return err || *ret_more ? err : memory_sampling_next_touched(sampling, ret, ret_more);
}

struct sample_totals memory_sampling_totals(const struct memory_sampling *sampling)
{
	const struct memory_region *region = sampling->slots.region;
	const struct sample_totals touched = touched_pages_totals(&sampling->touched);
	uint64_t num_lost = region ? region->num_lost * memory_sampling_num_own(sampling) : 0;
	return (struct sample_totals){
		.num_generated = sampling->num_generated + num_lost + touched.num_generated,
		.num_lost = num_lost + touched.num_lost,
		.small_buffer = touched.small_buffer,
		.num_throttled = touched.num_throttled,
	};
}
