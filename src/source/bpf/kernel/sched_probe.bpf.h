/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
#ifndef WPERF_SOURCE_BPF_SCHED_PROBE_BPF_H
#define WPERF_SOURCE_BPF_SCHED_PROBE_BPF_H

/**
 * The programs at the scheduler: they measure how long each thread of the target was ready to run
 * before it ran, and choose which of these waits are samples. A .bpf.c file includes this beside
 * frame_walker.bpf.h, whose walk a sample has as well.
 */

#include "source/bpf/kernel/frame_walker.bpf.h"
#include "source/bpf/sched_maps.h"

// A wait begins when a thread is woken (sched_wakeup, sched_wakeup_new), or loses its CPU and would
// run on (sched_switch); it ends when the thread gets a CPU (sched_switch). That is what perf sched
// latency measures. All sums are made here, and wperf reads them once: a wait costs a few lookups
// and no record.
//
// An entry of sched_threads is changed at the wakeup, and at switches of the thread's own CPU. The
// scheduler orders these, so that nothing is atomic. Only who ran meanwhile may be counted by
// several CPUs at once.
//
// Samples: each CPU adds waits up, and whenever a sum passes a multiple of the period, the thread
// that just waited is sampled, for as many periods as were passed. So a wait is chosen in
// proportion to its length. sched_switch runs while the thread before is still the current one,
// with its stack: there the sample is only noted (owed_ns). It is taken in sched_note_arrival(), on
// the thread that goes on; where the kernel has no place for that, or does not pass it, the thread
// is sampled when it leaves its CPU again.
//
// Who ran meanwhile: each CPU remembers its last runs. Of a chosen wait, one moment is chosen, and
// who ran then is counted for the periods that the wait stands for.

enum { SCHED_ENDS = 0x4 }; // PF_EXITING, of a task's flags

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct sched_setting);
} sched_settings SEC(".maps");

// The loader sizes the next four where they are used.
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct sched_process);
} sched_processes SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct sched_thread);
} sched_threads SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_QUEUE);
	__uint(max_entries, 1);
	__uint(value_size, sizeof(struct sched_thread));
} sched_ended SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, uint64_t);
	__type(value, struct sched_runner);
} sched_runners SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, uint32_t);
	__type(value, struct sched_core);
} sched_cores SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCHED_NUM_LOSSES);
	__type(key, uint32_t);
	__type(value, uint64_t);
} sched_losses SEC(".maps");

// An event of each core whose samples have registers and stack; the loader says how many.
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(key_size, sizeof(uint32_t));
	__uint(value_size, sizeof(uint32_t));
} sched_rings SEC(".maps");

// What a thread begins with, too large for the stack.
static const struct sched_thread sched_nothing;

struct task_struct___sched {
	unsigned int __state;
	char comm[SCHED_NAME_BYTES];
} __attribute__((preserve_access_index));

static __always_inline void sched_add_loss(uint32_t which, uint64_t num)
{
	uint64_t *sum = bpf_map_lookup_elem(&sched_losses, &which);
	if (sum)
		*sum += num;
}

/** NULL: nothing is counted now. */
static __always_inline const struct sched_setting *sched_find_setting(void)
{
	uint32_t first = 0;
	const struct sched_setting *setting = bpf_map_lookup_elem(&sched_settings, &first);
	return setting && setting->is_on ? setting : NULL;
}

static __always_inline void sched_read_name(const struct task_struct *task, char *ret)
{
	const struct task_struct___sched *known = (const void *)task;
	bpf_core_read(ret, SCHED_NAME_BYTES, &known->comm);
}

static __always_inline bool sched_is_wanted(const struct sched_setting *setting, uint32_t pid)
{
	if (setting->is_of_all)
		return true;
	const struct sched_process *process = bpf_map_lookup_elem(&sched_processes, &pid);
	return process && !process->awaits_exec;
}

/** Not of a thread that ends: its counts were given away already. */
static __always_inline struct sched_thread *sched_find_thread(const struct sched_setting *setting,
							      const struct task_struct *task)
{
	uint32_t tid = task->pid, pid = task->tgid;
	if (!tid)
		return NULL;
	struct sched_thread *thread = bpf_map_lookup_elem(&sched_threads, &tid);
	if (thread || task->flags & SCHED_ENDS || !sched_is_wanted(setting, pid))
		return thread;
	if (bpf_map_update_elem(&sched_threads, &tid, &sched_nothing, BPF_NOEXIST))
		sched_add_loss(SCHED_LOST_WAITS, 1);
	thread = bpf_map_lookup_elem(&sched_threads, &tid);
	if (!thread)
		return NULL;
	thread->task.pid = pid;
	thread->task.tid = tid;
	sched_read_name(task, thread->task.name);
	return thread;
}

