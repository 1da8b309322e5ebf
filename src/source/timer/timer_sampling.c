// SPDX-License-Identifier: Apache-2.0

#include "source/timer/timer_sampling.h"

#include "base/os/clock.h"
#include "base/os/host.h"
#include "base/os/interrupt.h"
#include "record/perf_data/event_attr.h"

// timer_sampling_wait() sleeps until the next tick (or the end of the target), scans for new
// threads and processes (timer_sampling_scan()), and makes the looks of the tick due. Each look
// (timer_look_at() of the system) reads the CPU time of one thread and adds a sample if the thread
// runs. The reader of stacks takes looks one by one through timer_sampling_wakeup(), so that each
// stack is read right after its look.
//
// The weight of a sample is not the length of a tick: wperf itself may have got a core late, and
// the thread as well. timer_sampling_take_time() adds what the thread's CPU clock has gained since
// its last look, and splits it between the samples that wait; what cannot be given to a
// sample is kept for the next one. Ticks are random between half and one and a half periods, from
// xorshift64, so that programs with a regular rhythm are sampled in all of their phases. Where
// there are many threads, scans are less frequent, so that they take about a hundredth of the time.

enum {
	NS_PER_S = 1000000000,
	SCAN_NS = 5000000,      // how often new threads and processes are looked for ...
	SELDOM_NS = 1000000000, // ... and at least, where that takes long
	ALERT_NS = 300000000,   // after a program has begun, at each look
	// Whoever gets a core as late as that may have got it from the thread that is looked at,
	// as soon as that one was through: not at any moment.
	MOST_LATE_NS = 150000,
};

static struct error *timer_sampling_refuse(const char *what, const char *hint)
{
	return error_with_hint(error_create(ERROR_USAGE, "source 'timer' %s", what), "%s", hint);
}

static struct error *timer_sampling_check_plan(const struct sample_plan *plan)
{
	if (!plan->num_pids)
		return timer_sampling_refuse("samples processes only",
					     "give a command, or processes with -p");
	if (plan->num_cores)
		return timer_sampling_refuse("cannot select cores", "leave out -c");
	if (plan->events->num_items != 1 || plan->events->items[0].interval)
		return timer_sampling_refuse("samples only cpu-clock, at a frequency",
					     "set it with -F; --source perf samples any event");
	if (plan->frequency_hz <= TIMER_MOST_HZ)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "source 'timer' cannot sample %u times per second",
					    plan->frequency_hz),
			       "-F is at most %d for this source", TIMER_MOST_HZ);
}

/** Only who is looked at with its registers has callers. */
static struct error *open_looks(struct timer_sampling *sampling, const struct sample_plan *plan)
{
	bool has_callers = timer_look_holds_threads() && plan->chain != SAMPLE_CHAIN_NONE;
	sampling->wakes = plan->wakes;
	if (timer_look_holds_threads()) {
		struct host host = host_read();
		sampling->layout = user_regs_layout_find(host.machine);
	}
	struct error *err = timed_samples_init(&sampling->samples,
					       has_callers ? sample_plan_stack_bytes(plan) : 0);
	return err ? err : timer_look_create(plan, &sampling->look);
}

struct error *timer_sampling_open(struct timer_sampling *sampling, const struct sample_plan *plan)
{
	*sampling = (struct timer_sampling){
		.period_ns = NS_PER_S / plan->frequency_hz,
		.random = clock_ns(CLOCK_MONOTONIC) | 1,
	};
	struct error *err = timer_sampling_check_plan(plan);
	if (err)
		return err;
	sampling->id = 1;
	sampling->event = (struct perf_data_event){
		.name = plan->events->items[0].event->name,
		.ids = &sampling->id,
		.num_ids = 1,
	};
	sampling->event.attr_size =
		event_attr_set_clock(sampling->event.attr, plan->frequency_hz, CLOCK_MONOTONIC);
	sampling->tasks.only_thread = plan->only_thread;
	sampling->tasks.left_out_thread = plan->left_out_thread;
	err = open_looks(sampling, plan);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = watched_tasks_add(&sampling->tasks, plan->pids[i]);
	if (err)
		timer_sampling_close(sampling);
	return err;
}

void timer_sampling_close(struct timer_sampling *sampling)
{
	prompt_thread_end(&sampling->prompt);
	timer_look_destroy(sampling->look);
	watched_tasks_deinit(&sampling->tasks);
	timed_samples_deinit(&sampling->samples);
	running_destroy(sampling->running);
	*sampling = (struct timer_sampling){0};
}

void timer_sampling_start(struct timer_sampling *sampling)
{
	prompt_thread_begin(&sampling->prompt);
	sampling->has_started = true;
	sampling->next_ns = clock_ns(CLOCK_MONOTONIC);
	sampling->alert_until_ns = sampling->next_ns + ALERT_NS;
}

