// SPDX-License-Identifier: Apache-2.0

#include "source/timer_sampling.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "source/perf_file.h"
#include "source/prompt_thread.h"

#include <string.h>

enum {
	NS_PER_S = 1000000000,
	SCAN_NS = 10000000,    // how often new threads and processes are looked for
	ALERT_NS = 300000000,  // after a program has begun, at each look
	MAX_AGE_NS = 60000000, // what has not run for so long only waited for a core
	MAX_THREADS = 4096,
	// Whoever gets a core as late as that may have got it from the thread that is looked at,
	// as soon as that one was through: not at any moment.
	MOST_LATE_NS = 150000,
};

static void describe_event(struct timer_sampling *sampling, const struct sample_plan *plan)
{
	sampling->id = 1;
	sampling->attr = (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(sampling->attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
		.freq = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.sample_freq = plan->frequency_hz,
	};
	sampling->event = (struct perf_data_event){
		.name = plan->events->items[0].event->name,
		.attr_size = sizeof(sampling->attr),
		.ids = &sampling->id,
		.num_ids = 1,
	};
	memcpy(sampling->event.attr, &sampling->attr, sizeof(sampling->attr));
}

static struct error *refuse(const char *what, const char *hint)
{
	return error_with_hint(error_create(ERROR_USAGE, "source 'timer' %s", what), "%s", hint);
}

static struct error *check_plan(const struct sample_plan *plan)
{
	if (!plan->num_pids)
		return refuse("looks at processes only", "name a command, or processes with -p");
	if (plan->num_cores)
		return refuse("sees threads on whatever core they are", "leave -c out");
	if (plan->events->num_items != 1 || plan->events->items[0].interval)
		return refuse("has one event, cpu-clock, at a frequency",
			      "-F says how often; --source perf samples by events");
	if (plan->frequency_hz <= TIMER_MOST_HZ)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE,
					    "source 'timer' does not look %u times a second",
					    plan->frequency_hz),
			       "-F takes at most %d there", TIMER_MOST_HZ);
}

struct error *timer_sampling_open(struct timer_sampling *sampling, const struct sample_plan *plan)
{
	*sampling = (struct timer_sampling){
		.period_ns = NS_PER_S / plan->frequency_hz,
		.random = clock_ns(CLOCK_MONOTONIC) | 1,
	};
	struct error *err = check_plan(plan);
	if (err)
		return err;
	perf_file_raise_limit(2 * (size_t)MAX_THREADS);
	describe_event(sampling, plan);
	for (size_t i = 0; !err && i < plan->num_pids; i++)
		err = watched_tasks_add(&sampling->tasks, plan->pids[i]);
	if (err)
		timer_sampling_close(sampling);
	return err;
}

void timer_sampling_close(struct timer_sampling *sampling)
{
	watched_tasks_deinit(&sampling->tasks);
	running_destroy(sampling->running);
	*sampling = (struct timer_sampling){0};
}

/** Programs that do something at fixed times must not be in step with us. */
static void set_next(struct timer_sampling *sampling, uint64_t now_ns)
{
	sampling->random ^= sampling->random << 13;
	sampling->random ^= sampling->random >> 7;
	sampling->random ^= sampling->random << 17;
	uint64_t half = sampling->period_ns / 2;
	sampling->next_ns += half + sampling->random % (2 * half + 1);
	if (sampling->next_ns < now_ns)
		sampling->next_ns = now_ns; // we did not get a core in time
}

void timer_sampling_start(struct timer_sampling *sampling)
{
	prompt_thread_ask();
	sampling->has_started = true;
	sampling->next_ns = clock_ns(CLOCK_MONOTONIC);
	sampling->alert_until_ns = sampling->next_ns + ALERT_NS;
}

static struct timed_sample *waiting_at(struct timer_sampling *sampling, size_t index)
{
	return &sampling->waiting[(sampling->first + index) % TIMER_MAX_WAITING];
}

/** What it has run since goes to no sample yet. */
static void take_time(struct watched_thread *thread, const struct task_clock *clock)
{
	thread->has_gone_on = clock->time_ns > thread->clock.time_ns;
	if (thread->has_gone_on)
		thread->unshared_ns += clock->time_ns - thread->clock.time_ns;
	thread->clock = *clock;
}

/** To its samples that wait; without such it is kept for the next. */
static void share_out(struct timer_sampling *sampling, struct watched_thread *thread)
{
	struct timed_sample *own[TIMER_MAX_WAITING];
	size_t num_own = 0;
	for (size_t i = 0; i < sampling->num_waiting; i++) {
		struct timed_sample *sample = waiting_at(sampling, i);
		if (sample->who.tid == thread->tid && sample->state == TIMED_COUNTS &&
		    !sample->weight_ns)
			own[num_own++] = sample;
	}
	uint64_t part_ns = num_own ? thread->unshared_ns / num_own : 0;
	for (size_t i = 0; i < num_own; i++)
		own[i]->weight_ns = part_ns;
	thread->unshared_ns -= part_ns * num_own;
}