/** It may be woken while it is ready, or runs: the next switch puts that right. */
static __always_inline int sched_note_wakeup(const struct task_struct *task)
{
	const struct sched_setting *setting = sched_find_setting();
	struct sched_thread *thread = setting ? sched_find_thread(setting, task) : NULL;
	if (thread && !thread->since_ns)
		thread->since_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(sched_wake, struct task_struct *task)
{
	return sched_note_wakeup(task);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(sched_wake_new, struct task_struct *task)
{
	return sched_note_wakeup(task);
}

static __always_inline struct sched_run *sched_run_of(struct sched_core *core, uint32_t back)
{
	return &core->runs[(core->newest - back) & (SCHED_RUNS - 1)];
}

/** The thread leaves the CPU. */
static __always_inline void sched_note_run(struct sched_core *core,
					   const struct task_struct *before, uint64_t now)
{
	core->newest++;
	struct sched_run *run = sched_run_of(core, 0);
	run->began_ns = core->came_ns ? core->came_ns : now;
	run->ended_ns = now;
	run->task.pid = before->tgid;
	run->task.tid = before->pid;
	sched_read_name(before, run->task.name);
	core->came_ns = now;
}

static __always_inline void sched_count_runner(const struct sched_task *task, uint64_t ns)
{
	uint64_t key = (uint64_t)task->pid << 32 | task->tid;
	struct sched_runner *runner = bpf_map_lookup_elem(&sched_runners, &key);
	if (!runner) {
		struct sched_runner first = {};
		__builtin_memcpy(first.name, task->name, sizeof(first.name));
		if (bpf_map_update_elem(&sched_runners, &key, &first, BPF_NOEXIST))
			sched_add_loss(SCHED_LOST_RUNNERS, 1);
		runner = bpf_map_lookup_elem(&sched_runners, &key);
	}
	if (!runner)
		return;
	__sync_fetch_and_add(&runner->num, 1);
	__sync_fetch_and_add(&runner->ns, ns);
}

/** Who ran at a moment of the wait, any of them with the same probability. */
static __always_inline void sched_choose_runner(struct sched_core *core, uint64_t since_ns,
						uint64_t waited_ns, uint64_t ns)
{
	const struct sched_task unknown = {UINT32_MAX, UINT32_MAX, {0}};
	uint64_t random = (uint64_t)bpf_get_prandom_u32() << 32 | bpf_get_prandom_u32();
	uint64_t at = since_ns + random % waited_ns;
	// By bisection: the oldest run that did not end before it.
	uint32_t back = 0;
	for (int bit = SCHED_RUNS_BITS - 1; bit >= 0; bit--)
		if (sched_run_of(core, back + (1U << bit))->ended_ns > at)
			back += 1U << bit;
	const struct sched_run *run = sched_run_of(core, back);
	bool is_known = run->began_ns <= at && at < run->ended_ns;
	sched_count_runner(is_known ? &run->task : &unknown, ns);
}

/** A new longest wait is rare: to look at all runs costs little then. */
static __always_inline void sched_keep_longest(struct sched_thread *thread, struct sched_core *core,
					       uint64_t since_ns, uint64_t now)
{
	thread->max_at_ns = now;
	thread->max_core = bpf_get_smp_processor_id();
	thread->runner_ns = 0;
	for (uint32_t back = 0; back < SCHED_RUNS; back++) {
		const struct sched_run *run = sched_run_of(core, back);
		uint64_t began = run->began_ns > since_ns ? run->began_ns : since_ns;
		if (run->ended_ns <= began || run->ended_ns - began < thread->runner_ns)
			continue;
		thread->runner_ns = run->ended_ns - began;
		thread->runner = run->task;
	}
}

/** The wait of this thread is to be a sample, if a sum passes a multiple of the period with it. */
static __always_inline void sched_choose(const struct sched_setting *setting,
					 struct sched_core *core, uint32_t tid, uint64_t since_ns,
					 uint64_t waited_ns)
{
	uint64_t period = setting->period_ns;
	if (!period || !waited_ns)
		return;
	if (!core->has_carry) {
		core->has_carry = 1;
		core->carry_ns = bpf_get_prandom_u32() % period;
	}
	uint64_t sum = core->carry_ns + waited_ns;
	uint64_t num = sum / period;
	core->carry_ns = sum - num * period;
	if (!num)
		return;
	core->owed_ns = num * period;
	core->owed_wait_ns = waited_ns;
	core->owed_tid = tid;
	sched_choose_runner(core, since_ns, waited_ns, core->owed_ns);
}

/** Leaves the sample that the current thread owes. */
static __always_inline void sched_give_sample(void *context, struct sched_core *core)
{
	struct sched_output output = {core->owed_ns, core->owed_wait_ns};
	core->owed_ns = 0;
	if (core->owed_tid != (uint32_t)bpf_get_current_pid_tgid()) {
		sched_add_loss(SCHED_LOST_SAMPLES, 1);
		return;
	}
	walk_at_sample(context, 0, false);
	if (bpf_perf_event_output(context, &sched_rings, BPF_F_CURRENT_CPU, &output,
				  sizeof(output)) == -NO_SPACE)
		sched_add_loss(SCHED_LOST_SAMPLES, 1);
}

static __always_inline void sched_count_wait(const struct sched_setting *setting,
					     struct sched_core *core, struct sched_thread *thread,
					     uint64_t now)
{
	// The clocks of two CPUs may differ by a little.
	uint64_t since_ns = thread->since_ns < now ? thread->since_ns : now;
	uint64_t waited_ns = now - since_ns;
	uint32_t bucket = run_queue_bucket(waited_ns);
	thread->since_ns = 0;
	thread->num++;
	thread->total_ns += waited_ns;
	if (bucket < RUN_QUEUE_BUCKETS && thread->histogram[bucket] != UINT32_MAX)
		thread->histogram[bucket]++;
	if (waited_ns > thread->max_ns || thread->num == 1) {
		thread->max_ns = waited_ns;
		sched_keep_longest(thread, core, since_ns, now);
	}
	core->num++;
	core->total_ns += waited_ns;
	if (waited_ns > core->max_ns)
		core->max_ns = waited_ns;
	sched_choose(setting, core, thread->task.tid, since_ns, waited_ns);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_change, bool is_preempted, struct task_struct *before, struct task_struct *after)
{
	uint32_t first = 0, came = after->pid;
	struct sched_core *core = bpf_map_lookup_elem(&sched_cores, &first);
	const struct sched_setting *setting = sched_find_setting();
	if (!core || !setting)
		return 0;
	if (core->owed_ns) {
		sched_add_loss(SCHED_LATE_SAMPLES, 1);
		sched_give_sample(ctx, core);
	}
	uint64_t now = bpf_ktime_get_ns();
	sched_note_run(core, before, now);
	struct sched_thread *left = sched_find_thread(setting, before);
	bool is_ready = is_preempted || !((const struct task_struct___sched *)before)->__state;
	if (left)
		left->since_ns = is_ready ? now : 0;
	struct sched_thread *thread = bpf_map_lookup_elem(&sched_threads, &came);
	if (thread && thread->since_ns)
		sched_count_wait(setting, core, thread, now);
	return 0;
}

static __always_inline int sched_note_arrival(void *context)
{
	uint32_t first = 0;
	struct sched_core *core = bpf_map_lookup_elem(&sched_cores, &first);
	if (core && core->owed_ns)
		sched_give_sample(context, core);
	return 0;
}

// Both run on the thread that goes on. The first tracepoint came with Linux 6.15; the loader
// attaches the other program to finish_task_switch(), whatever the compiler made of that name.
// Only that one meets new threads, too.

SEC("raw_tp/sched_exit_tp")
int sched_arrive(void *context)
{
	return sched_note_arrival(context);
}

SEC("kprobe")
int sched_arrive_probe(void *context)
{
	return sched_note_arrival(context);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_fork, struct task_struct *parent, struct task_struct *child)
{
	uint32_t parent_id = parent->tgid, child_id = child->tgid;
	uint32_t first = 0;
	const struct sched_setting *setting = bpf_map_lookup_elem(&sched_settings, &first);
	if (parent_id == child_id || !setting || !setting->inherits || setting->is_of_all)
		return 0;
	const struct sched_process *process = bpf_map_lookup_elem(&sched_processes, &parent_id);
	if (process && bpf_map_update_elem(&sched_processes, &child_id, process, BPF_ANY))
		sched_add_loss(SCHED_LOST_THREADS, 1);
	return 0;
}

/** Its counts are wperf's from now on. */
static __always_inline void sched_give_away(uint32_t tid)
{
	struct sched_thread *thread = bpf_map_lookup_elem(&sched_threads, &tid);
	if (!thread)
		return;
	if (thread->num && bpf_map_push_elem(&sched_ended, thread, 0)) {
		sched_add_loss(SCHED_LOST_THREADS, 1);
		sched_add_loss(SCHED_LOST_WAITS, thread->num);
	}
	bpf_map_delete_elem(&sched_threads, &tid);
}

// A thread that is not the process's first one has that one's number from now on.
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_exec, struct task_struct *task, int old_tid)
{
	uint32_t pid = task->tgid, old = (uint32_t)old_tid;
	struct sched_process *process = bpf_map_lookup_elem(&sched_processes, &pid);
	if (process)
		process->awaits_exec = 0;
	if (!sched_find_setting())
		return 0;
	if (old != pid)
		sched_give_away(old);
	struct sched_thread *thread = bpf_map_lookup_elem(&sched_threads, &pid);
	if (thread)
		sched_read_name(task, thread->task.name);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_end, struct task_struct *task)
{
	uint32_t tid = task->pid, pid = task->tgid;
	if (sched_find_setting()) {
		struct sched_thread *thread = bpf_map_lookup_elem(&sched_threads, &tid);
		if (thread)
			sched_read_name(task, thread->task.name);
		sched_give_away(tid);
	}
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&sched_processes, &pid);
	return 0;
}

#endif