void timer_sampling_take_time(struct timer_sampling *sampling, struct watched_thread *thread,
			      const struct task_clock *clock)
{
	thread->has_gone_on = clock->time_ns > thread->clock.time_ns;
	if (thread->has_gone_on)
		thread->unshared_ns += clock->time_ns - thread->clock.time_ns;
	if (clock->kernel_ns > thread->clock.kernel_ns)
		thread->unshared_kernel_ns += clock->kernel_ns - thread->clock.kernel_ns;
	thread->clock = *clock;
	timed_samples_share(&sampling->samples, thread->tid, true, &thread->unshared_kernel_ns);
	// Code enters the kernel without a call of it, too: when a page is missing, say.
	uint64_t time_ns = thread->unshared_ns + thread->unshared_kernel_ns;
	if (!timed_samples_share(&sampling->samples, thread->tid, false, &time_ns))
		return;
	// What is left is kept for the next sample.
	thread->unshared_ns = time_ns;
	thread->unshared_kernel_ns = 0;
}

/** The next thread that runs, of those whose turn it is now. */
static bool timer_sampling_look_at_next(struct timer_sampling *sampling, struct sample_wakeup *ret)
{
	struct watched_tasks *tasks = &sampling->tasks;
	bool is_found = false;
	for (; sampling->num_looks && !is_found; sampling->num_looks--) {
		sampling->next_thread = (sampling->next_thread + 1) % tasks->num_threads;
		is_found = timer_look_at(sampling, &tasks->threads[sampling->next_thread], ret);
	}
	return is_found;
}

static void end_looks(struct timer_sampling *sampling)
{
	timer_look_end(sampling->look);
	sampling->num_looks = 0;
}

/** It takes long where there are many threads: then it is done less often. */
static struct error *timer_sampling_scan(struct timer_sampling *sampling, uint64_t now_ns)
{
	enum { MOST_SHARE = 100 }; // of our time
	bool is_alert = now_ns < sampling->alert_until_ns;
	if (!is_alert && now_ns < sampling->scan_due_ns)
		return NULL;
	size_t num_events = sampling->tasks.num_events;
	uint64_t begin_ns = timer_look_spent_ns();
	struct error *err = watched_tasks_scan(&sampling->tasks, now_ns);
	for (size_t i = num_events; i < sampling->tasks.num_events; i++)
		if (sampling->tasks.events[i].kind == TASK_EVENTS_PROGRAM ||
		    sampling->tasks.events[i].kind == TASK_EVENTS_FORK)
			sampling->alert_until_ns = now_ns + ALERT_NS;
	uint64_t wait_ns = (timer_look_spent_ns() - begin_ns) * MOST_SHARE;
	if (wait_ns > SELDOM_NS)
		wait_ns = SELDOM_NS;
	sampling->scan_due_ns = now_ns + (wait_ns > SCAN_NS ? wait_ns : SCAN_NS);
	return err;
}

/** Whoever wants to know of samples at once has the looks made one by one, as it asks. */
static void timer_sampling_tick(struct timer_sampling *sampling)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (!sampling->has_started || sampling->has_stopped || now_ns < sampling->next_ns)
		return;
	size_t num_threads = sampling->tasks.num_threads;
	sampling->is_late = now_ns - sampling->next_ns > MOST_LATE_NS;
	sampling->num_looks = num_threads < TIMER_MAX_LOOKS ? num_threads : TIMER_MAX_LOOKS;
	struct sample_wakeup wakeup;
	while (!sampling->wakes && timer_sampling_look_at_next(sampling, &wakeup))
		timer_look_end(sampling->look);
	// Programs that do something at fixed times must not be in step with us. xorshift64 of
	// Marsaglia ("Xorshift RNGs", 2003): never 0, as it began with an odd number.
	sampling->random ^= sampling->random << 13;
	sampling->random ^= sampling->random >> 7;
	sampling->random ^= sampling->random << 17;
	uint64_t half = sampling->period_ns / 2;
	sampling->next_ns += half + sampling->random % (2 * half + 1);
	if (sampling->next_ns < now_ns)
		sampling->next_ns = now_ns; // we did not get a core in time
}

void timer_sampling_stop(struct timer_sampling *sampling)
{
	end_looks(sampling);
	sampling->has_stopped = true;
	prompt_thread_end(&sampling->prompt);
	for (size_t i = 0; i < sampling->tasks.num_threads; i++) {
		struct watched_thread *thread = &sampling->tasks.threads[i];
		struct task_clock clock = thread->clock;
		task_files_clock(&thread->files, &clock);
		timer_sampling_take_time(sampling, thread, &clock);
	}
}

struct error *timer_sampling_wait(struct timer_sampling *sampling, uint64_t timeout_ns, int fd)
{
	end_looks(sampling);
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	struct error *err = sampling->has_started && !sampling->has_stopped
				    ? timer_sampling_scan(sampling, now_ns)
				    : NULL;
	if (err)
		return err;
	now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t to_next_ns = sampling->next_ns > now_ns ? sampling->next_ns - now_ns : 0;
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	if (timeout_ns)
		err = interrupt_wait(fd, timeout_ns < to_next_ns ? timeout_ns : to_next_ns, &wake);
	if (wake == INTERRUPT_WAKE_READY)
		sampling->next_ns = 0; // what has ended tells its time until somebody waits for it
	if (!err)
		timer_sampling_tick(sampling);
	return err;
}