/** If there is no room, the oldest is given up. */
static void add_sample(struct timer_sampling *sampling, const struct watched_thread *thread,
		       enum timed_state state)
{
	const struct sample_notice who = {
		.pid = thread->pid, .tid = thread->tid, .time_ns = clock_ns(CLOCK_MONOTONIC)};
	if (sampling->num_waiting == TIMER_MAX_WAITING) {
		sampling->first = (sampling->first + 1) % TIMER_MAX_WAITING;
		sampling->num_waiting--;
		sampling->totals.num_lost++;
		sampling->totals.num_generated++;
	}
	*waiting_at(sampling, sampling->num_waiting++) =
		(struct timed_sample){.who = who, .state = state};
	sampling->noticed[sampling->num_noticed++] = who;
}

static void settle_doubt(struct timer_sampling *sampling, uint32_t tid, enum timed_state state)
{
	for (size_t i = 0; i < sampling->num_waiting; i++) {
		struct timed_sample *sample = waiting_at(sampling, i);
		if (sample->who.tid == tid && sample->state == TIMED_IN_DOUBT)
			sample->state = state;
	}
}

// Whoever looks often takes a core for it, perhaps that of the thread. But a thread that had lost
// it long before stands where the system took it: at the end of a call, say, not anywhere.
static void doubt(struct timer_sampling *sampling, struct watched_thread *thread,
		  const struct task_clock *clock)
{
	enum { MOST_DELAY_NS = 500000 };
	if (!thread->is_in_doubt || clock->num_given == thread->doubt.num_given)
		return;
	bool was_short = clock->delay_ns - thread->doubt.delay_ns < MOST_DELAY_NS;
	settle_doubt(sampling, thread->tid, was_short ? TIMED_COUNTS : TIMED_VOID);
	thread->is_in_doubt = false;
}

/** The time of a thread that has a core goes on at the kernel's ticks. */
static void look_at_running(struct timer_sampling *sampling, struct watched_thread *thread)
{
	if (thread->clock.has_core) {
		add_sample(sampling, thread, TIMED_COUNTS);
	} else if (thread->has_gone_on && !sampling->is_late) {
		add_sample(sampling, thread, TIMED_IN_DOUBT);
		thread->is_in_doubt = true;
		thread->doubt = thread->clock;
	}
}

static void look_at(struct timer_sampling *sampling, struct watched_thread *thread)
{
	struct task_look look;
	struct task_clock clock;
	if (!task_files_look(&thread->files, &look) || (!look.is_running && !thread->was_running) ||
	    !task_files_clock(&thread->files, &clock))
		return;
	thread->was_running = look.is_running;
	doubt(sampling, thread, &clock);
	take_time(thread, &clock);
	share_out(sampling, thread);
	if (look.is_running)
		look_at_running(sampling, thread);
}

static void look_at_threads(struct timer_sampling *sampling)
{
	struct watched_tasks *tasks = &sampling->tasks;
	size_t num = tasks->num_threads < TIMER_MAX_LOOKS ? tasks->num_threads : TIMER_MAX_LOOKS;
	for (size_t i = 0; i < num; i++) {
		sampling->next_thread = (sampling->next_thread + 1) % tasks->num_threads;
		look_at(sampling, &tasks->threads[sampling->next_thread]);
	}
}

/** It takes long where there are many threads: then it is done less often. */
static struct error *scan(struct timer_sampling *sampling, uint64_t now_ns)
{
	enum { MOST_SHARE = 50 }; // of our time
	bool is_alert = now_ns < sampling->alert_until_ns;
	if (!is_alert && now_ns < sampling->scan_due_ns)
		return NULL;
	size_t num_news = sampling->tasks.num_news;
	struct error *err = watched_tasks_scan(&sampling->tasks, now_ns);
	for (size_t i = num_news; i < sampling->tasks.num_news; i++)
		if (sampling->tasks.news[i].kind == TASK_NEWS_PROGRAM)
			sampling->alert_until_ns = now_ns + ALERT_NS;
	uint64_t took_ns = clock_ns(CLOCK_MONOTONIC) - now_ns;
	uint64_t wait_ns = took_ns * MOST_SHARE;
	sampling->scan_due_ns = now_ns + (wait_ns > SCAN_NS ? wait_ns : SCAN_NS);
	return err;
}

static struct error *tick(struct timer_sampling *sampling)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (!sampling->has_started || sampling->has_stopped || now_ns < sampling->next_ns)
		return NULL;
	sampling->is_late = now_ns - sampling->next_ns > MOST_LATE_NS;
	look_at_threads(sampling);
	set_next(sampling, now_ns);
	return scan(sampling, now_ns);
}