bool timer_sampling_wakeup(struct timer_sampling *sampling, size_t n, struct sample_wakeup *ret)
{
	timer_look_end(sampling->look);
	return timer_sampling_look_at_next(sampling, ret);
}

struct sample_totals timer_sampling_totals(const struct timer_sampling *sampling)
{
	struct sample_totals totals = sampling->totals;
	totals.num_lost += sampling->samples.num_lost;
	totals.num_generated += sampling->samples.num_lost;
	return totals;
}

static struct record record_of(enum record_kind kind, uint32_t pid, uint32_t tid)
{
	return (struct record){
		.kind = kind,
		.mode = RECORD_MODE_USER,
		.pid = pid,
		.tid = tid,
		.time_ns = clock_ns(CLOCK_MONOTONIC),
		.cpu = UINT32_MAX,
	};
}

static void tell_name(struct timer_sampling *sampling, const struct task_events *events,
		      struct record *ret)
{
	running_thread_name(events->pid, events->tid, sampling->name, sizeof(sampling->name));
	*ret = record_of(RECORD_COMM, events->pid, events->tid);
	ret->comm.name = sampling->name;
	ret->comm.is_exec = events->kind == TASK_EVENTS_PROGRAM;
}

/** @ret_is_told: it is a record of its own. */
static struct error *tell_events(struct timer_sampling *sampling, const struct task_events *events,
				 struct record *ret, bool *ret_is_told)
{
	*ret_is_told = true;
	switch (events->kind) {
	case TASK_EVENTS_FORK:
		*ret = record_of(RECORD_FORK, events->pid, events->pid);
		ret->task.parent_pid = ret->task.parent_tid = events->tid;
		return NULL;
	case TASK_EVENTS_PROGRAM:
		tell_name(sampling, events, ret);
		return running_open(&events->pid, 1, &sampling->running);
	case TASK_EVENTS_MAPS:
		*ret_is_told = false;
		return running_open(&events->pid, 1, &sampling->running);
	case TASK_EVENTS_THREAD:
		tell_name(sampling, events, ret);
		return NULL;
	case TASK_EVENTS_THREAD_END:
	case TASK_EVENTS_END:
		*ret = record_of(RECORD_EXIT, events->pid, events->tid);
		return NULL;
	}
	return NULL;
}

/** The next record of the process that is being told of; the kernel was told of long ago. */
static struct error *next_of_running(struct timer_sampling *sampling, struct record *ret,
				     bool *ret_more)
{
	struct error *err;
	do {
		err = running_next(sampling->running, ret, ret_more);
	} while (!err && *ret_more && ret->mode == RECORD_MODE_KERNEL);
	ret->time_ns = clock_ns(CLOCK_MONOTONIC); // behind the beginning of the program
	if (err || *ret_more)
		return err;
	running_destroy(sampling->running);
	sampling->running = NULL;
	return NULL;
}

static struct error *next_events(struct timer_sampling *sampling, struct record *ret,
				 bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	while (!err && !*ret_more) {
		const struct task_events *events =
			sampling->running ? NULL : watched_tasks_events(&sampling->tasks);
		// Samples from before have to come first.
		if (events && events->kind != TASK_EVENTS_MAPS &&
		    timed_samples_have_older(&sampling->samples, events->pid, events->time_ns))
			events = NULL;
		if (sampling->running) {
			err = next_of_running(sampling, ret, ret_more);
		} else if (events) {
			err = tell_events(sampling, events, ret, ret_more);
			watched_tasks_drop_events(&sampling->tasks);
		} else {
			break;
		}
	}
	return err;
}

static bool next_sample(struct timer_sampling *sampling, struct record *ret)
{
	const struct timed_sample *taken;
	if (!timed_samples_take(&sampling->samples, clock_ns(CLOCK_MONOTONIC),
				sampling->has_stopped, &taken))
		return false;
	*ret = record_of(RECORD_SAMPLE, taken->who.pid, taken->who.tid);
	ret->time_ns = taken->who.time_ns;
	ret->sample.period = taken->weight_ns;
	sampling->totals.num_generated++;
	if (!sampling->layout)
		return true;
	ret->sample.ip = taken->regs.ip;
	ret->sample.regs_abi = USER_REGS_ABI_64;
	ret->sample.regs_mask = user_regs_mask(sampling->layout);
	user_regs_put(sampling->layout, &taken->regs, sampling->regs);
	ret->sample.regs = sampling->regs;
	ret->sample.stack = timed_samples_stack(&sampling->samples, taken);
	ret->sample.stack_size = taken->stack_size;
	return true;
}

struct error *timer_sampling_next(struct timer_sampling *sampling, struct record *ret,
				  bool *ret_more)
{
	struct error *err = next_events(sampling, ret, ret_more);
	if (err || *ret_more)
		return err;
	*ret_more = next_sample(sampling, ret);
	return *ret_more ? NULL : next_events(sampling, ret, ret_more);
}