void timer_sampling_stop(struct timer_sampling *sampling)
{
	sampling->has_stopped = true;
	for (size_t i = 0; i < sampling->tasks.num_threads; i++) {
		struct watched_thread *thread = &sampling->tasks.threads[i];
		struct task_clock clock;
		if (task_files_clock(&thread->files, &clock))
			take_time(thread, &clock);
		share_out(sampling, thread);
	}
}

struct error *timer_sampling_wait(struct timer_sampling *sampling, uint64_t timeout_ns, int fd)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t to_next_ns = sampling->next_ns > now_ns ? sampling->next_ns - now_ns : 0;
	sampling->num_noticed = 0;
	enum interrupt_wake wake = INTERRUPT_WAKE_TIMEOUT;
	struct error *err =
		timeout_ns ? interrupt_wait(fd, timeout_ns < to_next_ns ? timeout_ns : to_next_ns,
					    &wake)
			   : NULL;
	if (wake == INTERRUPT_WAKE_READY)
		sampling->next_ns = 0; // what has ended tells its time until somebody waits for it
	return err ? err : tick(sampling);
}

bool timer_sampling_notice(const struct timer_sampling *sampling, size_t n,
			   struct sample_notice *ret)
{
	if (n >= sampling->num_noticed)
		return false;
	*ret = sampling->noticed[n];
	return true;
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

static void tell_name(struct timer_sampling *sampling, const struct task_news *news,
		      struct record *ret)
{
	running_thread_name(news->pid, news->tid, sampling->name, sizeof(sampling->name));
	*ret = record_of(RECORD_COMM, news->pid, news->tid);
	ret->comm.name = sampling->name;
	ret->comm.is_exec = news->kind == TASK_NEWS_PROGRAM;
}

/** @ret_is_told: it is a record of its own. */
static struct error *tell_news(struct timer_sampling *sampling, const struct task_news *news,
			       struct record *ret, bool *ret_is_told)
{
	*ret_is_told = true;
	switch (news->kind) {
	case TASK_NEWS_PROGRAM:
		tell_name(sampling, news, ret);
		return running_open(&news->pid, 1, &sampling->running);
	case TASK_NEWS_MAPS:
		*ret_is_told = false;
		return running_open(&news->pid, 1, &sampling->running);
	case TASK_NEWS_THREAD:
		tell_name(sampling, news, ret);
		return NULL;
	case TASK_NEWS_THREAD_END:
	case TASK_NEWS_END:
		*ret = record_of(RECORD_EXIT, news->pid, news->tid);
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

/** Samples from before have to come first. */
static const struct task_news *due_news(struct timer_sampling *sampling)
{
	const struct task_news *news = watched_tasks_news(&sampling->tasks);
	if (!news || news->kind == TASK_NEWS_MAPS)
		return news;
	for (size_t i = 0; i < sampling->num_waiting; i++) {
		const struct timed_sample *sample = waiting_at(sampling, i);
		if (sample->who.pid == news->pid && sample->who.time_ns < news->time_ns &&
		    sample->state != TIMED_VOID)
			return NULL;
	}
	return news;
}

static struct error *next_news(struct timer_sampling *sampling, struct record *ret, bool *ret_more)
{
	struct error *err = NULL;
	*ret_more = false;
	while (!err && !*ret_more) {
		const struct task_news *news = sampling->running ? NULL : due_news(sampling);
		if (sampling->running) {
			err = next_of_running(sampling, ret, ret_more);
		} else if (news) {
			err = tell_news(sampling, news, ret, ret_more);
			watched_tasks_drop_news(&sampling->tasks);
		} else {
			break;
		}
	}
	return err;
}

/** Those that never ran are none. */
static bool next_sample(struct timer_sampling *sampling, struct record *ret)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	while (sampling->num_waiting) {
		const struct timed_sample *oldest = waiting_at(sampling, 0);
		bool is_old = now_ns - oldest->who.time_ns > MAX_AGE_NS || sampling->has_stopped;
		if (!oldest->weight_ns && oldest->state != TIMED_VOID && !is_old)
			return false;
		sampling->first = (sampling->first + 1) % TIMER_MAX_WAITING;
		sampling->num_waiting--;
		if (!oldest->weight_ns)
			continue;
		*ret = record_of(RECORD_SAMPLE, oldest->who.pid, oldest->who.tid);
		ret->time_ns = oldest->who.time_ns;
		ret->sample.period = oldest->weight_ns;
		sampling->totals.num_generated++;
		return true;
	}
	return false;
}

struct error *timer_sampling_next(struct timer_sampling *sampling, struct record *ret,
				  bool *ret_more)
{
	struct error *err = next_news(sampling, ret, ret_more);
	if (err || *ret_more)
		return err;
	*ret_more = next_sample(sampling, ret);
	return *ret_more ? NULL : next_news(sampling, ret, ret_more);
}
